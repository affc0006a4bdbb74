package render

import (
	"slices"
	"strconv"
	"strings"

	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// A page is what the words of one report depend on: the report, whose texts are escaped, and its reader.
type page struct {
	report *report.Report
	reader *Reader
}

// say returns the sentences whose conditions the report meets.
func (p *page) say(list []tables.Sentence, values map[string]string, pairs ...string) []string {
	said := tables.Say(list, tables.WordDimensions, values)
	fill := strings.NewReplacer(pairs...)
	for i, one := range said {
		said[i] = fill.Replace(one)
	}
	return said
}

func choice(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

// values returns the sides of the report on which the words depend.
func (p *page) values() map[string]string {
	r := p.report
	a := &r.Assurance
	values := map[string]string{
		"verdict": string(r.Verdict), "signed": strconv.FormatBool(a.Signed), "included": strconv.FormatBool(a.Included),
		"complete": strconv.FormatBool(a.Complete), "published": a.Published, "anchored": a.Anchored,
		"required": number(a.Witnessed.Required), "valid": number(a.Witnessed.Valid), "pinned": number(a.Witnessed.Pinned),
		"own_witness_only": strconv.FormatBool(strings.HasPrefix(checkOf(r, report.CheckWitness).Note, tables.OwnWitnessNote)),
		"provenance":       choice(a.Provenance != nil, "some", "none"),
		"level_note":       choice(checkOf(r, report.CheckAssurance).Note != "", "some", "none"),
		"trust_status":     trustStatus(checkOf(r, report.CheckTrust).Status),
		"form_status":      choice(isOfWrongForm(r), "fail", "pass"),
		"signers":          p.signers(),
		"part_reached":     strconv.FormatBool(isPartReached(r)),
		"pins":             number(int64(len(p.reader.kids()))),
		"pin_named":        strconv.FormatBool(p.pinName() != ""),
		"range":            rangeOf(&r.Subject),
		"stream_id":        choice(r.Subject.StreamID != "", "some", "none"),
		"origin":           choice(originOf(&r.Subject) != "", "some", "none"),
		"received":         choice(stretchOf(r.Subject.FromReceivedAt, r.Subject.ToReceivedAt) != "", "some", "none"),
		"known_in_policy":  strconv.FormatBool(p.knownWindows() > 0),
		"problem":          "other",
		"problem_kid":      "none",
	}
	if r.Kind != "" {
		values["kind"] = string(r.Kind)
	}
	seal := checkOf(r, report.CheckBundleSeal).Status
	values["bundle_seal"] = choice(seal == "" || seal == report.NotChecked, "not_checked", "pass")
	values["known_checkpoints"] = "0"
	if known := checkOf(r, report.CheckKnownCheckpoint); known.Status == report.Pass {
		values["known_checkpoints"] = choice(known.Note != "", "part", number(known.Count))
	}
	values["vault_key_unknown"] = "false"
	for i, one := range r.Problems {
		if one.Code == report.CodeKeyNotPinned && one.KID == "" {
			values["vault_key_unknown"] = "true"
		}
		if i == 0 {
			values["problem"] = choice(tables.IsDistrust(string(one.Code)), string(one.Code), "other")
			if p.slip() != "" {
				values["problem"] = "key_nearly_pinned"
			}
			values["problem_kid"] = choice(one.KID != "", "some", "none")
		}
	}
	if v := a.Provenance; v != nil {
		values["installations"], values["vault_chain"], values["vault_keys"] = number(v.Installations), v.VaultChain, v.VaultKeys
		values["substantiated_by"], values["key_custody"] = v.SubstantiatedBy, v.KeyCustody
		values["software_root"] = strconv.FormatBool(v.SoftwareRoot)
	}
	return values
}

// isPartReached says whether trust reaches a key that sealed a part. Vaults and witnesses seal nothing that a service
// records.
func isPartReached(r *report.Report) bool {
	return slices.ContainsFunc(r.Signers, func(one report.Signer) bool {
		return one.Reached != report.None && one.Role != report.RoleVault && one.Role != report.RoleWitness
	})
}

// signers returns the dimension of who signed.
func (p *page) signers() string {
	if p.reader.gaveFingerprint(p.report) {
		return "fingerprint_pinned"
	}
	told, untold := p.strangers()
	all := Signers(p.report)
	switch {
	case len(all) == 0:
		return "none"
	case len(told)+len(untold) == 0:
		return "reached"
	case len(told) == 0:
		return "untold"
	}
	name := choice(len(told) == 1, "stranger", "strangers")
	return name + choice(len(untold) > 0, "_and_untold", "")
}

// strangers returns the fingerprints of signers whom no trust reaches, and the kids of those whose key nobody gave.
func (p *page) strangers() (told, untold []string) {
	for _, one := range Signers(p.report) {
		switch {
		case one.Reached != report.None:
		case one.Fingerprint != nil:
			told = append(told, *one.Fingerprint)
		default:
			untold = append(untold, one.KID)
		}
	}
	return told, untold
}

// slip returns the hexadecimal digits in which a pinned key differs from the file's; empty where it is not nearly the
// same.
func (p *page) slip() string {
	if len(p.report.Problems) == 0 || p.report.Problems[0].Code != report.CodeKeyNotPinned {
		return ""
	}
	one := p.report.Problems[0]
	var digits []string
	for i := range one.Expected {
		if i >= len(one.Actual) || one.Expected[i] != one.Actual[i] {
			digits = append(digits, strconv.Itoa(i+1))
		}
	}
	switch len(digits) {
	case 0:
		return ""
	case 1:
		return "digit " + digits[0]
	default:
		return "digits " + strings.Join(digits, " and ")
	}
}

// pinName returns the reader's name for the only pinned key; empty without exactly one.
func (p *page) pinName() string {
	if kids := p.reader.kids(); len(kids) == 1 {
		return Escape(p.reader.Names[kids[0]])
	}
	return ""
}

// knownWindows returns the most windows of the known checkpoints of the subject's stream; 0 for none.
func (p *page) knownWindows() (most int64) {
	for _, one := range p.reader.Known {
		if one.StreamID == p.report.Subject.StreamID && one.StreamID != "" {
			most = max(most, one.WindowCount)
		}
	}
	return most
}

func rangeOf(s *report.Subject) string {
	switch {
	case s.ToSeqNo == 0:
		return "none"
	case s.FromSeqNo == s.ToSeqNo:
		return "one_event"
	case s.FromSeqNo == 0:
		return "up_to"
	default:
		return "several"
	}
}

func isOfWrongForm(r *report.Report) bool {
	return checkOf(r, report.CheckJSON).Status == report.Fail || checkOf(r, report.CheckShape).Status == report.Fail
}

// holding returns what holds, counted: 9 payloads, 3 window roots.
func (p *page) holding() (held []string) {
	for _, row := range tables.Counted {
		check := checkOf(p.report, report.CheckID(row.Check))
		count := int64(0)
		switch {
		case check.Status == report.Pass:
			count = check.Count
		case check.Status == report.Fail && check.ID == report.CheckPayloadHash:
			count = check.Count
			for _, one := range p.report.Problems {
				if one.Code == report.CodePayloadHashMismatch {
					count--
				}
			}
		}
		if count > 0 {
			held = append(held, Counted(count, row.One, row.Many))
		}
	}
	return held
}

// heldIn returns the dimension held, and the text in its place.
func heldIn(held []string) (dimension, text string) {
	text = strings.Join(held, ", ")
	switch {
	case len(held) == 0:
		return "0", text
	case len(held) == 1 && strings.HasPrefix(text, "1 "):
		return "1", text
	default:
		return "more", text
	}
}

// details returns the subject of the verdict and its findings, for the lines below the object's name.
func (p *page) details() []string {
	s := &p.report.Subject
	values := p.values()
	if p.report.Verdict == report.Rejected {
		// A rejected object shows no time, and nothing is said of its signers.
		values = map[string]string{
			"verdict": "untrusted", "complete": "false", "range": values["range"], "stream_id": values["stream_id"],
			"origin": values["origin"], "received": "none",
		}
	}
	text := map[string]string{"one_event": "event " + number(s.ToSeqNo), "up_to": "up to event " + number(s.ToSeqNo)}[rangeOf(s)]
	if text == "" {
		text = "events " + number(s.FromSeqNo) + " to " + number(s.ToSeqNo)
	}
	return p.say(tables.Details, values,
		"{range}", groupedIn(text), "{stream_id}", s.StreamID, "{origin}", originOf(s), "{name}", p.pinName(),
		"{received}", stretchOf(s.FromReceivedAt, s.ToReceivedAt), "{sealed_by}", p.sealedBy(),
		"{count}", Grouped(checkOf(p.report, report.CheckKnownCheckpoint).Count),
		"{slip}", p.slip(), "{known_note}", checkOf(p.report, report.CheckKnownCheckpoint).Note,
		"{windows}", Counted(p.knownWindows(), "window", "windows"))
}

// sealedBy returns who sealed the object, by the reader's names.
func (p *page) sealedBy() string {
	all := Signers(p.report)
	var said []string
	for _, one := range all[:min(len(all), tables.ShownKeys)] {
		values := map[string]string{
			"from_link": "false", "role": choice(one.Role == report.RoleVault, "vault", "other"),
			"reached":    choice(one.Reached == report.Pinned, "pinned", "endorsed"),
			"provenance": choice(p.report.Assurance.Provenance != nil, "some", "none"),
		}
		for _, text := range p.say(tables.SealedBy, values, "{key}", p.reader.NameOf(one.KID)) {
			if len(said) > 0 {
				text = strings.TrimPrefix(text, "sealed by ")
			}
			said = append(said, text)
		}
	}
	if more := len(all) - tables.ShownKeys; more > 0 {
		said = append(said, number(int64(more))+" more")
	}
	return strings.Join(said, ", and ")
}

// whoseKey returns what to think of a signer that trust does not reach, one paragraph for each point.
func (p *page) whoseKey() []string {
	told, untold := p.strangers()
	told, untold = told[:min(len(told), tables.ShownKeys)], untold[:min(len(untold), tables.ShownKeys)]
	groups := make([]string, 0, len(told))
	for _, one := range told {
		groups = append(groups, inGroups(one))
	}
	return p.say(tables.WhoseKey, p.values(), "{fingerprints}", strings.Join(groups, ", and "),
		"{kid}", strings.Join(untold, ", "), "{needed_object}", tables.NeedsSignedObject[string(p.report.Kind)])
}

// whatHolds returns what holds in a rejected object all the same; empty if there is nothing to say.
func (p *page) whatHolds() string {
	values := p.values()
	dimension, text := heldIn(p.holding())
	values["held"] = dimension
	values["signatures_held"] = strconv.FormatBool(strings.Contains(text, "signature"))
	return strings.Join(p.say(tables.WhatHolds, values, "{held}", text), " ")
}

// A note is what a check says beside its status.
type note struct{ name, text string }

// notes returns the notes of checks. `isFound` asks for what they found; otherwise they say what was not looked at.
func (p *page) notes(isFound bool) (list []note) {
	if isOfWrongForm(p.report) {
		return nil
	}
	for _, one := range p.report.Checks {
		tells := isTelling(&one)
		misses := one.ID != report.CheckAssurance && one.Note != tables.NoProofsNeededNote
		if one.Note != "" && ((isFound && tells) || (!isFound && !tells && misses)) {
			list = append(list, note{tables.CheckNames[string(one.ID)], one.Note})
		}
	}
	return list
}

func trustStatus(s report.Status) string {
	if s == report.Pass || s == report.CannotEvaluate {
		return string(s)
	}
	return "other"
}

func isTelling(c *report.Check) bool {
	tells := slices.Contains(tables.Telling, string(c.ID)) ||
		(c.ID == report.CheckProvider && strings.HasPrefix(c.Note, "presented_mismatch_observed"))
	isMade := c.Status == report.Pass || c.Status == report.Fail || (c.ID == report.CheckVaultKey && c.Status != report.NotChecked)
	return tells && isMade
}

// originOf returns the origin of a subject; empty where nothing states it.
func originOf(s *report.Subject) string {
	if s.Origin == nil {
		return ""
	}
	return *s.Origin
}
