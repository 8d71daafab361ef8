package jig

import (
	"context"
	"slices"
	"sync"
)

// slots bound how many attempts of a tool run at a time. Who waits is served in order. The channels
// are those of the waiting, not of the tool, so that a tool can be shared. The methods of nil
// slots, which bound nothing, do nothing.
type slots struct {
	mu      sync.Mutex
	free    int
	waiting []chan struct{}
}

// acquire takes a slot, or returns why the context ended before there was one.
func (s *slots) acquire(ctx context.Context) error {
	if s == nil {
		return nil
	}
	return s.take(ctx)
}

// take is acquire where there is a bound.
func (s *slots) take(ctx context.Context) error {
	s.mu.Lock()
	if err := ctx.Err(); err != nil || s.free > 0 {
		if err == nil {
			s.free--
		}
		s.mu.Unlock()
		return err
	}
	turn := make(chan struct{})
	s.waiting = append(s.waiting, turn)
	s.mu.Unlock()
	select {
	case <-turn:
	case <-ctx.Done():
		s.mu.Lock()
		if i := slices.Index(s.waiting, turn); i >= 0 {
			s.waiting = slices.Delete(s.waiting, i, i+1)
			s.mu.Unlock()
			return ctx.Err()
		}
		s.mu.Unlock() // the turn came at the same time
	}
	if err := ctx.Err(); err != nil {
		s.release()
		return err
	}
	return nil
}

// release gives a slot back, to whoever has waited longest.
func (s *slots) release() {
	if s != nil {
		s.giveBack()
	}
}

// giveBack is release where there is a bound.
func (s *slots) giveBack() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiting) == 0 {
		s.free++
		return
	}
	close(s.waiting[0])
	s.waiting = slices.Delete(s.waiting, 0, 1)
}
