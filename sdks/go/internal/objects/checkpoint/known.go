package checkpoint

import (
	"encoding/hex"

	"svc.example/go/internal/examination"
	"svc.example/go/internal/finding"
	"svc.example/go/internal/trust"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// State notes the root that a checkpoint states. The last one that is noted is the newest.
func State(e *examination.Exam, c *Checkpoint) {
	e.Stated = append(e.Stated, examination.Head{Count: c.Count, Root: c.Root})
	e.NewestCount, e.StatedStream = c.Count, c.Stream
}

// HoldKnown holds the known checkpoints of the stream against the roots that the object establishes (section 16).
func HoldKnown(e *examination.Exam, wires [][]byte) {
	const check = report.CheckKnownCheckpoint
	if e.Heads == nil && e.Stated == nil && e.WindowRoots == nil {
		return
	}
	links := &handedIn{wires: wires}
	count, largest, stream := 0, int64(0), e.TreeStream()
	for i, known := range e.Policy.Known {
		if known.Stream != stream {
			continue
		}
		count++
		e.Looked(check, 1)
		path := values.At("trust:/known_checkpoints", i)
		if known.Count > e.NewestCount {
			if isPartOf(e, known, links) {
				largest = max(largest, known.Count)
				continue
			}
			e.Distrust(check, finding.Finding{
				Code: report.CodeKnownCheckpointNewer, Path: path,
				Message: "You know a later state of the stream than the object shows, and nothing shows that the object is part of it.",
			}, path)
			continue
		}
		isThere, isSame := e.RootAt(known.Count, known.Root)
		switch {
		case isSame:
		case isThere:
			e.Reject(check, finding.Finding{
				Code: report.CodeForkDetected, Path: path, Action: report.KeepBothHistories,
				Message: "The object has another root at the size of the checkpoint that you know.",
			})
		case !isLinked(e, known, links):
			e.Fault(check, report.CodeKnownCheckpointUnlinked, path, "Nothing links the checkpoint that you know to the object.")
		}
	}
	if largest > 0 {
		e.Found(check, "older than the checkpoint over "+values.Itoa(largest)+" windows that you know, and part of it")
	}
	if count == 0 {
		e.NotChecked(check, "you know no checkpoint of this stream, so a rewritten past would not be noticed")
	}
}

// A link is consistency evidence that holds by itself.
type link struct{ from, to examination.Head }

// A handedIn is the consistency evidence that was handed in beside an object. It is read when it is first needed.
type handedIn struct {
	wires  [][]byte
	isRead bool
	links  []link
}

// isLinked says whether evidence that was handed in leads from a root of the object to a known checkpoint, one behind
// the other.
func isLinked(e *examination.Exam, known trust.KnownCheckpoint, beside *handedIn) bool {
	links := readLinks(e, beside)
	reached := map[examination.Head]bool{}
	for changed := true; changed; {
		changed = false
		for _, one := range links {
			_, isOurs := e.RootAt(one.to.Count, hex.EncodeToString(one.to.Root[:]))
			if (isOurs || reached[one.to]) && !reached[one.from] {
				reached[one.from] = true
				changed = true
			}
		}
	}
	return reached[examination.Head{Count: known.Count, Root: values.ParseHash(known.Root)}]
}

// isPartOf says whether the object is part of a larger known checkpoint: its newest one is known too, or evidence that
// was handed in leads from that to the known one.
func isPartOf(e *examination.Exam, known trust.KnownCheckpoint, beside *handedIn) bool {
	stream := e.TreeStream()
	for _, one := range e.Policy.Known {
		if one.Stream == stream && one.Count == e.NewestCount {
			if _, isSame := e.RootAt(one.Count, one.Root); isSame {
				return true
			}
		}
	}
	links := readLinks(e, beside)
	reached := map[examination.Head]bool{}
	for changed := true; changed; {
		changed = false
		for _, one := range links {
			isOurs := false
			if one.from.Count == e.NewestCount {
				_, isOurs = e.RootAt(one.from.Count, hex.EncodeToString(one.from.Root[:]))
			}
			if (isOurs || reached[one.from]) && !reached[one.to] {
				reached[one.to] = true
				changed = true
			}
		}
	}
	return reached[examination.Head{Count: known.Count, Root: values.ParseHash(known.Root)}]
}

// readLinks returns the consistency evidence of this stream that is not rejected by itself, under the pinned signers
// and witnesses alone.
func readLinks(e *examination.Exam, beside *handedIn) []link {
	if beside.isRead {
		return beside.links
	}
	beside.isRead = true
	for _, wire := range beside.wires {
		part := examination.New(e.Kernel, e.Policy.Alone(), nil, 1)
		part.Kind = report.KindConsistency
		tree := part.Parse(wire, "")
		if tree == nil || tree.Root().Get("from_anchor").Exists() {
			continue
		}
		part.Value = tree.Root()
		part.Examine(ConsistencyForm(), tree, len(wire))
		if part.Report().Verdict == report.Rejected || part.Subject.StreamID != e.TreeStream() {
			continue
		}
		from, to := tree.Root().Get("from_checkpoint"), tree.Root().Get("to_checkpoint")
		beside.links = append(beside.links, link{
			examination.Head{Count: values.Number(from, "window_count"), Root: values.Hash(from, "checkpoint_root")},
			examination.Head{Count: values.Number(to, "window_count"), Root: values.Hash(to, "checkpoint_root")},
		})
	}
	return beside.links
}
