package examination

import (
	"slices"
	"strings"

	"svc.example/go/internal/tables"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// Name is the verifier that a report names.
const Name = "svc-go"

// Report makes the report. It is called once, last.
func (e *Exam) Report() *report.Report {
	e.Settle()
	e.JudgeDated()
	e.Looked(report.CheckTrust, int(e.SealsSeen))
	areReached := !e.isDistrusted(report.CheckTrust)
	if !areReached {
		e.NotChecked(report.CheckTrust, "no trust that you brought along reaches every signer")
	}
	r := &report.Report{
		Verdict: e.Verdict(), Kind: e.Kind, Subject: e.Subject, Assurance: e.assurance(),
		Verifier: report.Verifier{Name: Name, Version: report.Version},
		Signers:  e.Signers.report(), Checks: e.checks(), Problems: e.Problems(),
	}
	convict(r.Problems, r.Signers)
	if sum := e.Kernel.SHA256(); sum != "" {
		r.Verifier.KernelSHA256 = &sum
	}
	r.OK = r.Verdict == report.Verified
	e.Say(r, areReached)
	return r
}

// Verdict returns the verdict on what was found so far.
func (e *Exam) Verdict() report.Verdict {
	switch {
	case len(e.Rejections) > 0:
		return report.Rejected
	case len(e.distrusts) > 0:
		return report.Untrusted
	default:
		return report.Verified
	}
}

func (e *Exam) assurance() report.Assurance {
	isBroken := e.isBroken || e.Failed(
		report.CheckJSON, report.CheckShape, report.CheckReceiptSignature, report.CheckWindowSeal,
		report.CheckCheckpointSeal, report.CheckNote, report.CheckBundleSeal, report.CheckKeyEndorsements,
		report.CheckEnvelope, report.CheckAttestation, report.CheckDisclosure,
	)
	return report.Assurance{
		Signed:   e.SealsSeen > 0 && e.Missing == 0 && !isBroken,
		Included: e.IsIncluded, Complete: e.IsComplete, Witnessed: e.Witnessed,
		Published: e.Published, Anchored: e.Anchored, Redacted: e.Redacted, Provenance: e.Provenance,
	}
}

// listOf returns the checks of the object, in order.
func (e *Exam) listOf() []string {
	list := e.List
	if list == "" {
		list = string(e.Kind)
	}
	checks := tables.ChecksOf(list)
	if e.Policy.Vaults.Required == "" || slices.Contains(checks, tables.RequiredAssurance) {
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

func (e *Exam) checks() []report.Check {
	var list []report.Check
	for _, id := range e.listOf() {
		check := report.Check{ID: report.CheckID(id), Status: report.NotChecked}
		t := e.tallies[check.ID]
		if t != nil {
			check.Count, check.Note = t.Count, t.Note
			switch {
			case t.hasFailed:
				check.Status = report.Fail
			case t.unevaluated > 0 || check.ID == report.CheckTrust && e.isTrustOpen():
				check.Status = report.CannotEvaluate
			case t.Count > 0:
				check.Status = report.Pass
			}
			if check.Note == "" && check.Status != report.Fail {
				check.Note = t.Found
			}
		}
		list = append(list, check)
	}
	return list
}

// isTrustOpen says whether trust was not found for a signer, or for a key that another check looks for.
func (e *Exam) isTrustOpen() bool {
	return e.isDistrusted(report.CheckTrust) || slices.ContainsFunc(e.distrusts, func(one Noted) bool {
		return one.Finding.Code == report.CodeKeyNotPinned
	})
}

// Problems returns what was found, in order, at most 1000.
func (e *Exam) Problems() []report.Problem {
	all := slices.Concat(inOrder(slices.Clone(e.Rejections)), inOrder(slices.Clone(e.distrusts)))
	// Rejections stand first in their check.
	slices.SortStableFunc(all, func(a, b Noted) int { return checkRanks[string(a.check)] - checkRanks[string(b.check)] })
	placers := map[any]*placer{}
	all = all[:min(len(all), tables.MaxProblems)]
	list := make([]report.Problem, 0, len(all))
	for _, one := range all {
		list = append(list, e.problem(one, placers))
	}
	return list
}

func (e *Exam) problem(one Noted, placers map[any]*placer) report.Problem {
	f := one.Finding
	problem := report.Problem{
		Code: f.Code, Path: one.shown, SeqNo: f.SeqNo, KID: f.KID,
		Message:  values.Cut(f.Message, tables.MaxTextUTF16Units),
		Expected: values.Cut(f.Expected, tables.MaxTextUTF16Units), Actual: values.Cut(f.Actual, tables.MaxTextUTF16Units),
		Action: f.Action,
	}
	if problem.Action == "" {
		problem.Action = f.Code.Action()
	}
	whole, path := e.Value, f.Path
	if one.Part.Exists() {
		whole, path = one.Part, one.InPart
	}
	if inInner, ok := strings.CutPrefix(path, e.InnerPath); ok && !one.Part.Exists() && e.Inner.Exists() {
		whole, path = e.Inner, inInner
	}
	if whole.Exists() && !isTrustPath(path) {
		p := placers[whole]
		if p == nil {
			p = &placer{whole: whole}
			placers[whole] = p
		}
		// A path that was cut leads as far as it is shown.
		p.fill(&problem, values.Cut(path, tables.MaxTextUTF16Units))
	}
	return problem
}

func isTrustPath(path string) bool { return len(path) >= 6 && path[:6] == "trust:" }
