package bundle

import (
	"math/bits"

	"svc.example/go/internal/examination"
	"svc.example/go/internal/merkle"
	"svc.example/go/internal/objects/checkpoint"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// examineCheckpoints examines each checkpoint of a bundle, and holds it against the windows that are here.
func examineCheckpoints(e *examination.Exam, b *bundle) {
	const check = report.CheckCheckpointRoot
	b.roots = &rootTable{k: e.Kernel, b: b}
	for _, c := range b.checkpoints {
		checkpoint.Examine(e, c, false)
		for i := range c.Listed {
			listed := &c.Listed[i]
			if w := b.window(listed.No); w != nil {
				e.Expect(check, listed.IsWindow(w), report.CodeCheckpointWindowMismatch, values.At(c.Path+"/window_roots", i),
					"The window that the checkpoint lists is not the one here.")
			}
		}
		if last := b.window(c.Count); last != nil {
			checkpoint.EndsWith(e, c, last, c.Path)
		}
		if root, ok := b.roots.root(c.Count); ok {
			e.Expect(check, root == c.Root, report.CodeCheckpointRootMismatch, c.Path+"/checkpoint_root",
				"The windows do not give the root.")
		}
		if frontier := c.Value.Get("frontier"); frontier.Exists() {
			root, ok := checkpoint.RootOver(e, c, values.Hashes(frontier))
			e.Expect(check, ok && root == c.Root, report.CodeCheckpointRootMismatch, c.Path+"/frontier",
				"The frontier of the checkpoint does not lead to its root.")
		}
		// The stream is that of the bundle, and its windows give the roots.
		e.NewestCount = c.Count
	}
	e.WindowRoots = func(count int64) (merkle.Hash, bool) { return b.roots.root(count) }
}

// checkpointChain holds the checkpoints of a bundle against each other and against its range.
func checkpointChain(e *examination.Exam, b *bundle) {
	const check = report.CheckCheckpointChain
	e.Looked(check, len(b.checkpoints))
	e.Ascend(check, values.Items(b.Artifacts.Get("checkpoints.json")), checkpointsPath, examination.ByNumber("checkpoint_no"))
	for i, c := range b.checkpoints {
		e.Expect(check, c.Stream == b.Stream, report.CodeStreamMismatch, c.Path+"/stream_id", "The checkpoint is of another stream.")
		if i > 0 {
			holdLink(e, b.checkpoints[i-1], c)
		}
	}
	newest := b.newest()
	if newest == nil {
		e.Fault(check, report.CodeCheckpointStale, values.At(checkpointsPath, 0), "The bundle has no checkpoint.")
		return
	}
	first := b.checkpoints[0]
	// Both may be wrong where the list and the count of the checkpoint contradict each other.
	e.Expect(check, first.First().No <= b.Prior+1, report.CodeRangeIncomplete, first.Path,
		"The first checkpoint begins behind the bundle's first window.")
	e.Expect(check, first.Count > b.Prior, report.CodeCheckpointWindowMismatch, first.Path,
		"The first checkpoint covers no window of the bundle.")
	e.Expect(check, givesFrontier(e, b, first), report.CodeCheckpointRootMismatch, first.Path+"/window_roots",
		"The windows that it lists before the bundle's first do not give the frontier.")
	isLast := newest.To == b.To && len(b.windows) > 0 && newest.Count == b.windows[len(b.windows)-1].No
	e.Expect(check, isLast, report.CodeCheckpointStale, newest.Path, "The newest checkpoint does not end with the range.")
}

// holdLink holds a checkpoint against the one before it.
func holdLink(e *examination.Exam, before, c *checkpoint.Checkpoint) {
	const check = report.CheckCheckpointChain
	e.Expect(check, c.Origin == before.Origin, report.CodeOriginChanged, c.Path+"/origin", "The origin changes.")
	isNext := c.No == before.No+1 && c.Value.Get("previous_checkpoint_hash").IsText(before.Hash)
	e.Expect(check, isNext, report.CodePreviousCheckpointMismatch, c.Path+"/previous_checkpoint_hash",
		"The checkpoint does not follow the one before it.")
	e.Expect(check, c.First().No == before.Count+1, report.CodeCheckpointWindowMismatch, c.Path+"/window_roots",
		"The windows of the checkpoint do not go on where those of the one before it end.")
}

// givesFrontier says whether the windows that a checkpoint lists before the bundle's first give the hashes of the
// frontier, as far as whole subtrees of it are listed.
func givesFrontier(e *examination.Exam, b *bundle, c *checkpoint.Checkpoint) bool {
	end := b.Prior
	for i := len(b.Frontier) - 1; i >= 0; i-- {
		begin := end - int64(1)<<bits.TrailingZeros64(uint64(end))
		// Places in the list, which is checked by itself to be one of consecutive windows.
		from, to := begin-c.First().No+1, end-c.First().No+1
		end = begin
		if from < 0 || to > int64(len(c.Listed)) {
			continue
		}
		leaves := make([]merkle.Hash, 0, to-from)
		for _, one := range c.Listed[from:to] {
			leaves = append(leaves, e.Kernel.LeafHash(one.Hash[:]))
		}
		if root, _ := e.Kernel.Root(leaves); root != b.Frontier[i] {
			return false
		}
	}
	return true
}
