package examine

import (
	"cmp"
	"encoding/hex"
	"slices"

	"svc.example/go/internal/merkle"
	"svc.example/go/report"
)

// A head is a root that the object establishes at a size.
type head struct {
	count int64
	root  merkle.Hash
}

// establish notes a root that the object establishes.
func (e *exam) establish(count int64, root merkle.Hash) {
	e.heads = append(e.heads, head{count, root})
}

// state notes the root that a checkpoint states. The last one that is noted is the newest.
func (e *exam) state(c *checkpoint) {
	e.stated = append(e.stated, head{c.count, c.root})
	e.newestCount, e.statedStream = c.count, c.stream
}

// holdKnown holds the known checkpoints of the stream against the roots that the object establishes (section 16).
func (e *exam) holdKnown(links [][]byte) {
	const check = report.CheckKnownCheckpoint
	if e.heads == nil && e.stated == nil && e.windowRoots == nil {
		return
	}
	count, largest, stream := 0, int64(0), e.treeStream()
	for i, known := range e.policy.known {
		if known.stream != stream {
			continue
		}
		count++
		e.looked(check, 1)
		path := at("trust:/known_checkpoints", i)
		if known.count > e.newestCount {
			if e.isPartOf(known, links) {
				largest = max(largest, known.count)
				continue
			}
			e.distrust(check, finding{
				code: report.CodeKnownCheckpointNewer, path: path,
				message: "You know a later state of the stream than the object shows, and nothing shows that the object is part of it.",
			}, path)
			continue
		}
		isThere, isSame := e.rootAt(known.count, known.root)
		switch {
		case isSame:
		case isThere:
			e.reject(check, finding{
				code: report.CodeForkDetected, path: path, action: report.KeepBothHistories,
				message: "The object has another root at the size of the checkpoint that you know.",
			})
		case !e.isLinked(known, links):
			e.fault(check, report.CodeKnownCheckpointUnlinked, path, "Nothing links the checkpoint that you know to the object.")
		}
	}
	if largest > 0 {
		e.found(check, "older than the checkpoint over "+itoa(largest)+" windows that you know, and part of it")
	}
	if count == 0 {
		e.notChecked(check, "you know no checkpoint of this stream, so a rewritten past would not be noticed")
	}
}

// treeStream returns the stream of the checkpoint tree that the object shows: that of its newest checkpoint by itself,
// else the object's own.
func (e *exam) treeStream() string { return cmp.Or(e.statedStream, e.subject.StreamID) }

// rootAt says whether the object establishes a root at a size, and whether it is the root asked for. A root that a
// checkpoint states counts before recomputed ones, and the later before the earlier; a bundle's windows alone give its.
func (e *exam) rootAt(count int64, root string) (isThere, isSame bool) {
	if e.windowRoots != nil {
		one, ok := e.windowRoots(count)
		return ok, ok && hexOf(one) == root
	}
	for _, list := range [][]head{e.stated, e.heads} {
		for _, one := range slices.Backward(list) {
			if one.count == count {
				return true, hexOf(one.root) == root
			}
		}
	}
	return false, false
}

// A link is consistency evidence that was handed in and holds by itself.
type link struct{ from, to head }

// isLinked says whether evidence that was handed in leads from a root of the object to a known checkpoint, one behind
// the other.
func (e *exam) isLinked(known knownHead, wires [][]byte) bool {
	links := e.readLinks(wires)
	reached := map[head]bool{}
	for changed := true; changed; {
		changed = false
		for _, one := range links {
			_, isOurs := e.rootAt(one.to.count, hex.EncodeToString(one.to.root[:]))
			if (isOurs || reached[one.to]) && !reached[one.from] {
				reached[one.from] = true
				changed = true
			}
		}
	}
	return reached[head{known.count, hashText(known.root)}]
}

// isPartOf says whether the object is part of a larger known checkpoint: its newest one is known too, or evidence that
// was handed in leads from that to the known one.
func (e *exam) isPartOf(known knownHead, wires [][]byte) bool {
	stream := e.treeStream()
	for _, one := range e.policy.known {
		if one.stream == stream && one.count == e.newestCount {
			if _, isSame := e.rootAt(one.count, one.root); isSame {
				return true
			}
		}
	}
	links := e.readLinks(wires)
	reached := map[head]bool{}
	for changed := true; changed; {
		changed = false
		for _, one := range links {
			isOurs := false
			if one.from.count == e.newestCount {
				_, isOurs = e.rootAt(one.from.count, hex.EncodeToString(one.from.root[:]))
			}
			if (isOurs || reached[one.from]) && !reached[one.to] {
				reached[one.to] = true
				changed = true
			}
		}
	}
	return reached[head{known.count, hashText(known.root)}]
}

// readLinks returns the consistency evidence of this stream that is not rejected by itself, under the pinned signers
// and witnesses alone.
func (e *exam) readLinks(wires [][]byte) []link {
	if e.handedIn != nil || len(wires) == 0 {
		return e.handedIn
	}
	e.handedIn = []link{}
	for _, wire := range wires {
		part := newExam(e.k, e.policy.alone(), nil, 1)
		part.kind = report.KindConsistency
		tree := part.parse(wire, "")
		if tree == nil || tree.Root().Get("from_anchor").Exists() {
			continue
		}
		part.value = tree.Root()
		part.whole(Input{Bytes: wire, Policy: part.policy}, tree)
		if part.report().Verdict == report.Rejected || part.subject.StreamID != e.treeStream() {
			continue
		}
		from, to := tree.Root().Get("from_checkpoint"), tree.Root().Get("to_checkpoint")
		e.handedIn = append(e.handedIn, link{
			head{number(from, "window_count"), hashOf(from, "checkpoint_root")},
			head{number(to, "window_count"), hashOf(to, "checkpoint_root")},
		})
	}
	return e.handedIn
}
