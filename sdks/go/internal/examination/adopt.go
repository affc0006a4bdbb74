package examination

import "svc.example/go/report"

// TakeOver takes over a rejection of a part.
func (e *Exam) TakeOver(check report.CheckID, one Noted) {
	e.Tally(check).hasFailed = true
	e.Rejections = append(e.Rejections, one)
}

// Adopt takes over everything that a part has noted; its paths are below `base`. Call it after the part's report.
func (e *Exam) Adopt(part *Exam, base string) {
	move := func(one Noted) Noted {
		if !isTrustPath(one.Finding.Path) {
			if !one.Part.Exists() {
				one.Part, one.InPart = part.Value, one.Finding.Path
			}
			one.Finding.Path = base + one.Finding.Path
		}
		return one
	}
	for _, one := range part.Rejections {
		e.Rejections = append(e.Rejections, move(one))
	}
	for check, t := range part.tallies {
		own := e.Tally(check)
		own.hasFailed = own.hasFailed || t.hasFailed
		if check != report.CheckTrust {
			own.Count += t.Count
			own.unevaluated += t.unevaluated
		}
		if own.Note == "" && check != report.CheckTrust {
			own.Note = t.Note
		}
		if own.Found == "" {
			own.Found = t.Found
		}
	}
	e.AdoptSigners(part, move)
	e.isBroken = e.isBroken || part.isBroken
	e.Levels = append(e.Levels, part.Levels...)
}

// AdoptSigners takes over how trust reaches the signers of a part.
func (e *Exam) AdoptSigners(part *Exam, move func(Noted) Noted) {
	for _, one := range part.distrusts {
		key := string(one.Finding.Code) + " " + one.subject
		if !e.distrusted[key] {
			e.distrusted[key] = true
			e.distrusts = append(e.distrusts, move(one))
		}
	}
	e.Signers.adopt(&part.Signers)
	e.SealsSeen += part.SealsSeen
	e.Missing += part.Missing
}
