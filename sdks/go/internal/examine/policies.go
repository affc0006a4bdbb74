package examine

import (
	"bytes"
	"svc.example/go/internal/jsonx"
	"svc.example/go/report"
)

// A policyBook is the policies that an object shows, by their digests in hex (protocol section 6).
type policyBook struct {
	policies, witnessPolicies map[string]jsonx.Value
}

func newPolicyBook(k digester, shown jsonx.Value) *policyBook {
	read := func(line []byte, list jsonx.Value) map[string]jsonx.Value {
		book := map[string]jsonx.Value{}
		for _, one := range list.Elements() {
			book[hexOf(k.Digest(line, one.Canonical()))] = one
		}
		return book
	}
	return &policyBook{
		read(policyLine, shown.Get("policies")), read(witnessPolicyLine, shown.Get("witness_policies")),
	}
}

// witnessPolicyFaults returns the faults of form between the members of a witness policy.
func witnessPolicyFaults(policy jsonx.Value, path string) (found []finding) {
	ids, keys := map[string]bool{}, map[string]bool{}
	isTwice := false
	for _, key := range policy.Get("witnessKeys").Elements() {
		ids[text(key, "witness_id")] = true
		public := text(key, "public_key_hex")
		isTwice = isTwice || keys[public]
		keys[public] = true
	}
	// It is one fault of the policy, whichever it is.
	switch {
	case isTwice:
		found = append(found, finding{
			code: report.CodeMalformed, path: path, message: "A public key stands twice in the witness policy.",
		})
	case number(policy, "threshold") > int64(len(ids)):
		found = append(found, finding{
			code: report.CodeMalformed, path: path, message: "The witness policy asks for more witnesses than it lists.",
		})
	}
	return found
}

// bundlePolicies looks up the policies of both sorts that each window names.
func (e *exam) bundlePolicies(b *bundle) {
	const check = report.CheckPolicy
	shown := b.artifacts.Get("witnesses.json")
	e.ascend(check, items(shown.Get("policies")), witnessesPath+"/policies", byNumber("policy_version"))
	e.ascend(check, items(shown.Get("witness_policies")), witnessesPath+"/witness_policies", byNumber("policy_version"))
	b.policies = newPolicyBook(e.k, shown)
	id := text(firstOf(shown.Get("policies")), "policy_id")
	if len(b.checkpoints) > 0 {
		id = text(b.checkpoints[0].value, "policy_id")
	}
	isOne := func(policy jsonx.Value, path string) {
		e.expect(check, text(policy, "policy_id") == id, report.CodePolicyChanged, path, "The policy changes along the stream.")
	}
	versions := map[string]int64{}
	for i := range b.windows {
		w := &b.windows[i]
		for _, sort := range []struct {
			name string
			book map[string]jsonx.Value
		}{{"policy_digest", b.policies.policies}, {"witness_policy_digest", b.policies.witnessPolicies}} {
			e.looked(check, 1)
			path := w.path + "/" + sort.name
			policy, ok := sort.book[text(w.value, sort.name)]
			if !e.expect(check, ok, report.CodePolicyDigestMismatch, path, "The policy that the window names is not shown.") {
				continue
			}
			isOne(policy, path)
			version := number(policy, "policy_version")
			e.expect(check, version >= versions[sort.name], report.CodePolicyVersionDecreased, path, "An older version stands later.")
			versions[sort.name] = max(versions[sort.name], version)
		}
	}
	for _, c := range b.checkpoints {
		isOne(c.value, c.path+"/policy_id")
		e.isIndependent(c, b.policies)
	}
}

// isIndependent holds the key that sealed a checkpoint against the witnesses of its policy.
func (e *exam) isIndependent(c *checkpoint, book *policyBook) {
	policy := book.witnessPolicies[text(c.value, "witness_policy_digest")]
	own := e.keys.publicKey(c.kid)
	for _, key := range policy.Get("witnessKeys").Elements() {
		// Without the sealing key nothing is said of it.
		if own != nil && bytes.Equal(unhex(text(key, "public_key_hex")), own) {
			e.fault(report.CheckPolicy, report.CodeWitnessNotIndependent, c.path+"/witness_policy_digest",
				"The key that sealed the checkpoint is a witness of its policy.")
			return
		}
	}
}

// bundleWitnesses examines the statements and lines about the checkpoints of a bundle, and judges the newest.
func (e *exam) bundleWitnesses(b *bundle) {
	const check = report.CheckWitness
	statements := items(b.artifacts.At("witnesses.json", "statements"))
	path := witnessesPath + "/statements"
	e.ascend(check, statements, path, byStatement)
	byID := map[string]*cosignatures{}
	var newest *cosignatures
	for _, c := range b.checkpoints {
		newest = e.cosignatures(c, newKnownWitnesses(e, b.policies.witnessPolicies[text(c.value, "witness_policy_digest")]))
		byID[c.id] = newest
	}
	for i, one := range statements {
		list := byID[text(one, "checkpoint_id")]
		if list == nil {
			e.fault(check, report.CodeWitnessStatementMismatch, at(path, i)+"/checkpoint_id",
				"The statement is about a checkpoint that is not here.")
			continue
		}
		list.statement(one, at(path, i))
	}
	e.settle()
	for _, list := range byID {
		e.proveTime(list.earliest(), list.c.to)
	}
	if newest == nil {
		return
	}
	threshold := int64(-1)
	if policy := b.policies.witnessPolicies[text(newest.c.value, "witness_policy_digest")]; policy.Exists() {
		threshold = number(policy, "threshold")
	}
	e.newest(newest.c, newest, threshold, path)
}

// byStatement orders statements by window_count, witness_id and key_epoch.
func byStatement(before, after jsonx.Value) int {
	if order := byNumber("window_count")(before, after); order != 0 {
		return order
	}
	if order := before.Get("witness_id").Compare(after.Get("witness_id")); order != 0 {
		return order
	}
	return byNumber("key_epoch")(before, after)
}
