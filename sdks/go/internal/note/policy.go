package note

import (
	"strings"
	"unicode/utf8"

	"svc.example/go/internal/tables"
)

// A Policy is a C2SP tlog-policy (protocol section 16).
type Policy struct {
	Logs []Key
	// Witnesses are the definitions by name.
	Witnesses map[string]Key
	Groups    map[string]Group
	// Order holds the names of the witnesses in the order of the text.
	Order []string
	// Quorum is the name of a witness or group, or none.
	Quorum string
}

// A Group is met if so many of its members are.
type Group struct {
	Threshold int
	Members   []string
}

// A PolicyFault is the first fault of a text, in text order.
type PolicyFault struct {
	// Line counts from 1.
	Line int
	// Code is malformed or unsupported_object.
	Code string
}

// ParsePolicy reads the text of a tlog-policy strictly; the fault is nil for one that holds.
func ParsePolicy(text string) (*Policy, *PolicyFault) {
	p := policyReader{
		policy:  Policy{Witnesses: map[string]Key{}, Groups: map[string]Group{}},
		members: map[string]bool{},
		keys:    map[string]bool{},
	}
	number := 0
	for rest := text; rest != ""; {
		number++
		line, after, isEnded := strings.Cut(rest, "\n")
		if !isEnded {
			return nil, &PolicyFault{number, "malformed"}
		}
		if code := p.line(line); code != "" {
			return nil, &PolicyFault{number, code}
		}
		rest = after
	}
	if p.policy.Quorum == "" {
		return nil, &PolicyFault{number + 1, "malformed"}
	}
	return &p.policy, nil
}

type policyReader struct {
	policy  Policy
	members map[string]bool
	// keys holds the keys of logs and of witnesses, each under its sort.
	keys map[string]bool
}

// line takes in one line, and returns the code of its fault.
func (p *policyReader) line(line string) string {
	if !utf8.ValidString(line) {
		return "malformed"
	}
	for _, r := range line {
		if (r < 0x20 && r != '\t') || (0x7f <= r && r <= 0x9f) {
			return "malformed"
		}
	}
	items := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' })
	if len(items) == 0 || strings.HasPrefix(items[0], "#") {
		return ""
	}
	switch items[0] {
	case "log":
		return p.log(items[1:])
	case "witness":
		return p.witness(items[1:])
	case "group":
		return p.group(items[1:])
	case "quorum":
		return p.quorum(items[1:])
	default:
		return "malformed"
	}
}

func (p *policyReader) log(items []string) string {
	if len(items) < 1 || len(items) > 2 {
		return "malformed"
	}
	key, code := p.key("log", items[0], Ed25519)
	if code == "" && len(p.policy.Logs) == tables.MaxTlogDefinitions {
		return "malformed"
	}
	if code == "" {
		p.policy.Logs = append(p.policy.Logs, key)
	}
	return code
}

func (p *policyReader) witness(items []string) string {
	if len(items) < 2 || len(items) > 3 || !p.isFree(items[0]) {
		return "malformed"
	}
	key, code := p.key("witness", items[1], Cosignature)
	if code == "" && len(p.policy.Witnesses) == tables.MaxTlogDefinitions {
		return "malformed"
	}
	if code == "" {
		p.policy.Witnesses[items[0]] = key
		p.policy.Order = append(p.policy.Order, items[0])
	}
	return code
}

// key reads a key that no line of its sort has had.
func (p *policyReader) key(sort, text string, kind byte) (Key, string) {
	key, code := ParseKey(text, Ed25519, Cosignature, MLDSA44)
	if code == "kid_mismatch" || (code == "" && key.Type != kind && key.Type != MLDSA44) {
		code = "malformed"
	}
	if code != "" {
		return key, code
	}
	id := sort + string(rune(key.Type)) + string(key.Raw)
	if p.keys[id] {
		return key, "malformed"
	}
	p.keys[id] = true
	return key, ""
}

func (p *policyReader) group(items []string) string {
	if len(items) < 3 || !p.isFree(items[0]) || len(p.policy.Groups) == tables.MaxTlogDefinitions {
		return "malformed"
	}
	members := items[2:]
	for _, member := range members {
		if !p.isDefined(member) || p.members[member] {
			return "malformed"
		}
		p.members[member] = true
	}
	threshold := 0
	switch items[1] {
	case "any":
		threshold = 1
	case "all":
		threshold = len(members)
	default:
		k, ok := Decimal(items[1])
		if !ok || k < 1 || k > int64(len(members)) {
			return "malformed"
		}
		threshold = int(k)
	}
	p.policy.Groups[items[0]] = Group{threshold, members}
	return ""
}

func (p *policyReader) quorum(items []string) string {
	if len(items) != 1 || p.policy.Quorum != "" || (items[0] != "none" && !p.isDefined(items[0])) {
		return "malformed"
	}
	p.policy.Quorum = items[0]
	return ""
}

func (p *policyReader) isDefined(name string) bool {
	_, isWitness := p.policy.Witnesses[name]
	_, isGroup := p.policy.Groups[name]
	return isWitness || isGroup
}

func (p *policyReader) isFree(name string) bool { return name != "none" && !p.isDefined(name) }
