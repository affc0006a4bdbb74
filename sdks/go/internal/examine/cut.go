package examine

import (
	"slices"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/kernel"
	"svc.example/go/internal/merkle"
	"svc.example/go/report"
)

// Cut cuts the portable receipt of one event out of a bundle (protocol section 13), up to a checkpoint by its number,
// or up to the bundle's last one for 0. The error is a [*Refusal].
func Cut(k kernel.Kernel, wire []byte, seqNo, checkpointNo int64) ([]byte, error) {
	object, _, err := source(k, wire, report.KindBundle)
	if err != nil {
		return nil, err
	}
	e := newExam(k, NobodyTrusted(), nil, 1)
	b := e.readBundle(object)
	var record jsonx.Value
	var events []merkle.Hash
	var seqNos []int64
	for _, one := range b.artifacts.Get("receipts.json").Elements() {
		if !record.Exists() && number(one, "seq_no") == seqNo {
			record = one
		}
		events = append(events, hashOf(one, "event_hash"))
		seqNos = append(seqNos, number(one, "seq_no"))
	}
	if !record.Exists() {
		return nil, missing("event_missing", "Event %d is not in the bundle, which covers %d to %d.", seqNo, b.from, b.to)
	}
	c, which := b.newest(), "No checkpoint of the bundle"
	if checkpointNo != 0 {
		c, which = b.checkpointOf(checkpointNo), "No checkpoint "+itoa(checkpointNo)+" of the bundle"
	}
	place := slices.IndexFunc(b.windows, func(w bundleWindow) bool { return w.from <= seqNo && seqNo <= w.to })
	switch {
	case place < 0:
		return nil, missing("rejected", "The window of event %d is not in the bundle.", seqNo)
	case c == nil || c.count <= b.prior+int64(place):
		return nil, missing("rejected", "%s covers window %d.", which, b.windows[place].no)
	case int64(len(b.windows)) < c.count-b.prior:
		return nil, missing("rejected", "Window %d, the checkpoint's last, is not in the bundle.", c.count)
	}
	w, last := &b.windows[place], &b.windows[c.count-b.prior-1]
	run := b.run()
	members := jsonx.Members{
		{Name: "format", Value: "svc-portable-receipt"}, {Name: "version", Value: 1},
		{Name: "receipt", Value: withPayload(object, record)}, {Name: "window", Value: alone(w)},
		{Name: "checkpoint", Value: e.withFrontier(b, c)},
		{Name: "checkpoint_inclusion", Value: jsonx.Members{
			{Name: "window_no", Value: w.no}, {Name: "window_count", Value: c.count}, {Name: "path", Value: hexes(run.path(k, b.prior+int64(place), c.count))},
		}},
		{Name: "witnesses", Value: b.witnessesOf(k, c, w)},
	}
	inclusion, ok := inclusionOf(k, w, record, events, seqNos)
	if !ok {
		return nil, missing("rejected", "The events of window %d are not all in the bundle.", w.no)
	}
	members = append(members, jsonx.Member{Name: "inclusion", Value: inclusion})
	if w != last {
		members = append(members, jsonx.Member{Name: "last_window", Value: jsonx.Members{
			{Name: "window", Value: alone(last)}, {Name: "path", Value: hexes(run.path(k, c.count-1, c.count))},
		}})
	}
	if anchor, ok := b.anchorOf(c); ok {
		members = append(members, jsonx.Member{Name: "anchor", Value: anchor})
	}
	for _, name := range []string{"key_hints", "key_endorsements"} {
		if list := object.Get(name); list.Len() > 0 {
			members = append(members, jsonx.Member{Name: name, Value: list})
		}
	}
	text, _, err := hold(k, members, report.KindPortableReceipt)
	return text, err
}

// alone returns a window without what it shows of its events: a portable receipt is about one of them.
func alone(w *bundleWindow) any {
	return without(w.value, []string{"leaves", "inclusions"}, nil)
}

// withFrontier returns a checkpoint with the frontier before its first listed window, where the bundle gives it.
func (e *exam) withFrontier(b *bundle, c *checkpoint) any {
	table := &rootTable{e: e, b: b}
	frontier, ok := table.at(c.first().no - 1)
	if !ok || has(c.value, "frontier") || c.first().no == 1 {
		return c.value
	}
	return without(c.value, nil, jsonx.Members{{Name: "frontier", Value: hexes(frontier)}})
}

// withPayload returns a record of a bundle with its payload, where the bundle has it.
func withPayload(object, record jsonx.Value) any {
	id := text(record, "stream_event_id")
	if entry := object.Get("payloads").Get(id); entry.Exists() {
		return without(record, nil, jsonx.Members{
			{Name: "payload", Value: entry.Get("payload")}, {Name: "payload_salt", Value: entry.Get("payload_salt")},
		})
	}
	return record
}

// inclusionOf makes the inclusion of a record in its window; ok is false where the window's events are not here.
func inclusionOf(k kernel.Kernel, w *bundleWindow, record jsonx.Value, events []merkle.Hash, seqNos []int64) (made jsonx.Members, ok bool) {
	var leaves []merkle.Hash
	for i, seq := range seqNos {
		if w.from <= seq && seq <= w.to {
			leaves = append(leaves, k.LeafHash(events[i][:]))
		}
	}
	index := number(record, "seq_no") - w.from
	if int64(len(leaves)) != w.to-w.from+1 {
		return nil, false
	}
	return jsonx.Members{
		{Name: "window_id", Value: w.value.Get("window_id")}, {Name: "seq_no", Value: record.Get("seq_no")},
		{Name: "event_hash", Value: record.Get("event_hash")}, {Name: "leaf_hash", Value: hexOf(leaves[index])},
		{Name: "leaf_index", Value: index}, {Name: "tree_size", Value: len(leaves)},
		{Name: "inclusion_path", Value: hexes(k.ProveInclusion(leaves, int(index)))}, {Name: "window_root", Value: w.value.Get("window_root")},
	}, true
}

func hexes(list []merkle.Hash) []string {
	out := make([]string, 0, len(list))
	for _, one := range list {
		out = append(out, hexOf(one))
	}
	return out
}

// run returns the bundle's windows as leaves of the stream's tree.
func (b *bundle) run() *windowRun {
	r := &windowRun{prior: b.prior, frontier: b.frontier}
	for _, w := range b.windows {
		r.hashes = append(r.hashes, w.hash)
	}
	return r
}

// witnessesOf returns the policies that a checkpoint and a window name, and the statements about the checkpoint.
func (b *bundle) witnessesOf(k kernel.Kernel, c *checkpoint, w *bundleWindow) jsonx.Members {
	shown := b.artifacts.Get("witnesses.json")
	named := func(list, digest string, line []byte) []any {
		out := []any{}
		for _, one := range shown.Get(list).Elements() {
			hash := hexOf(k.Digest(line, one.Canonical()))
			if hash == text(c.value, digest) || hash == text(w.value, digest) {
				out = append(out, one)
			}
		}
		return out
	}
	statements := []any{}
	for _, one := range shown.Get("statements").Elements() {
		if text(one, "checkpoint_id") == c.id {
			statements = append(statements, one)
		}
	}
	return jsonx.Members{
		{Name: "policies", Value: named("policies", "policy_digest", policyLine)},
		{Name: "witness_policies", Value: named("witness_policies", "witness_policy_digest", witnessPolicyLine)},
		{Name: "statements", Value: statements},
	}
}

// anchorOf returns the first mined anchor that covers a checkpoint, otherwise the first of any sort, with its members
// about that checkpoint.
func (b *bundle) anchorOf(c *checkpoint) (made jsonx.Raw, ok bool) {
	var best jsonx.Value
	var members []any
	for _, one := range b.artifacts.Get("anchors.json").Elements() {
		var own []any
		for _, member := range one.Get("members").Elements() {
			if text(member, "checkpoint_hash") == c.hash {
				own = append(own, member)
			}
		}
		isMined := one.Get("evidence").Kind() == jsonx.Object
		if len(own) > 0 && (!best.Exists() || (isMined && best.Get("evidence").Kind() != jsonx.Object)) {
			best, members = one, own
		}
	}
	if !best.Exists() {
		return nil, false
	}
	return without(best, nil, jsonx.Members{{Name: "members", Value: members}}), true
}
