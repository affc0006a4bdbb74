package examine

import (
	"math/bits"

	"svc.example/go/internal/merkle"
	"svc.example/go/report"
)

// bundleCheckpoints examines each checkpoint of a bundle, and holds it against the windows that are here.
func (e *exam) bundleCheckpoints(b *bundle) {
	const check = report.CheckCheckpointRoot
	b.roots = &rootTable{e: e, b: b}
	for _, c := range b.checkpoints {
		e.checkpoint(c, false)
		for i := range c.listed {
			listed := &c.listed[i]
			if w := b.window(listed.no); w != nil {
				e.expect(check, w.isListedAs(listed), report.CodeCheckpointWindowMismatch, at(c.path+"/window_roots", i),
					"The window that the checkpoint lists is not the one here.")
			}
		}
		if last := b.window(c.count); last != nil {
			e.endsWith(c, last, c.path)
		}
		if root, ok := b.roots.root(c.count); ok {
			e.expect(check, root == c.root, report.CodeCheckpointRootMismatch, c.path+"/checkpoint_root",
				"The windows do not give the root.")
		}
		if frontier := c.value.Get("frontier"); frontier.Exists() {
			root, ok := e.rootOver(c, hashes(frontier))
			e.expect(check, ok && root == c.root, report.CodeCheckpointRootMismatch, c.path+"/frontier",
				"The frontier of the checkpoint does not lead to its root.")
		}
		// The stream is that of the bundle, and its windows give the roots.
		e.newestCount = c.count
	}
	e.windowRoots = func(count int64) (merkle.Hash, bool) { return b.roots.root(count) }
}

// endsWith holds what a checkpoint says of its last window against that window.
func (e *exam) endsWith(c *checkpoint, last *bundleWindow, path string) {
	for _, name := range []string{"to_seq_no", "stream_head_hash", "policy_digest", "witness_policy_digest"} {
		e.expect(report.CheckCheckpointRoot, c.value.Get(name).Equal(last.value.Get(name)), report.CodeCheckpointWindowMismatch,
			path+"/"+name, "The checkpoint says something else than its last window.")
	}
}

// checkpointChain holds the checkpoints of a bundle against each other and against its range.
func (e *exam) checkpointChain(b *bundle) {
	const check = report.CheckCheckpointChain
	e.looked(check, len(b.checkpoints))
	e.ascend(check, items(b.artifacts.Get("checkpoints.json")), checkpointsPath, byNumber("checkpoint_no"))
	for i, c := range b.checkpoints {
		e.expect(check, c.stream == b.stream, report.CodeStreamMismatch, c.path+"/stream_id", "The checkpoint is of another stream.")
		if i > 0 {
			e.links(b.checkpoints[i-1], c)
		}
	}
	newest := b.newest()
	if newest == nil {
		e.fault(check, report.CodeCheckpointStale, at(checkpointsPath, 0), "The bundle has no checkpoint.")
		return
	}
	first := b.checkpoints[0]
	switch {
	case first.first().no > b.prior+1:
		e.fault(check, report.CodeRangeIncomplete, first.path, "The first checkpoint begins behind the bundle's first window.")
	case first.count <= b.prior:
		e.fault(check, report.CodeCheckpointWindowMismatch, first.path, "The first checkpoint covers no window of the bundle.")
	}
	e.expect(check, e.givesFrontier(b, first), report.CodeCheckpointRootMismatch, first.path+"/window_roots",
		"The windows that it lists before the bundle's first do not give the frontier.")
	isLast := newest.to == b.to && len(b.windows) > 0 && newest.count == b.windows[len(b.windows)-1].no
	e.expect(check, isLast, report.CodeCheckpointStale, newest.path, "The newest checkpoint does not end with the range.")
}

// links holds a checkpoint against the one before it.
func (e *exam) links(before, c *checkpoint) {
	const check = report.CheckCheckpointChain
	e.expect(check, c.origin == before.origin, report.CodeOriginChanged, c.path+"/origin", "The origin changes.")
	isNext := c.no == before.no+1 && c.value.Get("previous_checkpoint_hash").IsText(before.hash)
	e.expect(check, isNext, report.CodePreviousCheckpointMismatch, c.path+"/previous_checkpoint_hash",
		"The checkpoint does not follow the one before it.")
	e.expect(check, c.first().no == before.count+1, report.CodeCheckpointWindowMismatch, c.path+"/window_roots",
		"The windows of the checkpoint do not go on where those of the one before it end.")
}

// givesFrontier says whether the windows that a checkpoint lists before the bundle's first give the hashes of the
// frontier, as far as whole subtrees of it are listed.
func (e *exam) givesFrontier(b *bundle, c *checkpoint) bool {
	end := b.prior
	for i := len(b.frontier) - 1; i >= 0; i-- {
		begin := end - int64(1)<<bits.TrailingZeros64(uint64(end))
		// Places in the list, which is checked by itself to be one of consecutive windows.
		from, to := begin-c.first().no+1, end-c.first().no+1
		end = begin
		if from < 0 || to > int64(len(c.listed)) {
			continue
		}
		leaves := make([]merkle.Hash, 0, to-from)
		for _, one := range c.listed[from:to] {
			leaves = append(leaves, e.k.LeafHash(one.hash[:]))
		}
		if root, _ := e.k.Root(leaves); root != b.frontier[i] {
			return false
		}
	}
	return true
}
