package bundle

import (
	"slices"

	"svc.example/go/internal/examination"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/kernel"
	"svc.example/go/internal/merkle"
	"svc.example/go/internal/objects/checkpoint"
	"svc.example/go/internal/objects/window"
	"svc.example/go/internal/objects/witness"
	"svc.example/go/internal/trust"
	"svc.example/go/internal/values"
)

// Cut returns the portable receipt of one event of a bundle (protocol section 13), up to a checkpoint by its number, or
// up to the bundle's last one for 0. The error is a [*examination.Refusal].
func Cut(k kernel.Kernel, object jsonx.Value, seqNo, checkpointNo int64) (jsonx.Members, error) {
	e := examination.New(k, trust.Nobody(), nil, 1)
	b := read(e, object)
	var record jsonx.Value
	var events []merkle.Hash
	var seqNos []int64
	for _, one := range b.Artifacts.Get("receipts.json").Elements() {
		if !record.Exists() && values.Number(one, "seq_no") == seqNo {
			record = one
		}
		events = append(events, values.Hash(one, "event_hash"))
		seqNos = append(seqNos, values.Number(one, "seq_no"))
	}
	if !record.Exists() {
		return nil, examination.Missing("event_missing", "Event %d is not in the bundle, which covers %d to %d.", seqNo, b.From, b.To)
	}
	c, which := b.newest(), "No checkpoint of the bundle"
	if checkpointNo != 0 {
		c, which = b.checkpointOf(checkpointNo), "No checkpoint "+values.Itoa(checkpointNo)+" of the bundle"
	}
	place := slices.IndexFunc(b.windows, func(w window.Window) bool { return w.From <= seqNo && seqNo <= w.To })
	switch {
	case place < 0:
		return nil, examination.Missing("rejected", "The window of event %d is not in the bundle.", seqNo)
	case c == nil || c.Count <= b.Prior+int64(place):
		return nil, examination.Missing("rejected", "%s covers window %d.", which, b.windows[place].No)
	case int64(len(b.windows)) < c.Count-b.Prior:
		return nil, examination.Missing("rejected", "Window %d, the checkpoint's last, is not in the bundle.", c.Count)
	}
	w, last := &b.windows[place], &b.windows[c.Count-b.Prior-1]
	run := b.run()
	members := jsonx.Members{
		{Name: "format", Value: "svc-portable-receipt"}, {Name: "version", Value: 1},
		{Name: "receipt", Value: withPayload(object, record)}, {Name: "window", Value: alone(w)},
		{Name: "checkpoint", Value: b.withFrontier(k, c)},
		{Name: "checkpoint_inclusion", Value: jsonx.Members{
			{Name: "window_no", Value: w.No}, {Name: "window_count", Value: c.Count},
			{Name: "path", Value: values.Hexes(run.Path(k, b.Prior+int64(place), c.Count))},
		}},
		{Name: "witnesses", Value: b.witnessesOf(k, c, w)},
	}
	inclusion, ok := inclusionOf(k, w, record, events, seqNos)
	if !ok {
		return nil, examination.Missing("rejected", "The events of window %d are not all in the bundle.", w.No)
	}
	members = append(members, jsonx.Member{Name: "inclusion", Value: inclusion})
	if w != last {
		members = append(members, jsonx.Member{Name: "last_window", Value: jsonx.Members{
			{Name: "window", Value: alone(last)}, {Name: "path", Value: values.Hexes(run.Path(k, c.Count-1, c.Count))},
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
	return members, nil
}

// alone returns a window without what it shows of its events: a portable receipt is about one of them.
func alone(w *window.Window) any {
	return values.Without(w.Value, []string{"leaves", "inclusions"}, nil)
}

// withFrontier returns a checkpoint with the frontier before its first listed window, where the bundle gives it.
func (b *bundle) withFrontier(k kernel.Kernel, c *checkpoint.Checkpoint) any {
	table := &rootTable{k: k, b: b}
	frontier, ok := table.at(c.First().No - 1)
	if !ok || values.Has(c.Value, "frontier") || c.First().No == 1 {
		return c.Value
	}
	return values.Without(c.Value, nil, jsonx.Members{{Name: "frontier", Value: values.Hexes(frontier)}})
}

// withPayload returns a record of a bundle with its payload, where the bundle has it.
func withPayload(object, record jsonx.Value) any {
	id := values.Text(record, "stream_event_id")
	if entry := object.Get("payloads").Get(id); entry.Exists() {
		return values.Without(record, nil, jsonx.Members{
			{Name: "payload", Value: entry.Get("payload")}, {Name: "payload_salt", Value: entry.Get("payload_salt")},
		})
	}
	return record
}

// inclusionOf makes the inclusion of a record in its window; ok is false where the window's events are not here.
func inclusionOf(k kernel.Kernel, w *window.Window, record jsonx.Value, events []merkle.Hash, seqNos []int64) (made jsonx.Members, ok bool) {
	var leaves []merkle.Hash
	for i, seq := range seqNos {
		if w.From <= seq && seq <= w.To {
			leaves = append(leaves, k.LeafHash(events[i][:]))
		}
	}
	index := values.Number(record, "seq_no") - w.From
	if int64(len(leaves)) != w.To-w.From+1 {
		return nil, false
	}
	return jsonx.Members{
		{Name: "window_id", Value: w.Value.Get("window_id")}, {Name: "seq_no", Value: record.Get("seq_no")},
		{Name: "event_hash", Value: record.Get("event_hash")}, {Name: "leaf_hash", Value: values.Hex(leaves[index])},
		{Name: "leaf_index", Value: index}, {Name: "tree_size", Value: len(leaves)},
		{Name: "inclusion_path", Value: values.Hexes(k.ProveInclusion(leaves, int(index)))}, {Name: "window_root", Value: w.Value.Get("window_root")},
	}, true
}

// run returns the bundle's windows as leaves of the stream's tree.
func (b *bundle) run() *window.Run {
	r := &window.Run{Prior: b.Prior, Frontier: b.Frontier}
	for _, w := range b.windows {
		r.Hashes = append(r.Hashes, w.Hash)
	}
	return r
}

// witnessesOf returns the policies that a checkpoint and a window name, and the statements about the checkpoint.
func (b *bundle) witnessesOf(k kernel.Kernel, c *checkpoint.Checkpoint, w *window.Window) jsonx.Members {
	shown := b.Artifacts.Get("witnesses.json")
	named := func(list, digest string, line []byte) []any {
		out := []any{}
		for _, one := range shown.Get(list).Elements() {
			hash := values.Hex(k.Digest(line, one.Canonical()))
			if hash == values.Text(c.Value, digest) || hash == values.Text(w.Value, digest) {
				out = append(out, one)
			}
		}
		return out
	}
	statements := []any{}
	for _, one := range shown.Get("statements").Elements() {
		if values.Text(one, "checkpoint_id") == c.ID {
			statements = append(statements, one)
		}
	}
	return jsonx.Members{
		{Name: "policies", Value: named("policies", "policy_digest", witness.PolicyLine)},
		{Name: "witness_policies", Value: named("witness_policies", "witness_policy_digest", witness.WitnessPolicyLine)},
		{Name: "statements", Value: statements},
	}
}

// anchorOf returns the first mined anchor that covers a checkpoint, otherwise the first of any sort, with its members
// about that checkpoint.
func (b *bundle) anchorOf(c *checkpoint.Checkpoint) (made jsonx.Raw, ok bool) {
	var best jsonx.Value
	var members []any
	for _, one := range b.Artifacts.Get("anchors.json").Elements() {
		var own []any
		for _, member := range one.Get("members").Elements() {
			if values.Text(member, "checkpoint_hash") == c.Hash {
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
	return values.Without(best, nil, jsonx.Members{{Name: "members", Value: members}}), true
}
