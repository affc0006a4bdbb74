package queue

import (
	"context"
	"runtime"
	"sync"
	"weak"

	"svc.example/go"
)

// A Queued is an event that waits in a queue.
type Queued struct {
	// Position is its place in the queue: 1 for the first event that the spool ever held. It is no seq_no.
	Position int64
	group    *group
}

// Receipt returns the receipt once the event is durable with the service; it is redacted if the payload was erased
// before a repeated batch was answered. The error is an [*Error], event_discarded or queue_closed (the event then stays
// in its spool), or that of ctx. A receipt that nobody waits for or can ask for is not kept.
func (q *Queued) Receipt(ctx context.Context) (*svc.ReceiptRecord, error) {
	// While somebody waits, the group must be found when the event is settled.
	defer runtime.KeepAlive(q.group)
	select {
	case <-q.group.wait(q.Position):
		one := q.group.outcomeOf(q.Position)
		return one.receipt, one.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// An outcome is a receipt, or the reason why it is missing.
type outcome struct {
	receipt *svc.ReceiptRecord
	err     error
}

// A group is events that were put into the spool together. The handles that a program holds share it: only a group
// with a live handle takes memory, however many events wait.
type group struct {
	first, last int64
	mu          sync.Mutex
	outcomes    map[int64]outcome
	asked       map[int64]chan struct{}
}

// wait returns a channel that is closed when the outcome of a position is there.
func (g *group) wait(position int64) <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.asked[position] == nil {
		g.asked[position] = make(chan struct{})
		if _, ok := g.outcomes[position]; ok {
			close(g.asked[position])
		}
	}
	return g.asked[position]
}

func (g *group) outcomeOf(position int64) outcome {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.outcomes[position]
}

func (g *group) take(position int64, one outcome) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, ok := g.outcomes[position]; ok {
		return
	}
	g.outcomes[position] = one
	if asked := g.asked[position]; asked != nil {
		close(asked)
	}
}

// firstSweep is the number of groups above which those without a handle are looked for.
const firstSweep = 1024

// A receiptsDue knows the receipts that somebody may still ask for.
type receiptsDue struct {
	// groups are in the order of positions.
	groups  []dueGroup
	sweepAt int
}

type dueGroup struct {
	last  int64
	group weak.Pointer[group]
}

// issue returns handles for events that were put into the spool together.
func (d *receiptsDue) issue(first, last int64) []*Queued {
	g := &group{first: first, last: last, outcomes: map[int64]outcome{}, asked: map[int64]chan struct{}{}}
	d.groups = append(d.groups, dueGroup{last, weak.Make(g)})
	if len(d.groups) >= max(firstSweep, d.sweepAt) {
		live := d.groups[:0]
		for _, one := range d.groups {
			if one.group.Value() != nil {
				live = append(live, one)
			}
		}
		clear(d.groups[len(live):])
		d.groups, d.sweepAt = live, 2*len(live)
	}
	handles := make([]*Queued, 0, last-first+1)
	for position := first; position <= last; position++ {
		handles = append(handles, &Queued{position, g})
	}
	return handles
}

// settle settles the events of some positions.
func (d *receiptsDue) settle(first, last int64, outcomeOf func(position int64) outcome) {
	settled := 0
	for _, one := range d.groups {
		if g := one.group.Value(); g != nil {
			for at := max(first, g.first); at <= min(last, g.last); at++ {
				g.take(at, outcomeOf(at))
			}
		}
		if one.last > last {
			break
		}
		settled++
	}
	d.groups = d.groups[settled:]
}
