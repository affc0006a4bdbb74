package examination

import (
	"svc.example/go/internal/ed25519x"
	"svc.example/go/report"
)

// batchSize is how many signatures are checked together: enough for the gain of a batch, and few enough that their
// messages take little memory.
const batchSize = 2048

// A signatureQueue holds signatures that wait for their check, and the batches that are being checked.
type signatureQueue struct {
	exam    *Exam
	items   []ed25519x.Item
	settles []func(bool)
	running []*batch
}

type batch struct {
	items   []ed25519x.Item
	settles []func(bool)
	results []bool
	failure any
	done    chan struct{}
}

// Signature notes a signature. `settle` is called with its outcome, in the order in which signatures were noted.
func (e *Exam) Signature(check report.CheckID, key, message, signature []byte, settle func(ok bool)) {
	e.Looked(check, 1)
	q := &e.queue
	q.items = append(q.items, ed25519x.Item{PublicKey: key, Message: message, Signature: signature})
	q.settles = append(q.settles, settle)
	if len(q.items) >= batchSize {
		q.flush()
	}
}

// SignatureNow checks a signature at once, for a decision that depends on it.
func (e *Exam) SignatureNow(check report.CheckID, key, message, signature []byte) bool {
	e.Looked(check, 1)
	return e.Kernel.Verify(key, message, signature)
}

// Settle checks every signature that was noted so far.
func (e *Exam) Settle() {
	q := &e.queue
	for len(q.items) > 0 || len(q.running) > 0 {
		q.flush()
		q.drain(0)
	}
}

// flush begins to check what waits. With one worker it is checked at once.
func (q *signatureQueue) flush() {
	if len(q.items) == 0 {
		return
	}
	q.exam.Pause()
	b := &batch{items: q.items, settles: q.settles, done: make(chan struct{})}
	q.items, q.settles = nil, nil
	q.running = append(q.running, b)
	work := func() {
		defer close(b.done)
		defer func() { b.failure = recover() }()
		b.results = q.exam.Kernel.VerifyBatch(b.items)
	}
	if q.exam.Workers <= 1 {
		work()
		q.drain(0)
		return
	}
	go work()
	q.drain(q.exam.Workers)
}

// drain takes in the outcomes of batches, the oldest first, until no more than so many are left.
func (q *signatureQueue) drain(most int) {
	for len(q.running) > most {
		b := q.running[0]
		q.running = q.running[1:]
		<-b.done
		if b.failure != nil {
			panic(b.failure)
		}
		for i, settle := range b.settles {
			settle(b.results[i])
		}
	}
}
