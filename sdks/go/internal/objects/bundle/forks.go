package bundle

import (
	"strings"

	"svc.example/go/internal/examination"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/objects/fork"
	"svc.example/go/internal/objects/witness"
	"svc.example/go/internal/trust"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// examineForks examines the fork evidence of a bundle. Call it after the bundle's signatures are settled.
func examineForks(e *examination.Exam, b *bundle) {
	const check = report.CheckFork
	list := values.Items(b.Artifacts.Get("forks.json"))
	if len(list) == 0 {
		e.NotChecked(check, "no fork evidence in the bundle")
		return
	}
	keys := forkKeys(e, b, list)
	if keys == nil {
		e.Looked(check, len(list))
		return
	}
	part := examination.New(e.Kernel, e.Policy, keys, 1)
	part.Origin = e.Origin
	counts := func(kid string, about trust.Scope) bool {
		if keys.Standing(kid, about).Code == "" {
			return true
		}
		for sealer := range e.Sealers {
			if keys.Leads(sealer, kid) {
				return true
			}
		}
		return false
	}
	var policies []jsonx.Value
	for _, c := range b.checkpoints {
		policies = append(policies, b.policies.WitnessPolicies[values.Text(c.Value, "witness_policy_digest")])
	}
	witnesses := witness.KnownTo(e, policies...)
	for i, one := range list {
		e.Looked(check, 1)
		path := values.At(forksPath, i)
		// Evidence that names no stream is about the log of the service.
		about := trust.Scope{Stream: b.Stream, Origin: e.Origin}
		if one.Get("stream_id").Kind() == jsonx.Null {
			about = trust.Scope{Service: serviceOrigin(e)}
		}
		counting := func(kid string) bool { return counts(kid, about) }
		j := fork.Judge(part, one, path, false, witnesses, fork.RankIf(part, values.Text(one, "kind") == "witness", counting))
		path, isFork := convicts(e, b, one, j, path)
		if isFork {
			e.Fault(check, report.CodeForkDetected, path, "The bundle carries evidence of a fork, and it holds.")
		} else {
			e.Fault(check, report.CodeForkEvidenceInvalid, path, "The fork evidence does not hold, or convicts nobody here.")
		}
	}
}

// forkKeys reads the hints and endorsements of the bundle and of all its evidence together.
func forkKeys(e *examination.Exam, b *bundle, list []jsonx.Value) *trust.KeyRing {
	reader := examination.New(e.Kernel, e.Policy, nil, 1)
	var endorsements []jsonx.Value
	for _, one := range append([]jsonx.Value{b.Value}, list...) {
		for _, hint := range one.Get("key_hints").Elements() {
			kid, key := values.Text(hint, "kid"), values.Unhex(values.Text(hint, "public_key_hex"))
			if values.KID(key) != kid {
				reader.Fault(report.CheckKeyEndorsements, report.CodeKidMismatch, "", "A hint is misnamed.")
			}
			reader.Keys.Hints[kid] = key
			reader.Keys.Carried = append(reader.Keys.Carried, kid)
		}
		endorsements = append(endorsements, values.Items(one.Get("key_endorsements"))...)
	}
	reader.ReadEndorsements(endorsements, "")
	if reader.Failed(report.CheckKeyEndorsements) {
		e.Fault(report.CheckFork, report.CodeForkEvidenceInvalid, forksPath, "The hints and endorsements of the evidence do not hold.")
		return nil
	}
	return reader.Keys
}

// convicts says whether evidence convicts somebody here, and the path of its problem: where in it it is wrong.
func convicts(e *examination.Exam, b *bundle, evidence jsonx.Value, j *fork.Judgement, path string) (at string, isFork bool) {
	switch {
	case !isOfStream(b, evidence):
		return path + "/stream_id", false
	case !isOfLog(e, evidence, j):
		return path + "/left", false
	case j.Fault != nil:
		return j.Fault.Path, false
	case j.IsLate:
		return j.LatePath, false
	default:
		return path, true
	}
}

// isOfStream says whether evidence names the bundle's stream, or none.
func isOfStream(b *bundle, evidence jsonx.Value) bool {
	stream := values.Text(evidence, "stream_id")
	return stream == "" || stream == b.Stream
}

// isOfLog says whether a side that states an origin states that of the bundle, or of its service's log where the
// evidence names no stream; or whether none states one.
func isOfLog(e *examination.Exam, evidence jsonx.Value, j *fork.Judgement) bool {
	due := e.Origin
	if evidence.Get("stream_id").Kind() == jsonx.Null {
		due = serviceOrigin(e)
	}
	states, isSame := false, false
	for _, side := range []*fork.Side{j.Left, j.Right} {
		if origin, ok := side.Stated(); ok {
			states = true
			isSame = isSame || origin == due
		}
	}
	return isSame || !states
}

// serviceOrigin returns the origin of the service of a bundle: that of its newest checkpoint without the stream, which
// may be another than the manifest names.
func serviceOrigin(e *examination.Exam) string {
	return e.Origin[:max(0, strings.LastIndexByte(e.Origin, '/'))]
}
