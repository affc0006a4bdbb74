package examine

import (
	"strings"

	"svc.example/go/internal/jsonx"
	"svc.example/go/report"
)

// bundleForks examines the fork evidence of a bundle. Call it after the bundle's signatures are settled.
func (e *exam) bundleForks(b *bundle) {
	const check = report.CheckFork
	list := items(b.artifacts.Get("forks.json"))
	if len(list) == 0 {
		e.notChecked(check, "no fork evidence in the bundle")
		return
	}
	keys := e.forkKeys(b, list)
	if keys == nil {
		e.looked(check, len(list))
		return
	}
	part := newExam(e.k, e.policy, keys, 1)
	part.origin = e.origin
	counts := func(kid string, about scope) bool {
		if keys.standing(kid, about).code == "" {
			return true
		}
		for sealer := range e.sealers {
			if keys.leads(sealer, kid) {
				return true
			}
		}
		return false
	}
	var policies []jsonx.Value
	for _, c := range b.checkpoints {
		policies = append(policies, b.policies.witnessPolicies[text(c.value, "witness_policy_digest")])
	}
	witnesses := newKnownWitnesses(e, policies...)
	for i, one := range list {
		e.looked(check, 1)
		path := at(forksPath, i)
		// Evidence that names no stream is about the log of the service.
		about := scope{stream: b.stream, origin: e.origin}
		if one.Get("stream_id").Kind() == jsonx.Null {
			about = scope{service: e.serviceOrigin()}
		}
		counting := func(kid string) bool { return counts(kid, about) }
		j := part.judgeFork(one, path, false, witnesses, part.rankInBundle(text(one, "kind") == "witness", counting))
		path, isFork := e.bundleFork(b, one, j, path)
		if isFork {
			e.fault(check, report.CodeForkDetected, path, "The bundle carries evidence of a fork, and it holds.")
		} else {
			e.fault(check, report.CodeForkEvidenceInvalid, path, "The fork evidence does not hold, or convicts nobody here.")
		}
	}
}

// forkKeys reads the hints and endorsements of the bundle and of all its evidence together.
func (e *exam) forkKeys(b *bundle, list []jsonx.Value) *keyRing {
	reader := newExam(e.k, e.policy, nil, 1)
	var endorsements []jsonx.Value
	for _, one := range append([]jsonx.Value{b.value}, list...) {
		for _, hint := range one.Get("key_hints").Elements() {
			kid, key := text(hint, "kid"), unhex(text(hint, "public_key_hex"))
			if kidOf(key) != kid {
				reader.fault(report.CheckKeyEndorsements, report.CodeKidMismatch, "", "A hint is misnamed.")
			}
			reader.keys.hints[kid] = key
			reader.keys.carried = append(reader.keys.carried, kid)
		}
		endorsements = append(endorsements, items(one.Get("key_endorsements"))...)
	}
	reader.readEndorsements(endorsements, "")
	if reader.failed(report.CheckKeyEndorsements) {
		e.fault(report.CheckFork, report.CodeForkEvidenceInvalid, forksPath, "The hints and endorsements of the evidence do not hold.")
		return nil
	}
	return reader.keys
}

// bundleFork says whether evidence convicts somebody here, and the path of its problem: where in it it is wrong.
func (e *exam) bundleFork(b *bundle, evidence jsonx.Value, j *forkJudgement, path string) (at string, isFork bool) {
	switch {
	case !e.isOfStream(b, evidence):
		return path + "/stream_id", false
	case !e.isOfLog(evidence, j):
		return path + "/left", false
	case j.fault != nil:
		return j.fault.path, false
	case j.isLate:
		return j.latePath, false
	default:
		return path, true
	}
}

// isOfStream says whether evidence names the bundle's stream, or none.
func (e *exam) isOfStream(b *bundle, evidence jsonx.Value) bool {
	stream := text(evidence, "stream_id")
	return stream == "" || stream == b.stream
}

// isOfLog says whether a side that states an origin states that of the bundle, or of its service's log where the
// evidence names no stream; or whether none states one.
func (e *exam) isOfLog(evidence jsonx.Value, j *forkJudgement) bool {
	due := e.origin
	if evidence.Get("stream_id").Kind() == jsonx.Null {
		due = e.serviceOrigin()
	}
	states, isSame := false, false
	for _, side := range []*forkSide{j.left, j.right} {
		if origin, ok := side.stated(); ok {
			states = true
			isSame = isSame || origin == due
		}
	}
	return isSame || !states
}

// serviceOrigin returns the origin of the service of a bundle: that of its newest checkpoint without the stream, which
// may be another than the manifest names.
func (e *exam) serviceOrigin() string { return e.origin[:max(0, strings.LastIndexByte(e.origin, '/'))] }

// rankInBundle ranks the signers of evidence in a bundle. Both must count there: a witness that signed a side does, and
// `counts` says it of a key of the log.
func (e *exam) rankInBundle(isWitness bool, counts func(kid string) bool) forkRank {
	return func(_ *forkJudgement, left, right signer) int {
		if left.key == nil || right.key == nil || !e.isOneSigner(left, right, isWitness) {
			return 0
		}
		if !isWitness && !(counts(left.kid) && counts(right.kid)) {
			return 0
		}
		return 1
	}
}
