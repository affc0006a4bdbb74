// Package trust knows whom a verifier trusts: the trust policy, and the ring of keys that policy and object tell
// (protocol sections 4, 16 and 26).
package trust

import (
	"slices"
	"strings"

	"svc.example/go/internal/finding"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/note"
	"svc.example/go/internal/schema"
	"svc.example/go/internal/tables"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// A Policy is a trust policy as the verifier brings it along (protocol section 16). The zero Policy trusts nobody.
type Policy struct {
	Pins      map[string][]Pin
	Revoked   map[string]bool
	Witnesses []Witness
	Quorum    *Quorum
	Blocks    []Block
	Contracts []Contract
	Require   []string
	Known     []KnownCheckpoint
	Expect    Expectation
	Vaults    Vaults
	Refused   []finding.Finding
}

// A Pin is one pinned signer.
type Pin struct {
	key []byte
	// origin may be empty and still be a limit: the name of a log may begin with the slash before its stream.
	origin     string
	hasOrigin  bool
	isLimited  bool
	streams    []string
	validTo    string
	MayEndorse bool
}

// covers says whether a pin is for a stream and its origin, or for the log of a service.
func (p *Pin) covers(in Scope) bool {
	if in.Service != "" {
		return !p.hasOrigin || p.origin == in.Service
	}
	if p.isLimited && in.Stream != "" && !slices.Contains(p.streams, in.Stream) {
		return false
	}
	return !p.hasOrigin || in.Origin == "" || in.Origin == p.origin+"/"+in.Stream
}

// A Witness is name and key together.
type Witness struct {
	Name string
	Key  []byte
	KID  string
}

// A Block is a block of a chain that the verifier pins.
type Block struct {
	Network string
	Number  int64
	Hash    string
}

// A Contract is a contract on a chain whose code the verifier pins.
type Contract struct{ Network, Address, CodeHash string }

// A KnownCheckpoint is a checkpoint that the verifier knows: the root of a stream at a count of windows.
type KnownCheckpoint struct {
	Stream string
	Count  int64
	Root   string
}

// An Expectation is what the verifier asked for. Empty members are not expected.
type Expectation struct {
	IsAny                    bool
	Stream                   string
	From, To                 int64
	Audience, Nonce, Content string
}

// IsCoveredBy says whether the range of an object covers the expected one: both events named as its ends are in it, as
// far as the object states its own.
func (x *Expectation) IsCoveredBy(from, to int64) bool {
	if from == 0 && to == 0 {
		return false
	}
	holds := func(end int64) bool { return end == 0 || end >= from && (to == 0 || end <= to) }
	return holds(x.From) && holds(x.To)
}

// Nobody is the policy of a verifier that brings nothing along.
func Nobody() *Policy { return &Policy{Pins: map[string][]Pin{}, Revoked: map[string]bool{}} }

// Read reads a trust policy. One that is not well formed trusts nobody, and rejects whatever is verified under it;
// [Policy.Faults] has why.
func Read(value jsonx.Value) *Policy {
	p := Nobody()
	for _, one := range finding.Shape("trust-policy", value, 1) {
		one.Path = "trust:" + one.Path
		p.Refused = append(p.Refused, one)
	}
	if len(p.Refused) == 0 {
		p.read(value)
	}
	if len(p.Refused) == 0 {
		return p
	}
	refused := Nobody()
	refused.Refused = p.Refused
	return refused
}

// A Fault says why a trust policy is not well formed.
type Fault struct {
	Code          report.Code
	Path, Message string
}

// Faults returns why the policy is not well formed; none if it is.
func (p *Policy) Faults() []Fault {
	list := make([]Fault, 0, len(p.Refused))
	for _, one := range p.Refused {
		list = append(list, Fault{one.Code, one.Path, one.Message})
	}
	return list
}

func (p *Policy) refuse(code report.Code, path, message string) {
	p.Refused = append(p.Refused, finding.Finding{Code: code, Path: "trust:" + path, Message: message})
}

func (p *Policy) read(value jsonx.Value) {
	for i, one := range values.Items(value.Get("signers")) {
		kid, key := values.Text(one, "kid"), values.Unhex(values.Text(one, "public_key_hex"))
		if values.KID(key) != kid {
			p.refuse(report.CodeKidMismatch, values.At("/signers", i)+"/kid", kid+" is not the identifier of the key beside it.")
		}
		mayEndorse := !values.Has(one, "endorse") || values.Flag(one, "endorse")
		signer := Pin{
			key: key, origin: values.Text(one, "origin"), hasOrigin: values.Has(one, "origin"), isLimited: values.Has(one, "streams"), validTo: values.Text(one, "valid_to"),
			MayEndorse: mayEndorse,
		}
		for _, stream := range values.Texts(one.Get("streams")) {
			signer.streams = append(signer.streams, stream)
		}
		p.Pins[kid] = append(p.Pins[kid], signer)
	}
	for _, kid := range values.Texts(value.Get("revoked")) {
		p.Revoked[kid] = true
	}
	for _, one := range values.Items(value.Get("witnesses")) {
		p.pinWitness(values.Text(one, "name"), values.Unhex(values.Text(one, "public_key_hex")))
	}
	p.readQuorum(value.Get("quorum"))
	for _, one := range values.Items(value.Get("blocks")) {
		p.Blocks = append(p.Blocks, Block{values.Text(one, "network"), values.Number(one, "number"), values.Text(one, "hash")})
	}
	for _, one := range values.Items(value.Get("contracts")) {
		p.Contracts = append(p.Contracts, Contract{values.Text(one, "network"), values.Text(one, "address"), values.Text(one, "code_hash")})
	}
	for _, one := range values.Texts(value.Get("require")) {
		p.Require = append(p.Require, one)
	}
	for _, one := range values.Items(value.Get("known_checkpoints")) {
		p.Known = append(p.Known, KnownCheckpoint{
			values.Text(one, "stream_id"), values.Number(one, "window_count"), values.Text(one, "checkpoint_root"),
		})
	}
	asked := value.Get("expect")
	p.Expect = Expectation{
		asked.Exists(),
		values.Text(asked, "stream_id"), values.Number(asked, "from_seq_no"), values.Number(asked, "to_seq_no"),
		values.Text(asked, "audience"), values.Text(asked, "nonce"), values.Text(asked, "content_sha256"),
	}
	p.readVaults(value)
}

func (p *Policy) pinWitness(name string, key []byte) {
	p.Witnesses = append(p.Witnesses, Witness{name, key, values.KID(key)})
}

func (p *Policy) readQuorum(value jsonx.Value) {
	if count, ok := value.Int(); ok {
		p.Quorum = &Quorum{Least: count}
		return
	}
	whole, ok := value.Text()
	if !ok {
		return
	}
	policy, fault := note.ParsePolicy(whole)
	if fault != nil {
		p.refuse(report.Code(fault.Code), "/quorum", "Line "+values.Itoa(int64(fault.Line))+" of the tlog-policy is not well formed.")
		return
	}
	p.Quorum = newTextQuorum(policy)
	for _, log := range policy.Logs {
		if log.Type == note.Ed25519 {
			p.pinLog(log)
		}
	}
	for _, name := range policy.Order {
		if key := policy.Witnesses[name]; key.Type == note.Cosignature {
			p.pinWitness(key.Name, key.Raw)
		}
	}
}

// pinLog pins the key of a log line: for one stream, where its name ends in a stream id, otherwise for a service.
func (p *Policy) pinLog(log note.Key) {
	signer := Pin{key: log.Raw, origin: log.Name, hasOrigin: true, MayEndorse: true}
	if slash := strings.LastIndexByte(log.Name, '/'); slash >= 0 &&
		schema.Matches(tables.FormatStreamID, []byte(log.Name[slash+1:])) {
		signer.origin, signer.isLimited, signer.streams = log.Name[:slash], true, []string{log.Name[slash+1:]}
	}
	kid := values.KID(log.Raw)
	p.Pins[kid] = append(p.Pins[kid], signer)
}

// Alone returns the policy for an object that is part of another one, of which nothing is demanded or expected.
func (p *Policy) Alone() *Policy {
	part := *p
	part.Quorum, part.Require, part.Known, part.Expect = nil, nil, nil, Expectation{}
	part.Vaults.Required = ""
	part.Refused = nil
	return &part
}

// SignersOnly returns the part of the policy about signers: a new receipt can meet no other demand yet, since windows,
// checkpoints and cosignatures come later.
func (p *Policy) SignersOnly() *Policy {
	return &Policy{Pins: p.Pins, Revoked: p.Revoked, Refused: p.Refused}
}
