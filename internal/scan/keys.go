package scan

import (
	"bytes"
	"hash/maphash"
)

// smallObject is the number of keys up to which comparing with each one is
// faster than hashing.
const smallObject = 16

// seed is drawn per process, so that nobody can choose keys that collide.
var seed = maphash.MakeSeed()

// span is where a decoded key is: in scanner.data, or from the length of data
// on in scanner.decoded.
type span struct{ start, end int }

// keyStack is a stack of keys. The first ones are in an array inside, so that
// Check does not allocate for small texts; a slice of an outer array would be
// moved to the heap, as the compiler cannot follow it through append.
type keyStack struct {
	size  int
	first [2 * smallObject]span
	spill []span // holds all of the stack once it has outgrown first, else nil
}

func (k *keyStack) push(key span) {
	if k.spill == nil {
		if k.size < len(k.first) {
			k.first[k.size] = key
			k.size++
			return
		}
		k.spill = append(make([]span, 0, 4*len(k.first)), k.first[:]...)
	}
	k.spill = append(k.spill[:k.size], key)
	k.size++
}

// from returns the keys from position base on, valid until the next push.
func (k *keyStack) from(base int) []span {
	if k.spill != nil {
		return k.spill[base:k.size]
	}
	return k.first[base:k.size]
}

// decode resolves the escapes of key.
func (s *scanner) decode(key span) span {
	start := len(s.data) + len(s.decoded)
	s.decoded = appendUnquoted(s.decoded, s.keyText(key))
	return span{start, len(s.data) + len(s.decoded)}
}

func (s *scanner) keyText(key span) []byte {
	if base := len(s.data); key.start >= base {
		return s.decoded[key.start-base : key.end-base]
	}
	return s.data[key.start:key.end]
}

// keySet finds a key that an object has twice. The keys themselves are in
// scanner.keys from base on; they end where the set of an inner object begins.
type keySet struct {
	base int
	// slots is an open-addressing hash table of 1-based positions after base,
	// at most half full; 0 is free. It is nil while the object is small.
	slots []int
}

// add adds key and returns true, or returns false if the set has it already.
func (s *scanner) add(set *keySet, key span) bool {
	own := s.keys.from(set.base)
	if len(own) >= smallObject {
		if !s.insert(set, own, key) {
			return false
		}
	} else {
		size, text := key.end-key.start, s.keyText(key)
		for _, other := range own {
			if other.end-other.start == size && bytes.Equal(s.keyText(other), text) {
				return false
			}
		}
	}
	s.keys.push(key)
	return true
}

// insert is add for a large object, whose keys so far are own.
func (s *scanner) insert(set *keySet, own []span, key span) bool {
	if 2*(len(own)+1) > len(set.slots) {
		// Growing fourfold makes the rehashing linear in total. The length
		// stays a power of two, as find needs it.
		set.slots = make([]int, 4*max(smallObject, len(set.slots)))
		for i, old := range own {
			set.slots[s.find(set, own, s.keyText(old))] = i + 1
		}
	}
	slot := s.find(set, own, s.keyText(key))
	if set.slots[slot] != 0 {
		return false
	}
	set.slots[slot] = len(own) + 1
	return true
}

// find returns the slot that holds the key text, or the free one where it
// belongs.
func (s *scanner) find(set *keySet, own []span, text []byte) int {
	mask := len(set.slots) - 1
	// Masking before the conversion keeps the result positive on 32 bits too.
	slot := int(maphash.Bytes(seed, text) & uint64(mask))
	for set.slots[slot] != 0 && !bytes.Equal(s.keyText(own[set.slots[slot]-1]), text) {
		slot = (slot + 1) & mask
	}
	return slot
}
