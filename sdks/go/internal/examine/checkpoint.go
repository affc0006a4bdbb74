package examine

import (
	"math/bits"
	"strings"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/merkle"
	"svc.example/go/internal/note"
	"svc.example/go/report"
)

// A checkpoint is a checkpoint, read once (protocol section 9).
type checkpoint struct {
	value          jsonx.Value
	path           string
	id, stream     string
	origin         string
	no, count, to  int64
	root           merkle.Hash
	hash           string
	listed         []listedWindow
	createdAt, kid string
	note           *note.Note
}

// A listedWindow is an item of window_roots.
type listedWindow struct {
	value        jsonx.Value
	no, from, to int64
	hash         merkle.Hash
}

func (e *exam) readCheckpoint(value jsonx.Value, path string) *checkpoint {
	c := &checkpoint{
		value: value, path: path, id: text(value, "checkpoint_id"), stream: text(value, "stream_id"),
		origin: text(value, "origin"), no: number(value, "checkpoint_no"), count: number(value, "window_count"),
		to: number(value, "to_seq_no"), root: hashOf(value, "checkpoint_root"), createdAt: text(value, "created_at"),
		kid: text(value.Get("seal"), "kid"),
	}
	for _, one := range value.Get("window_roots").Elements() {
		c.listed = append(c.listed, listedWindow{
			one, number(one, "window_no"), number(one, "from_seq_no"), number(one, "to_seq_no"), hashOf(one, "window_hash"),
		})
	}
	c.hash = hexOf(checkpointSeal.hash(value))
	return c
}

// serviceOf returns the service's own origin, from that of a stream; the origin itself where there is no stream.
func serviceOf(origin, stream string) string {
	if stream == "" {
		return origin
	}
	return strings.TrimSuffix(origin, "/"+stream)
}

// statedBy returns the origin of a report's subject, from that of a stream.
func statedBy(origin, stream string) *string {
	own := serviceOf(origin, stream)
	return &own
}

func (c *checkpoint) first() *listedWindow { return &c.listed[0] }
func (c *checkpoint) last() *listedWindow  { return &c.listed[len(c.listed)-1] }

// checkpointFaults returns the faults of form between the members of a checkpoint.
func checkpointFaults(object jsonx.Value) []finding { return checkpointFaultsAt(object, "") }

func checkpointFaultsAt(object jsonx.Value, path string) (found []finding) {
	if !strings.HasSuffix(text(object, "origin"), "/"+text(object, "stream_id")) {
		found = append(found, finding{
			code: report.CodeMalformed, path: path + "/origin", message: "The origin does not end in / and the stream id.",
		})
	}
	listed := object.Get("window_roots")
	before := windowsBefore(object)
	if exceedsTree(before, listed.Len()) {
		found = append(found, finding{code: report.CodeMalformed, path: path + "/window_roots", message: noRoom})
	}
	if frontier := object.Get("frontier"); frontier.Exists() {
		if frontier.Len() != bits.OnesCount64(uint64(before)) {
			found = append(found, finding{
				code: report.CodeMalformed, path: path + "/frontier",
				message: "The frontier has not the length of the tree before the first listed window.",
			})
		}
	}
	return found
}

// windowsBefore returns how many windows come before those that a checkpoint lists.
func windowsBefore(checkpoint jsonx.Value) int64 {
	for _, first := range checkpoint.Get("window_roots").Elements() {
		return number(first, "window_no") - 1
	}
	return 0
}

const noRoom = "No tree has room for that many windows."

// exceedsTree says whether a tree would have more leaves than any.
func exceedsTree(before int64, more int) bool { return before > jsonx.MaxInteger-int64(more) }

// checkpoint examines a checkpoint by itself, but for its cosignatures and, where a bundle gives it, its root.
func (e *exam) checkpoint(c *checkpoint, givesRoot bool) {
	const check = report.CheckCheckpointRoot
	e.looked(check, 1)
	e.expect(check, c.isRun(), report.CodeCheckpointWindowMismatch, c.path+"/window_roots",
		"The windows of the checkpoint are no run of windows that ends with it.")
	isFirst := c.no == 1
	if (c.first().no == 1) != isFirst || c.value.Get("previous_checkpoint_hash").IsText(zeros) != isFirst {
		e.fault(check, report.CodePreviousCheckpointMismatch, c.path+"/previous_checkpoint_hash",
			"Checkpoint 1 and no other lists window 1 and follows 64 zeros.")
	}
	head := headHashOf(e.k, c.value.Get("latest_event_hash").Canonical(), c.value.Get("to_seq_no").Canonical(), c.value.Get("stream_id").Canonical())
	if head != hashOf(c.value, "stream_head_hash") {
		e.fault(check, report.CodeHeadHashMismatch, c.path+"/stream_head_hash", "The latest event does not give the head.")
	}
	if givesRoot {
		e.checkpointRoot(c)
	}
	e.checkpointSealed(c)
}

func (e *exam) checkpointSealed(c *checkpoint) {
	e.seal(report.CheckCheckpointSeal, checkpointSeal, c.value, c.value.Get("seal"), sealUse{
		path: c.path + "/seal", role: report.RoleCheckpoint, what: "checkpoint", no: c.no,
		stream: c.stream, ownTime: c.createdAt, eventNo: c.to,
	}, nil)
	c.note = e.ownNote(text(c.value, "note"), c.path+"/note", c.origin, c.count, c.root[:], c.kid)
}

// isRun says whether the listed windows are a run that the checkpoint ends with.
func (c *checkpoint) isRun() bool {
	first := c.first()
	if (first.from == 1) != (first.no == 1) || first.from < first.no || c.no > first.no {
		return false
	}
	for i := range c.listed {
		one := &c.listed[i]
		if one.to < one.from {
			return false
		}
		if i > 0 && (one.no != c.listed[i-1].no+1 || one.from != c.listed[i-1].to+1) {
			return false
		}
	}
	return c.last().no == c.count && c.last().to == c.to
}

// checkpointRoot recomputes the root from the frontier, or from nothing where the list begins with window 1.
func (e *exam) checkpointRoot(c *checkpoint) {
	const check = report.CheckCheckpointRoot
	frontier := c.value.Get("frontier")
	if !frontier.Exists() && c.first().no != 1 {
		e.notChecked(check, "the root cannot be recomputed without the frontier before the listed windows")
		return
	}
	root, ok := e.rootOver(c, hashes(frontier))
	e.expect(check, ok && root == c.root, report.CodeCheckpointRootMismatch, c.path+"/checkpoint_root",
		"The listed windows do not give the root.")
}

// rootOver returns the root at the size of a checkpoint over its listed windows behind a frontier, and establishes the
// roots on the way; ok is false where the windows do not reach the size.
func (e *exam) rootOver(c *checkpoint, frontier []merkle.Hash) (root merkle.Hash, ok bool) {
	size := c.first().no - 1
	if before, isThere := e.k.RootOfFrontier(frontier); isThere {
		root, ok = before, size == c.count
		e.establish(size, before)
	}
	for i := range c.listed {
		after, err := e.k.AppendLeaves(uint64(size), frontier, []merkle.Hash{e.k.LeafHash(c.listed[i].hash[:])})
		if err != nil {
			return root, false
		}
		size, frontier = size+1, after
		one, _ := e.k.RootOfFrontier(frontier)
		if size == c.count {
			root, ok = one, true
		}
		e.establish(size, one)
	}
	return root, ok
}

// loneCheckpoint examines a checkpoint by itself.
func (e *exam) loneCheckpoint(object jsonx.Value) {
	c := e.readCheckpoint(object, "")
	e.about(c.id, c.stream, 0, c.to)
	e.subject.Origin, e.origin = statedBy(c.origin, c.stream), c.origin
	e.checkpoint(c, true)
	cosigned := e.cosignatures(c, newKnownWitnesses(e))
	e.settle()
	e.newest(c, cosigned, -1, "/note")
	e.state(c)
	if cosigned.earliest() > 0 {
		e.found(report.CheckTrust, "the cosignatures date the tree, and not the checkpoint's head and range")
	}
}

// newest judges the cosignatures of the newest checkpoint, and takes their time as proof. -1 stands for no threshold.
func (e *exam) newest(c *checkpoint, cosigned *cosignatures, threshold int64, path string) {
	e.judgeQuorum(cosigned, threshold, path)
	e.proveTime(cosigned.earliest(), c.to)
}
