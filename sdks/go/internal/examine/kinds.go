package examine

import (
	"sync"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// forms holds how the objects of each kind are examined, the usual form first.
func formsOf(kind report.Kind) []*form {
	switch kind {
	case report.KindReceipt:
		return []*form{{schema: "receipt-record", examine: (*exam).receipt}}
	case report.KindStream:
		return []*form{{schema: "stream", examine: (*exam).stream}}
	case report.KindWindow:
		return []*form{{schema: "window", faults: windowFaults, examine: (*exam).loneWindow}}
	case report.KindInclusion:
		return []*form{{schema: "inclusion", examine: (*exam).loneInclusion}}
	case report.KindCheckpoint:
		return []*form{{schema: "checkpoint", faults: checkpointFaults, examine: (*exam).loneCheckpoint}}
	case report.KindConsistency:
		return []*form{
			{schema: "consistency", faults: consistencyFaults, examine: (*exam).consistency},
			{schema: "anchor-consistency", list: "anchor-consistency", examine: (*exam).anchorConsistency},
		}
	case report.KindWitness:
		return []*form{{schema: "witness-statement", examine: (*exam).loneStatement}}
	case report.KindAnchor:
		return []*form{{schema: "anchor", examine: (*exam).loneAnchor}}
	case report.KindBundle:
		return []*form{{schema: "bundle", list: "bundle", faults: bundleFaults, examine: (*exam).bundle}}
	case report.KindPortableReceipt:
		return []*form{{schema: "portable-receipt", faults: portableFaults, examine: (*exam).portableReceipt}}
	case report.KindFork:
		return []*form{{schema: "fork", faults: forkFaults, examine: (*exam).loneFork}}
	case report.KindIVCEpoch:
		return []*form{{schema: "ivc-epoch", faults: ivcFaults, examine: (*exam).ivcEpoch}}
	case report.KindProviderResult:
		return []*form{
			{schema: "provider-result", examine: (*exam).loneResult},
			{schema: "earlier-provider-result", examine: (*exam).loneResult},
		}
	case report.KindVaultAttestation:
		return []*form{{schema: "vault-attestation", faults: attestationFaults, examine: (*exam).loneAttestation}}
	case report.KindDisclosure:
		return []*form{{schema: "disclosure", faults: disclosureFaults, examine: (*exam).disclosure}}
	case report.KindEnvelope:
		return []*form{{schema: "envelope", faults: envelopeFaults, examine: (*exam).loneEnvelope}}
	case report.KindKeyStatus:
		return []*form{{schema: "key-status", faults: loneStatusFaults, examine: (*exam).loneKeyStatus}}
	case report.KindProvenanceInclusion:
		return []*form{
			{schema: "shown-provenance-inclusion", faults: shownInclusionFaults, examine: (*exam).shownInclusion},
			{schema: "provenance-inclusion", examine: (*exam).provenanceInclusion},
		}
	case report.KindKey:
		return []*form{{schema: "key-endorsement", examine: (*exam).loneEndorsement}}
	}
	return nil
}

// formOf finds the kind of an object, unless one was asked for, and its form. It rejects what is of no kind.
func (e *exam) formOf(object jsonx.Value) *form {
	if e.kind == "" {
		e.kind = KindOf(object)
	}
	if e.kind == "" {
		code := report.CodeMalformed
		if object.Kind() == jsonx.Object {
			code = report.CodeUnsupportedObject
		}
		e.fault(report.CheckShape, code, "", "It is of no kind of evidence.")
		return nil
	}
	row := tables.KindOf(string(e.kind))
	forms := formsOf(e.kind)
	if forms == nil {
		e.fault(report.CheckShape, report.CodeUnsupportedObject, "", "This verifier does not examine objects of this kind.")
		return nil
	}
	if len(row.Marks) > 0 && object.Kind() == jsonx.Object && !isMarked(row, object) {
		e.fault(report.CheckShape, report.CodeUnsupportedObject, "", "The object lacks the member that tells its kind.")
		return nil
	}
	best := forms[0]
	if e.kind == report.KindBundle && isOfEnvelopes(object) {
		vaults := *best
		vaults.list = "provenance-bundle"
		return &vaults
	}
	if e.kind == report.KindProviderResult {
		if object.Get("version").IsText("0.1") {
			best = forms[1]
		}
		return best
	}
	for _, one := range forms[1:] {
		if shared(one.schema, object) > shared(best.schema, object) {
			best = one
		}
	}
	return best
}

// KindOf returns the kind of an object by its members; empty for none (section 16, kinds and their checks).
func KindOf(object jsonx.Value) report.Kind {
	if object.Kind() != jsonx.Object {
		return ""
	}
	for i := range tables.Kinds {
		if row := &tables.Kinds[i]; len(row.Marks) > 0 && isMarked(row, object) {
			return report.Kind(row.Kind)
		}
	}
	found := unmarkedKinds()
	counts := make([]int, len(found.kinds))
	for name := range object.Members() {
		text, _ := name.TextBytes()
		for _, i := range found.naming[string(text)] {
			counts[i]++
		}
	}
	best, most := report.Kind(""), 0
	for i, one := range found.kinds {
		if counts[i] > most && hasHalf(one.schema, object) {
			best, most = one.kind, counts[i]
		}
	}
	return best
}

// An unmarked kind is found by the members that its schema names.
type unmarkedKind struct {
	kind   report.Kind
	schema string
}

// unmarked are these kinds, and for each name of a member those whose schema names it.
type unmarked struct {
	kinds  []unmarkedKind
	naming map[string][]int
}

var unmarkedKinds = sync.OnceValue(func() *unmarked {
	all := &unmarked{naming: map[string][]int{}}
	for i := range tables.Kinds {
		if row := &tables.Kinds[i]; len(row.Marks) == 0 && row.IsJSON {
			all.kinds = append(all.kinds, unmarkedKind{report.Kind(row.Kind), row.Schemas[0]})
		}
	}
	all.kinds = append(all.kinds, unmarkedKind{report.KindConsistency, "anchor-consistency"})
	for i, one := range all.kinds {
		for _, property := range propertiesOf(one.schema) {
			all.naming[property.Name] = append(all.naming[property.Name], i)
		}
	}
	return all
})

func isMarked(row *tables.KindRow, object jsonx.Value) bool {
	for _, marks := range row.Marks {
		isWhole := true
		for _, name := range marks {
			isWhole = isWhole && has(object, name)
		}
		if isWhole {
			return true
		}
	}
	return false
}

func propertiesOf(schema string) []tables.Property {
	return tables.Schemas[tables.SchemaOf(schema)-1].Properties
}

// shared returns how many members of an object a schema names.
func shared(schema string, object jsonx.Value) (count int) {
	for _, property := range propertiesOf(schema) {
		if has(object, property.Name) {
			count++
		}
	}
	return count
}

// hasHalf says whether an object has at least half of the members that a schema demands.
func hasHalf(schema string, object jsonx.Value) bool {
	required := tables.Schemas[tables.SchemaOf(schema)-1].Required
	count := 0
	for _, name := range required {
		if has(object, name) {
			count++
		}
	}
	return 2*count >= len(required)
}

func loneStatusFaults(object jsonx.Value) []finding { return keyStatusFaults(object, "") }

// isOfEnvelopes says whether a bundle, of any form, has what only those of envelopes have in manifest or artifacts
// (section 27): its report lists their checks.
func isOfEnvelopes(object jsonx.Value) bool {
	manifest := object.Get("manifest")
	return has(object.Get("artifacts"), "provenance.json") || has(manifest, "provenance_root") ||
		has(manifest, "provenance_event_count") || has(manifest, "vault_key_lifecycle")
}
