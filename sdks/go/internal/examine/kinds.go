package examine

import (
	"sync"

	"svc.example/go/internal/examination"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/objects/anchor"
	"svc.example/go/internal/objects/bundle"
	"svc.example/go/internal/objects/checkpoint"
	"svc.example/go/internal/objects/endorsement"
	"svc.example/go/internal/objects/fork"
	"svc.example/go/internal/objects/ivc"
	"svc.example/go/internal/objects/portable"
	"svc.example/go/internal/objects/receipt"
	"svc.example/go/internal/objects/window"
	"svc.example/go/internal/objects/witness"
	"svc.example/go/internal/tables"
	"svc.example/go/internal/values"
	"svc.example/go/internal/vault/attestation"
	"svc.example/go/internal/vault/disclosure"
	"svc.example/go/internal/vault/envelope"
	"svc.example/go/internal/vault/keystatus"
	"svc.example/go/internal/vault/provenance"
	"svc.example/go/internal/vault/provider"
	"svc.example/go/report"
)

// forms are how the objects of one kind are examined.
type forms = []*examination.Form

// formsOf returns how the objects of a kind are examined, the usual form first; nil for a kind that is not JSON.
func formsOf(kind report.Kind, object jsonx.Value) forms {
	switch kind {
	case report.KindReceipt:
		return forms{receipt.Form()}
	case report.KindStream:
		return forms{receipt.StreamForm()}
	case report.KindWindow:
		return forms{window.Form()}
	case report.KindInclusion:
		return forms{window.InclusionForm()}
	case report.KindCheckpoint:
		return forms{checkpoint.Form()}
	case report.KindConsistency:
		return forms{checkpoint.ConsistencyForm(), anchor.ConsistencyForm()}
	case report.KindWitness:
		return forms{witness.Form()}
	case report.KindAnchor:
		return forms{anchor.Form()}
	case report.KindBundle:
		return forms{bundle.Form(object)}
	case report.KindPortableReceipt:
		return forms{portable.Form()}
	case report.KindFork:
		return forms{fork.Form()}
	case report.KindIVCEpoch:
		return forms{ivc.Form()}
	case report.KindProviderResult:
		return forms{provider.Form(), provider.EarlierForm()}
	case report.KindVaultAttestation:
		return forms{attestation.Form()}
	case report.KindDisclosure:
		return forms{disclosure.Form()}
	case report.KindEnvelope:
		return forms{envelope.Form()}
	case report.KindKeyStatus:
		return forms{keystatus.Form()}
	case report.KindProvenanceInclusion:
		return forms{provenance.ShownInclusionForm(), provenance.InclusionForm()}
	case report.KindKey:
		return forms{endorsement.Form()}
	}
	return nil
}

// formOf finds the kind of an object, unless one was asked for, and its form. It rejects what is of no kind.
func formOf(e *examination.Exam, object jsonx.Value) *examination.Form {
	if e.Kind == "" {
		e.Kind = KindOf(object)
	}
	if e.Kind == "" {
		code := report.CodeMalformed
		if object.Kind() == jsonx.Object {
			code = report.CodeUnsupportedObject
		}
		e.Fault(report.CheckShape, code, "", "It is of no kind of evidence.")
		return nil
	}
	row := tables.KindOf(string(e.Kind))
	all := formsOf(e.Kind, object)
	if all == nil {
		e.Fault(report.CheckShape, report.CodeUnsupportedObject, "", "This verifier does not examine objects of this kind.")
		return nil
	}
	if len(row.Marks) > 0 && object.Kind() == jsonx.Object && !isMarked(row, object) {
		e.Fault(report.CheckShape, report.CodeUnsupportedObject, "", "The object lacks the member that tells its kind.")
		return nil
	}
	best := all[0]
	if e.Kind == report.KindProviderResult {
		if object.Get("version").IsText("0.1") {
			best = all[1]
		}
		return best
	}
	for _, one := range all[1:] {
		if shared(one.Schema, object) > shared(best.Schema, object) {
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
			isWhole = isWhole && values.Has(object, name)
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
		if values.Has(object, property.Name) {
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
		if values.Has(object, name) {
			count++
		}
	}
	return 2*count >= len(required)
}
