package bundle

import (
	"svc.example/go/internal/examination"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/objects/checkpoint"
	"svc.example/go/internal/objects/witness"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// holdPolicies looks up the policies of both sorts that each window names.
func holdPolicies(e *examination.Exam, b *bundle) {
	const check = report.CheckPolicy
	shown := b.Artifacts.Get("witnesses.json")
	e.Ascend(check, values.Items(shown.Get("policies")), witnessesPath+"/policies", examination.ByNumber("policy_version"))
	e.Ascend(check, values.Items(shown.Get("witness_policies")), witnessesPath+"/witness_policies", examination.ByNumber("policy_version"))
	b.policies = witness.ReadBook(e.Kernel, shown)
	id := values.Text(values.First(shown.Get("policies")), "policy_id")
	if len(b.checkpoints) > 0 {
		id = values.Text(b.checkpoints[0].Value, "policy_id")
	}
	isOne := func(policy jsonx.Value, path string) {
		e.Expect(check, values.Text(policy, "policy_id") == id, report.CodePolicyChanged, path, "The policy changes along the stream.")
	}
	versions := map[string]int64{}
	for i := range b.windows {
		w := &b.windows[i]
		for _, sort := range []struct {
			name string
			book map[string]jsonx.Value
		}{{"policy_digest", b.policies.Policies}, {"witness_policy_digest", b.policies.WitnessPolicies}} {
			e.Looked(check, 1)
			path := w.Path + "/" + sort.name
			policy, ok := sort.book[values.Text(w.Value, sort.name)]
			if !e.Expect(check, ok, report.CodePolicyDigestMismatch, path, "The policy that the window names is not shown.") {
				continue
			}
			isOne(policy, path)
			version := values.Number(policy, "policy_version")
			e.Expect(check, version >= versions[sort.name], report.CodePolicyVersionDecreased, path, "An older version comes later.")
			versions[sort.name] = max(versions[sort.name], version)
		}
	}
	for _, c := range b.checkpoints {
		isOne(c.Value, c.Path+"/policy_id")
		checkpoint.HoldIndependence(e, c, b.policies)
	}
}

// examineWitnesses examines the statements and lines about the checkpoints of a bundle, and judges the newest.
func examineWitnesses(e *examination.Exam, b *bundle) {
	const check = report.CheckWitness
	statements := values.Items(b.Artifacts.At("witnesses.json", "statements"))
	path := witnessesPath + "/statements"
	e.Ascend(check, statements, path, witness.ByStatement)
	byID := map[string]*checkpoint.Cosignatures{}
	var newest *checkpoint.Cosignatures
	for _, c := range b.checkpoints {
		newest = checkpoint.ReadCosignatures(e, c, witness.KnownTo(e, b.policies.WitnessPolicies[values.Text(c.Value, "witness_policy_digest")]))
		byID[c.ID] = newest
	}
	for i, one := range statements {
		list := byID[values.Text(one, "checkpoint_id")]
		if list == nil {
			e.Fault(check, report.CodeWitnessStatementMismatch, values.At(path, i)+"/checkpoint_id",
				"The statement is about a checkpoint that is not here.")
			continue
		}
		list.AddStatement(one, values.At(path, i))
	}
	e.Settle()
	for _, list := range byID {
		e.ProveTime(list.Earliest(), list.Checkpoint.To)
	}
	if newest == nil {
		return
	}
	threshold := int64(-1)
	if policy := b.policies.WitnessPolicies[values.Text(newest.Checkpoint.Value, "witness_policy_digest")]; policy.Exists() {
		threshold = values.Number(policy, "threshold")
	}
	checkpoint.JudgeNewest(e, newest.Checkpoint, newest, threshold, path)
}
