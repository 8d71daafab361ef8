// Command saga books a trip that consists of several calls, all together or not at all. First all goes
// well; then the last call fails, and what was booked is undone, the last first; then one call may not
// run, and none does. It needs no model and no key.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"

	"github.com/jig-go/jig"
	"github.com/jig-go/jig/run"
)

func main() {
	if err := book(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func book(ctx context.Context, out io.Writer) error {
	t := &travel{out: out}
	// Here a failure is part of the show: nothing is logged.
	registry := jig.NewRegistry(&jig.Options{Logger: slog.New(slog.DiscardHandler)})
	if err := registry.Add(t.reserveSeat(), t.bookRoom(), t.charge()); err != nil {
		return err
	}
	session := run.New(registry, &run.Options{Caller: jig.Caller{RunID: "trip-1", UserID: "ada"}})
	trip := func(title string, cents, nights int) {
		fmt.Fprintln(out, title)
		calls := []jig.Call{
			{ID: "1", Name: "reserve_seat", Args: json.RawMessage(`{"flight":"LH 400"}`)},
			{ID: "2", Name: "book_room", Args: fmt.Appendf(nil, `{"hotel":"Astoria","nights":%d}`, nights)},
			{ID: "3", Name: "charge", Args: fmt.Appendf(nil, `{"cents":%d}`, cents)},
		}
		for _, o := range session.Saga(ctx, calls) {
			fmt.Fprintf(out, "  %s %s: %s\n", o.Tool, o.Status, o.Text())
		}
		fmt.Fprintf(out, "  booked: %q\n\n", t.booked)
	}
	trip("all goes well", 50_000, 2)
	trip("the card is declined", 999_999, 3)
	trip("one call may not run", 50_000, 400)
	return nil
}

// travel is where seats and rooms are booked.
type travel struct {
	out    io.Writer
	next   int
	booked []string
}

func (t *travel) add(what string) string {
	t.next++
	id := fmt.Sprintf("%s-%d", what, t.next)
	t.booked = append(t.booked, id)
	fmt.Fprintln(t.out, "  + "+id)
	return id
}

func (t *travel) remove(id string) error {
	i := slices.Index(t.booked, id)
	if i < 0 {
		return errors.New("not booked")
	}
	t.booked = slices.Delete(t.booked, i, i+1)
	fmt.Fprintln(t.out, "  - "+id)
	return nil
}

type seatArgs struct {
	Flight string `json:"flight"`
}

// reserveSeat registers its undo as a function, which lives as long as the process.
func (t *travel) reserveSeat() *jig.Tool {
	return jig.MustDefine(jig.Spec[seatArgs, string]{
		Name: "reserve_seat", Description: "Reserve a seat on a flight.", Effect: jig.EffectWrite,
		Execute: func(ctx context.Context, args seatArgs) (string, error) {
			id := t.add("seat")
			jig.Compensate(ctx, func(context.Context) error { return t.remove(id) })
			return id, nil
		},
	})
}

type roomArgs struct {
	Hotel  string `json:"hotel"`
	Nights int    `json:"nights" jsonschema:"minimum=1,maximum=30"`
}

// bookRoom has an Undo that needs no more than what UndoWith kept, in another process too.
func (t *travel) bookRoom() *jig.Tool {
	return jig.MustDefine(jig.Spec[roomArgs, string]{
		Name: "book_room", Description: "Book a room.", Effect: jig.EffectWrite,
		Execute: func(ctx context.Context, args roomArgs) (string, error) {
			id := t.add("room")
			return id, jig.UndoWith(ctx, id)
		},
		Undo: func(_ context.Context, _ roomArgs, token json.RawMessage) error {
			var id string
			if err := json.Unmarshal(token, &id); err != nil {
				return err
			}
			return t.remove(id)
		},
	})
}

type chargeArgs struct {
	Cents int `json:"cents" jsonschema:"minimum=1"`
}

func (t *travel) charge() *jig.Tool {
	return jig.MustDefine(jig.Spec[chargeArgs, string]{
		Name: "charge", Description: "Charge the card on file.", Effect: jig.EffectWrite,
		Execute: func(ctx context.Context, args chargeArgs) (string, error) {
			id := t.add("hold") // the failed call's own work is undone too
			jig.Compensate(ctx, func(context.Context) error { return t.remove(id) })
			if args.Cents > 100_000 {
				return "", &jig.ToolError{Text: "The card was declined.", Code: "declined"}
			}
			return "paid", nil
		},
	})
}
