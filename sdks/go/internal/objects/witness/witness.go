// Package witness knows the keys whose cosignatures count, and the policies that an object shows and that list such
// keys (protocol sections 6 and 10).
package witness

import (
	"bytes"

	"svc.example/go/internal/examination"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/note"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// A Cosigned is one cosignature in its time; IsValid is known once signatures are settled.
type Cosigned struct {
	Witness *Known
	Seconds int64
	IsValid bool
}

// Form returns how a witness statement is examined.
func Form() *examination.Form {
	return &examination.Form{Schema: "witness-statement", Examine: examine}
}

// A Known is a key whose cosignatures count: listed by a shown policy, pinned by the verifier, or both.
type Known struct {
	Name     string
	Key      []byte
	IsPinned bool
	// IsListed says that the policy lists it, with what is below.
	IsListed           bool
	ID                 string
	epoch              int64
	ValidFrom, ValidTo string
	IsManaged          bool
}

// A List is the keys that are known for one checkpoint.
type List struct{ list []*Known }

// KnownTo returns the pinned witnesses and those of a witness policy, which may be missing.
func KnownTo(e *examination.Exam, policies ...jsonx.Value) *List {
	known := &List{}
	for _, policy := range policies {
		for _, one := range policy.Get("witnessKeys").Elements() {
			known.list = append(known.list, &Known{
				Name: values.Text(one, "name"), Key: values.Unhex(values.Text(one, "public_key_hex")), IsListed: true,
				ID: values.Text(one, "witness_id"), epoch: values.Number(one, "key_epoch"), ValidFrom: values.Text(one, "valid_from"),
				ValidTo: values.Text(one, "valid_to"), IsManaged: values.Flag(one, "managed"),
			})
		}
	}
	for _, pinned := range e.Witnesses {
		if same := known.find(pinned.Name, pinned.Key); same != nil {
			same.IsPinned = true
			continue
		}
		known.list = append(known.list, &Known{Name: pinned.Name, Key: pinned.Key, IsPinned: true})
	}
	return known
}

func (k *List) find(name string, key []byte) *Known {
	for _, one := range k.list {
		if one.Name == name && bytes.Equal(one.Key, key) {
			return one
		}
	}
	return nil
}

// OfLine returns the witnesses of which a line of this name and key id may be.
func (k *List) OfLine(line note.Line) (found []*Known) {
	for _, one := range k.list {
		if one.Name == line.Name && note.IDOf(one.Name, note.Cosignature, one.Key) == line.ID {
			found = append(found, one)
		}
	}
	return found
}

// OfEpoch returns the first key that the policy lists under a witness and the number of a key; nil for none.
func (k *List) OfEpoch(id string, epoch int64) *Known {
	for _, one := range k.list {
		if one.IsListed && one.ID == id && one.epoch == epoch {
			return one
		}
	}
	return nil
}

// IsUnchecked says whether a line has the length of a cosignature by ML-DSA-44, under the name of a known witness.
func (k *List) IsUnchecked(line note.Line) bool {
	if len(line.Signature) != note.MLDSACosignatureBytes {
		return false
	}
	for _, one := range k.list {
		if one.Name == line.Name {
			return true
		}
	}
	return false
}

// Distinct returns the witnesses in groups of those that are one: two with the same name, key or witness_id, and two
// that a third one joins.
func Distinct(list []*Known) [][]*Known {
	var groups [][]*Known
	for _, one := range list {
		joined := []*Known{one}
		var others [][]*Known
		for _, group := range groups {
			isSame := false
			for _, other := range group {
				isSame = isSame || isSameWitness(one, other)
			}
			if isSame {
				joined = append(joined, group...)
			} else {
				others = append(others, group)
			}
		}
		groups = append(others, joined)
	}
	return groups
}

func isSameWitness(a, b *Known) bool {
	return a.Name == b.Name || bytes.Equal(a.Key, b.Key) || (a.IsListed && b.IsListed && a.ID == b.ID)
}

// examine examines a bare witness statement, which lacks the origin that its signature covers.
func examine(e *examination.Exam, object jsonx.Value) {
	e.Subject.StreamID = values.Text(object, "stream_id")
	e.Cannot(report.CheckWitness, "the origin that the signature covers is not in a bare statement")
	e.Unsigned("A bare statement cannot be checked without its checkpoint.", report.AskCheckpoint)
}
