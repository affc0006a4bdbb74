package render

import (
	"strings"

	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// A Reader is what the reader brings along. None of it comes from the evidence.
type Reader struct {
	// Pinned are the signers of the trust policy.
	Pinned []Pin
	// Known are its known checkpoints.
	Known []KnownCheckpoint
	// Names are the reader's names for pinned keys, by kid.
	Names map[string]string
}

// A Pin is a signer that the reader pins.
type Pin struct{ KID, PublicKeyHex string }

// A KnownCheckpoint is a head that the reader saved earlier.
type KnownCheckpoint struct {
	StreamID    string
	WindowCount int64
}

// NameOf returns the reader's name for a key, with its kid.
func (r *Reader) NameOf(kid string) string {
	if name, ok := r.Names[kid]; ok {
		return Escape(name) + " (" + kid + ")"
	}
	return kid
}

// kids returns the identifiers of the pinned keys, each once.
func (r *Reader) kids() (kids []string) {
	seen := map[string]bool{}
	for _, one := range r.Pinned {
		if !seen[one.KID] {
			seen[one.KID] = true
			kids = append(kids, one.KID)
		}
	}
	return kids
}

// gaveFingerprint says whether the reader pinned the fingerprint of a signer's key in place of the key.
func (r *Reader) gaveFingerprint(in *report.Report) bool {
	for _, signer := range in.Signers {
		for _, pin := range r.Pinned {
			if signer.Fingerprint != nil && *signer.Fingerprint == pin.PublicKeyHex {
				return true
			}
		}
	}
	return false
}

// Signers returns those who signed, each key once, with the least trust that reaches it.
func Signers(in *report.Report) (list []report.Signer) {
	at := map[string]int{}
	for _, one := range in.Signers {
		if index, ok := at[one.KID]; !ok {
			at[one.KID] = len(list)
			list = append(list, one)
		} else if known := &list[index]; one.Reached == report.None && (known.Reached != report.None || known.Fingerprint == nil) {
			*known = one
		}
	}
	return list
}

// checkOf returns a check of a report; the zero Check for one that it does not have.
func checkOf(in *report.Report, id report.CheckID) report.Check {
	for _, one := range in.Checks {
		if one.ID == id {
			return one
		}
	}
	return report.Check{}
}

// isBare says whether an object carries no signature itself.
func isBare(in *report.Report) bool {
	status := checkOf(in, report.CheckBundleSeal).Status
	isSealed := status != "" && status != report.NotChecked
	return !isSealed && tables.NeedsSignedObject[string(in.Kind)] != ""
}

// isOfVault says whether a problem is that the key of a vault is not known, and not that of a service.
func isOfVault(in *report.Report, p *report.Problem) bool {
	hasVaults := in.Assurance.Provenance != nil || in.Kind == report.KindKeyStatus || in.Kind == report.KindProvenanceInclusion
	return p.Code == report.CodeKeyNotPinned && p.KID == "" && hasVaults && !isBare(in)
}

// inGroups returns a fingerprint in groups of four, to read out and compare.
func inGroups(fingerprint string) string {
	var groups []string
	for len(fingerprint) > 4 {
		groups = append(groups, fingerprint[:4])
		fingerprint = fingerprint[4:]
	}
	return strings.Join(append(groups, fingerprint), " ")
}
