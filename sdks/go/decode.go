package svc

import (
	"encoding/json"

	"svc.example/go/internal/examine"
	"svc.example/go/internal/kernel"
	"svc.example/go/report"
)

// Evidence is an object that has the form of its kind. Nothing of what it says is verified.
type Evidence struct {
	Kind report.Kind
	// Value points to the struct of the kind: [*ReceiptRecord], [*Stream], [*Window], [*Inclusion], [*Checkpoint],
	// [*Consistency] or [*AnchorConsistency], [*WitnessStatement], [*Anchor], [*Bundle], [*PortableReceipt], [*Fork],
	// [*KeyEndorsement], [*IVCEpoch], [*ProviderResult] or [*EarlierProviderResult], [*VaultAttestation], [*Disclosure],
	// [*Envelope], [*KeyStatus], [*ProvenanceInclusion] or [*ShownProvenanceInclusion].
	Value any
	// Canonical is the object in canonical JSON, which seals and hashes cover.
	Canonical []byte
}

// A DecodeError is the first fault of bytes that are no evidence: its code and path are those that a report has.
type DecodeError = examine.FormFault

// Decode reads evidence strictly, as [VerifyBytes] does, and verifies nothing: for programs that look into what they
// have verified. Do not read evidence by [encoding/json]: it passes over repeated names and folds their case. The error
// is a [*DecodeError]. Decode does not read a truth package, which is an archive.
func Decode(text []byte) (evidence *Evidence, err error) {
	defer recovered(&err)
	decoded, err := examine.Decode(kernel.Native, text)
	if err != nil {
		return nil, err
	}
	value := structOf(decoded.Schema)
	canonical := decoded.Value.Canonical()
	if err := json.Unmarshal(canonical, value); err != nil {
		return nil, err
	}
	return &Evidence{decoded.Kind, value, canonical}, nil
}

// structOf returns a new struct for the objects of a schema.
func structOf(schema string) any {
	switch schema {
	case "receipt-record":
		return new(ReceiptRecord)
	case "stream":
		return new(Stream)
	case "window":
		return new(Window)
	case "inclusion":
		return new(Inclusion)
	case "checkpoint":
		return new(Checkpoint)
	case "consistency":
		return new(Consistency)
	case "anchor-consistency":
		return new(AnchorConsistency)
	case "witness-statement":
		return new(WitnessStatement)
	case "anchor":
		return new(Anchor)
	case "bundle":
		return new(Bundle)
	case "portable-receipt":
		return new(PortableReceipt)
	case "fork":
		return new(Fork)
	case "ivc-epoch":
		return new(IVCEpoch)
	case "provider-result":
		return new(ProviderResult)
	case "earlier-provider-result":
		return new(EarlierProviderResult)
	case "vault-attestation":
		return new(VaultAttestation)
	case "disclosure":
		return new(Disclosure)
	case "envelope":
		return new(Envelope)
	case "key-status":
		return new(KeyStatus)
	case "shown-provenance-inclusion":
		return new(ShownProvenanceInclusion)
	case "provenance-inclusion":
		return new(ProvenanceInclusion)
	case "key-endorsement":
		return new(KeyEndorsement)
	default:
		panic("no struct for the schema " + schema)
	}
}
