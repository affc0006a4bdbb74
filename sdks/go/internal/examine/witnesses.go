package examine

import (
	"bytes"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/note"
)

// A knownWitness is a key whose cosignatures count: listed by a shown policy, pinned by the verifier, or both.
type knownWitness struct {
	name     string
	key      []byte
	isPinned bool
	// isListed says that the policy lists it, with what stands below.
	isListed           bool
	id                 string
	epoch              int64
	validFrom, validTo string
	isManaged          bool
}

// A knownWitnesses is the keys that are known for one checkpoint.
type knownWitnesses struct{ list []*knownWitness }

// newKnownWitnesses returns the pinned witnesses and those of a witness policy, which may be missing.
func newKnownWitnesses(e *exam, policies ...jsonx.Value) *knownWitnesses {
	known := &knownWitnesses{}
	for _, policy := range policies {
		for _, one := range policy.Get("witnessKeys").Elements() {
			known.list = append(known.list, &knownWitness{
				name: text(one, "name"), key: unhex(text(one, "public_key_hex")), isListed: true,
				id: text(one, "witness_id"), epoch: number(one, "key_epoch"), validFrom: text(one, "valid_from"),
				validTo: text(one, "valid_to"), isManaged: flag(one, "managed"),
			})
		}
	}
	for _, pinned := range e.witnesses {
		if same := known.find(pinned.name, pinned.key); same != nil {
			same.isPinned = true
			continue
		}
		known.list = append(known.list, &knownWitness{name: pinned.name, key: pinned.key, isPinned: true})
	}
	return known
}

func (k *knownWitnesses) find(name string, key []byte) *knownWitness {
	for _, one := range k.list {
		if one.name == name && bytes.Equal(one.key, key) {
			return one
		}
	}
	return nil
}

// ofLine returns the witnesses of which a line of this name and key id may be.
func (k *knownWitnesses) ofLine(line note.Line) (found []*knownWitness) {
	for _, one := range k.list {
		if one.name == line.Name && note.IDOf(one.name, note.Cosignature, one.key) == line.ID {
			found = append(found, one)
		}
	}
	return found
}

// ofEpoch returns the first key that the policy lists under a witness and the number of a key; nil for none.
func (k *knownWitnesses) ofEpoch(id string, epoch int64) *knownWitness {
	for _, one := range k.list {
		if one.isListed && one.id == id && one.epoch == epoch {
			return one
		}
	}
	return nil
}

// isUnchecked says whether a line has the length of a cosignature by ML-DSA-44, under the name of a known witness.
func (k *knownWitnesses) isUnchecked(line note.Line) bool {
	if len(line.Signature) != note.MLDSACosignatureBytes {
		return false
	}
	for _, one := range k.list {
		if one.name == line.Name {
			return true
		}
	}
	return false
}

// distinct returns the witnesses in groups of those that are one: two with the same name, key or witness_id, and two
// that a third one joins.
func distinct(list []*knownWitness) [][]*knownWitness {
	var groups [][]*knownWitness
	for _, one := range list {
		joined := []*knownWitness{one}
		var others [][]*knownWitness
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

func isSameWitness(a, b *knownWitness) bool {
	return a.name == b.name || bytes.Equal(a.key, b.key) || (a.isListed && b.isListed && a.id == b.id)
}
