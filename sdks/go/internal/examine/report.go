package examine

import (
	"slices"
	"strings"

	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// Name is the verifier that a report names.
const Name = "svc-go"

// report makes the report. It is called once, last.
func (e *exam) report() *report.Report {
	e.settle()
	e.judgeDated()
	e.looked(report.CheckTrust, int(e.sealsSeen))
	areReached := !e.isDistrusted(report.CheckTrust)
	if !areReached {
		e.notChecked(report.CheckTrust, "no trust that you brought along reaches every signer")
	}
	r := &report.Report{
		Verdict: e.verdict(), Kind: e.kind, Subject: e.subject, Assurance: e.assurance(),
		Verifier: report.Verifier{Name: Name, Version: report.Version},
		Signers:  e.signers.report(), Checks: e.checks(), Problems: e.problems(),
	}
	convict(r.Problems, r.Signers)
	if sum := e.k.SHA256(); sum != "" {
		r.Verifier.KernelSHA256 = &sum
	}
	r.OK = r.Verdict == report.Verified
	e.say(r, areReached)
	return r
}

func (e *exam) verdict() report.Verdict {
	switch {
	case len(e.rejections) > 0:
		return report.Rejected
	case len(e.distrusts) > 0:
		return report.Untrusted
	default:
		return report.Verified
	}
}

func (e *exam) assurance() report.Assurance {
	isBroken := e.isBroken || e.failed(
		report.CheckJSON, report.CheckShape, report.CheckReceiptSignature, report.CheckWindowSeal,
		report.CheckCheckpointSeal, report.CheckNote, report.CheckBundleSeal, report.CheckKeyEndorsements,
		report.CheckEnvelope, report.CheckAttestation, report.CheckDisclosure,
	)
	return report.Assurance{
		Signed:   e.sealsSeen > 0 && e.missing == 0 && !isBroken,
		Included: e.isIncluded, Complete: e.isComplete, Witnessed: e.witnessed,
		Published: e.published, Anchored: e.anchored, Redacted: e.redacted, Provenance: e.provenance,
	}
}

// listOf returns the checks of the object, in order.
func (e *exam) listOf() []string {
	list := e.list
	if list == "" {
		list = string(e.kind)
	}
	checks := tables.ChecksOf(list)
	if e.policy.vaults.required == "" || slices.Contains(checks, tables.RequiredAssurance) {
		return checks
	}
	with := make([]string, 0, len(checks)+1)
	for _, check := range tables.CheckOrder {
		if check == tables.RequiredAssurance || slices.Contains(checks, check) {
			with = append(with, check)
		}
	}
	return with
}

func (e *exam) checks() []report.Check {
	var list []report.Check
	for _, id := range e.listOf() {
		check := report.Check{ID: report.CheckID(id), Status: report.NotChecked}
		t := e.tallies[check.ID]
		if t != nil {
			check.Count, check.Note = t.count, t.note
			switch {
			case t.hasFailed:
				check.Status = report.Fail
			case t.unevaluated > 0 || check.ID == report.CheckTrust && e.isTrustOpen():
				check.Status = report.CannotEvaluate
			case t.count > 0:
				check.Status = report.Pass
			}
			if check.Note == "" && check.Status != report.Fail {
				check.Note = t.found
			}
		}
		list = append(list, check)
	}
	return list
}

// isTrustOpen says whether trust was not found for a signer, or for a key that another check looks for.
func (e *exam) isTrustOpen() bool {
	return e.isDistrusted(report.CheckTrust) || slices.ContainsFunc(e.distrusts, func(one noted) bool {
		return one.finding.code == report.CodeKeyNotPinned
	})
}

// problems returns what was found, in order, at most 1000.
func (e *exam) problems() []report.Problem {
	all := slices.Concat(inOrder(slices.Clone(e.rejections)), inOrder(slices.Clone(e.distrusts)))
	// Rejections stand first in their check.
	slices.SortStableFunc(all, func(a, b noted) int { return checkRanks[string(a.check)] - checkRanks[string(b.check)] })
	placers := map[any]*placer{}
	all = all[:min(len(all), tables.MaxProblems)]
	list := make([]report.Problem, 0, len(all))
	for _, one := range all {
		list = append(list, e.problem(one, placers))
	}
	return list
}

func (e *exam) problem(one noted, placers map[any]*placer) report.Problem {
	f := one.finding
	problem := report.Problem{
		Code: f.code, Path: one.shown, SeqNo: f.seqNo, KID: f.kid,
		Message:  cut(f.message, tables.MaxTextUTF16Units),
		Expected: cut(f.expected, tables.MaxTextUTF16Units), Actual: cut(f.actual, tables.MaxTextUTF16Units),
		Action: f.action,
	}
	if problem.Action == "" {
		problem.Action = f.code.Action()
	}
	whole, path := e.value, f.path
	if one.part.Exists() {
		whole, path = one.part, one.inPart
	}
	if inManifest, ok := strings.CutPrefix(path, manifestPath); ok && !one.part.Exists() && e.manifestValue.Exists() {
		whole, path = e.manifestValue, inManifest
	}
	if whole.Exists() && !isTrustPath(path) {
		p := placers[whole]
		if p == nil {
			p = &placer{whole: whole}
			placers[whole] = p
		}
		// A path that was cut leads as far as it is shown.
		p.fill(&problem, cut(path, tables.MaxTextUTF16Units))
	}
	return problem
}

func isTrustPath(path string) bool { return len(path) >= 6 && path[:6] == "trust:" }
