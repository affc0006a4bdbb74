package examine

import (
	"strings"

	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// say writes the sentences of a report: all whose conditions it meets.
func (e *exam) say(r *report.Report, areReached bool) {
	values := dimensions(r, areReached, e.missing > 0, e.sealsSeen > 0)
	fill := placeholders(r)
	r.Proves = sentences(tables.Proves, values, fill)
	r.DoesNotProve = sentences(tables.DoesNotProve, values, fill)
}

// sentences fills in placeholders, each followed by its text. No text has a brace.
func sentences(all []tables.Sentence, values map[string]string, fill []string) []string {
	said := []string{}
	for _, one := range tables.Say(all, tables.Dimensions, values) {
		for i := 0; i < len(fill); i += 2 {
			one = strings.ReplaceAll(one, fill[i], fill[i+1])
		}
		said = append(said, one)
	}
	return said
}

func some(is bool) string {
	if is {
		return "some"
	}
	return "none"
}

func choice(is bool, yes, no string) string {
	if is {
		return yes
	}
	return no
}

// dimensions returns the sides of a report on which sentences depend.
func dimensions(r *report.Report, areReached, isUnchecked, isSealed bool) map[string]string {
	a := &r.Assurance
	values := map[string]string{
		"kind":       string(r.Kind),
		"verdict":    string(r.Verdict),
		"signers":    choice(areReached, "reached", "not_reached"),
		"signatures": choice(isUnchecked, "unchecked", "checked"),
		"seals":      some(isSealed),
		"id":         some(r.Subject.ID != nil),
		"stream_id":  some(r.Subject.StreamID != ""),
		"to_seq_no":  some(r.Subject.ToSeqNo != 0),
		"signed":     choice(a.Signed, "true", "false"),
		"included":   choice(a.Included, "true", "false"),
		"redacted":   itoa(a.Redacted),
		"valid":      itoa(a.Witnessed.Valid),
		"pinned":     itoa(a.Witnessed.Pinned),
		"published":  a.Published,
		"anchored":   a.Anchored,
		"provenance": some(a.Provenance != nil),
	}
	if r.Kind == "" {
		values["kind"] = "none"
	}
	if p := a.Provenance; p != nil {
		values["installations"] = itoa(p.Installations)
		values["vault_chain"] = p.VaultChain
		values["vault_keys"] = p.VaultKeys
		values["unknown"] = itoa(p.Claimed.Unknown)
		values["substantiated_by"] = p.SubstantiatedBy
		values["key_custody"] = p.KeyCustody
		values["software_root"] = choice(p.SoftwareRoot, "true", "false")
	}
	return values
}

func placeholders(r *report.Report) []string {
	a := &r.Assurance
	pairs := []string{
		"{from_seq_no}", itoa(r.Subject.FromSeqNo), "{to_seq_no}", itoa(r.Subject.ToSeqNo),
		"{redacted}", itoa(a.Redacted), "{valid}", itoa(a.Witnessed.Valid), "{pinned}", itoa(a.Witnessed.Pinned),
	}
	if p := a.Provenance; p != nil {
		var levels []string
		for _, one := range []struct {
			count int64
			level string
		}{{p.Effective.L0, "L0"}, {p.Effective.L1, "L1"}, {p.Effective.L2, "L2"}, {p.Effective.L3, "L3"}} {
			if one.count > 0 {
				levels = append(levels, itoa(one.count)+" at "+one.level)
			}
		}
		pairs = append(pairs, "{installations}", itoa(p.Installations), "{unknown}", itoa(p.Claimed.Unknown),
			"{levels}", strings.Join(levels, ", "))
	}
	return pairs
}
