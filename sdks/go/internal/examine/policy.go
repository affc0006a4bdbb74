package examine

import (
	"slices"
	"strings"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/note"
	"svc.example/go/internal/schema"
	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// A Policy is a trust policy as the verifier brings it along (protocol section 16). The zero Policy trusts nobody.
type Policy struct {
	pins      map[string][]pin
	revoked   map[string]bool
	witnesses []pinnedWitness
	quorum    *quorum
	blocks    []pinnedBlock
	contracts []pinnedContract
	require   []string
	known     []knownHead
	expect    expectation
	vaults    vaultPolicy
	faults    []finding
}

// A pin is one pinned signer.
type pin struct {
	key        []byte
	origin     string
	isLimited  bool
	streams    []string
	validTo    string
	mayEndorse bool
}

// covers says whether a pin is for a stream and its origin, or for the log of a service.
func (p *pin) covers(in scope) bool {
	if in.service != "" {
		return p.origin == "" || p.origin == in.service
	}
	if p.isLimited && in.stream != "" && !slices.Contains(p.streams, in.stream) {
		return false
	}
	return p.origin == "" || in.origin == "" || in.origin == p.origin+"/"+in.stream
}

// A pinnedWitness is name and key together.
type pinnedWitness struct {
	name string
	key  []byte
	kid  string
}

type pinnedBlock struct {
	network string
	number  int64
	hash    string
}

type pinnedContract struct{ network, address, codeHash string }

type knownHead struct {
	stream string
	count  int64
	root   string
}

// An expectation is what the verifier asked for. Empty members are not expected.
type expectation struct {
	isAny                    bool
	stream                   string
	from, to                 int64
	audience, nonce, content string
}

// NobodyTrusted is the policy of a verifier that brings nothing along.
func NobodyTrusted() *Policy { return &Policy{pins: map[string][]pin{}, revoked: map[string]bool{}} }

// ReadPolicy reads a trust policy. One that is not well formed trusts nobody, and rejects whatever is verified under
// it; [Policy.Faults] has why.
func ReadPolicy(value jsonx.Value) *Policy {
	p := NobodyTrusted()
	for _, one := range shapeFindings("trust-policy", value, 1) {
		one.path = "trust:" + one.path
		p.faults = append(p.faults, one)
	}
	if len(p.faults) == 0 {
		p.read(value)
	}
	if len(p.faults) == 0 {
		return p
	}
	refused := NobodyTrusted()
	refused.faults = p.faults
	return refused
}

// A PolicyFault says why a trust policy is not well formed.
type PolicyFault struct {
	Code          report.Code
	Path, Message string
}

// Faults returns why the policy is not well formed; none if it is.
func (p *Policy) Faults() []PolicyFault {
	list := make([]PolicyFault, 0, len(p.faults))
	for _, one := range p.faults {
		list = append(list, PolicyFault{one.code, one.path, one.message})
	}
	return list
}

func (p *Policy) refuse(code report.Code, path, message string) {
	p.faults = append(p.faults, finding{code: code, path: "trust:" + path, message: message})
}

func (p *Policy) read(value jsonx.Value) {
	for i, one := range items(value.Get("signers")) {
		kid, key := text(one, "kid"), unhex(text(one, "public_key_hex"))
		if kidOf(key) != kid {
			p.refuse(report.CodeKidMismatch, at("/signers", i)+"/kid", kid+" is not the identifier of the key beside it.")
		}
		mayEndorse := !has(one, "endorse") || flag(one, "endorse")
		signer := pin{key: key, origin: text(one, "origin"), isLimited: has(one, "streams"), validTo: text(one, "valid_to"), mayEndorse: mayEndorse}
		for _, stream := range textsOf(one.Get("streams")) {
			signer.streams = append(signer.streams, stream)
		}
		p.pins[kid] = append(p.pins[kid], signer)
	}
	for _, kid := range textsOf(value.Get("revoked")) {
		p.revoked[kid] = true
	}
	for _, one := range items(value.Get("witnesses")) {
		p.pinWitness(text(one, "name"), unhex(text(one, "public_key_hex")))
	}
	p.readQuorum(value.Get("quorum"))
	for _, one := range items(value.Get("blocks")) {
		p.blocks = append(p.blocks, pinnedBlock{text(one, "network"), number(one, "number"), text(one, "hash")})
	}
	for _, one := range items(value.Get("contracts")) {
		p.contracts = append(p.contracts, pinnedContract{text(one, "network"), text(one, "address"), text(one, "code_hash")})
	}
	for _, one := range textsOf(value.Get("require")) {
		p.require = append(p.require, one)
	}
	for _, one := range items(value.Get("known_checkpoints")) {
		p.known = append(p.known, knownHead{text(one, "stream_id"), number(one, "window_count"), text(one, "checkpoint_root")})
	}
	asked := value.Get("expect")
	p.expect = expectation{
		asked.Exists(),
		text(asked, "stream_id"), number(asked, "from_seq_no"), number(asked, "to_seq_no"),
		text(asked, "audience"), text(asked, "nonce"), text(asked, "content_sha256"),
	}
	p.readVaults(value)
}

func (p *Policy) pinWitness(name string, key []byte) {
	p.witnesses = append(p.witnesses, pinnedWitness{name, key, kidOf(key)})
}

func (p *Policy) readQuorum(value jsonx.Value) {
	if count, ok := value.Int(); ok {
		p.quorum = &quorum{least: count}
		return
	}
	whole, ok := value.Text()
	if !ok {
		return
	}
	policy, fault := note.ParsePolicy(whole)
	if fault != nil {
		p.refuse(report.Code(fault.Code), "/quorum", "Line "+itoa(int64(fault.Line))+" of the tlog-policy is not well formed.")
		return
	}
	p.quorum = newTextQuorum(policy)
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
	signer := pin{key: log.Raw, origin: log.Name, mayEndorse: true}
	if slash := strings.LastIndexByte(log.Name, '/'); slash >= 0 &&
		schema.Matches(tables.FormatStreamID, []byte(log.Name[slash+1:])) {
		signer.origin, signer.isLimited, signer.streams = log.Name[:slash], true, []string{log.Name[slash+1:]}
	}
	kid := kidOf(log.Raw)
	p.pins[kid] = append(p.pins[kid], signer)
}

// alone returns the policy for an object that is part of another one, of which nothing is demanded or expected.
func (p *Policy) alone() *Policy {
	part := *p
	part.quorum, part.require, part.known, part.expect = nil, nil, nil, expectation{}
	part.vaults.required = ""
	part.faults = nil
	return &part
}
