package examination

import (
	"strings"

	"svc.example/go/internal/tables"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// Say writes the sentences of a report: all whose conditions it meets.
func (e *Exam) Say(r *report.Report, areReached bool) {
	values := dimensions(r, areReached, e.Missing > 0, e.SealsSeen > 0)
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

// dimensions returns the sides of a report on which sentences depend.
func dimensions(r *report.Report, areReached, isUnchecked, isSealed bool) map[string]string {
	a := &r.Assurance
	sides := map[string]string{
		"kind":       string(r.Kind),
		"verdict":    string(r.Verdict),
		"signers":    values.Choice(areReached, "reached", "not_reached"),
		"signatures": values.Choice(isUnchecked, "unchecked", "checked"),
		"seals":      some(isSealed),
		"id":         some(r.Subject.ID != nil),
		"stream_id":  some(r.Subject.StreamID != ""),
		"to_seq_no":  some(r.Subject.ToSeqNo != 0),
		"signed":     values.Choice(a.Signed, "true", "false"),
		"included":   values.Choice(a.Included, "true", "false"),
		"redacted":   values.Itoa(a.Redacted),
		"valid":      values.Itoa(a.Witnessed.Valid),
		"pinned":     values.Itoa(a.Witnessed.Pinned),
		"published":  a.Published,
		"anchored":   a.Anchored,
		"provenance": some(a.Provenance != nil),
	}
	if r.Kind == "" {
		sides["kind"] = "none"
	}
	if p := a.Provenance; p != nil {
		sides["installations"] = values.Itoa(p.Installations)
		sides["vault_chain"] = p.VaultChain
		sides["vault_keys"] = p.VaultKeys
		sides["unknown"] = values.Itoa(p.Claimed.Unknown)
		sides["substantiated_by"] = p.SubstantiatedBy
		sides["key_custody"] = p.KeyCustody
		sides["software_root"] = values.Choice(p.SoftwareRoot, "true", "false")
	}
	return sides
}

func placeholders(r *report.Report) []string {
	a := &r.Assurance
	pairs := []string{
		"{from_seq_no}", values.Itoa(r.Subject.FromSeqNo), "{to_seq_no}", values.Itoa(r.Subject.ToSeqNo),
		"{redacted}", values.Itoa(a.Redacted), "{valid}", values.Itoa(a.Witnessed.Valid), "{pinned}", values.Itoa(a.Witnessed.Pinned),
	}
	if p := a.Provenance; p != nil {
		var levels []string
		for _, one := range []struct {
			count int64
			level string
		}{{p.Effective.L0, "L0"}, {p.Effective.L1, "L1"}, {p.Effective.L2, "L2"}, {p.Effective.L3, "L3"}} {
			if one.count > 0 {
				levels = append(levels, values.Itoa(one.count)+" at "+one.level)
			}
		}
		pairs = append(pairs, "{installations}", values.Itoa(p.Installations), "{unknown}", values.Itoa(p.Claimed.Unknown),
			"{levels}", strings.Join(levels, ", "))
	}
	return pairs
}
