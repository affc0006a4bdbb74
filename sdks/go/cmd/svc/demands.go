package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"svc.example/go/cmd/svc/internal/cmdline"
	"svc.example/go/internal/examine"
	"svc.example/go/internal/jsonx"
)

// maxQuorum is the longest tlog-policy, in bytes: its caps on definitions leave room for less.
const maxQuorum = 8 << 20

var (
	digits = regexp.MustCompile(`^[0-9]+$`)
	count  = regexp.MustCompile(`^[1-9][0-9]{0,8}$`)
)

// tighten joins a trust policy and the demands of a call: the result never asks for less than the policy. Ranges grow,
// the higher count of witnesses holds, requirements are united. It refuses demands that cannot hold together. A nil
// policy means no policy.
func (s *system) tighten(policy members, call *cmdline.Call) (members, error) {
	demands := []string{"stream", "from", "to", "quorum", "require"}
	isDemanding := false
	for _, one := range demands {
		isDemanding = isDemanding || call.Has(one)
	}
	if !isDemanding {
		return policy, nil
	}
	joined := members{"signers": []any{}}
	for name, value := range policy {
		joined[name] = value
	}
	own, _ := policy["expect"].(jsonx.Value)
	expect, err := tightenExpectations(own, call)
	if err != nil {
		return nil, err
	}
	if len(expect) > 0 {
		joined["expect"] = map[string]any(expect)
	}
	if call.Has("quorum") {
		if joined["quorum"], err = s.tightenQuorum(policy["quorum"], call.Value("quorum")); err != nil {
			return nil, err
		}
	}
	if require := tightenRequirements(policy["require"], call); len(require) > 0 {
		joined["require"] = require
	}
	return joined, refuseQuorum(joined)
}

func tightenExpectations(own jsonx.Value, call *cmdline.Call) (members, error) {
	expect := members{}
	if own.Exists() {
		for name, value := range own.Members() {
			text, _ := name.Text()
			expect[text] = value
		}
	}
	if stream := call.Value("stream"); stream != "" {
		if known := own.Get("stream_id"); known.Exists() && !known.IsText(stream) {
			text, _ := known.Text()
			return nil, refuse(exitUsage, "--stream asks for "+stream+", and your trust file expects "+text+".",
				"Evidence cannot be of both. Leave one of them out.")
		}
		expect["stream_id"] = stream
	}
	from, hasFrom := parseOrdinal(call.Value("from"))
	to, hasTo := parseOrdinal(call.Value("to"))
	first, hasFirst := widest(own.Get("from_seq_no"), from, hasFrom, func(a, b int64) int64 { return min(a, b) })
	last, hasLast := widest(own.Get("to_seq_no"), to, hasTo, func(a, b int64) int64 { return max(a, b) })
	if hasFrom && hasLast && from > last {
		return nil, refuse(exitUsage, fmt.Sprintf("--from %d is behind the last event expected, %d.", from, last), "Exchange them.")
	}
	if hasTo && hasFirst && first > to {
		return nil, refuse(exitUsage, fmt.Sprintf("--to %d is before the first event expected, %d.", to, first), "Exchange them.")
	}
	if hasFirst {
		expect["from_seq_no"] = first
	}
	if hasLast {
		expect["to_seq_no"] = last
	}
	return expect, nil
}

// widest returns the stricter of two bounds; of one, that one.
func widest(own jsonx.Value, asked int64, isAsked bool, wider func(a, b int64) int64) (int64, bool) {
	known, isKnown := int64(0), false
	if own.Exists() {
		known, isKnown = own.Int()
	}
	switch {
	case isKnown && isAsked:
		return wider(known, asked), true
	case isKnown:
		return known, true
	default:
		return asked, isAsked
	}
}

// tightenQuorum returns the quorum of a policy and that of a call together.
func (s *system) tightenQuorum(own any, given string) (any, error) {
	asked, err := s.readQuorum(given)
	if err != nil {
		return nil, err
	}
	known, ok := own.(jsonx.Value)
	if !ok {
		return asked, nil
	}
	number, isCount := asked.(int64)
	least, hasCount := known.Int()
	if isCount && hasCount {
		return max(number, least), nil
	}
	if text, isText := asked.(string); isText && known.IsText(text) {
		return asked, nil
	}
	return nil, refuse(exitUsage,
		"--quorum and your trust file ask for witnesses in ways that cannot be joined: one is a tlog-policy, the other is not the same.",
		"Leave --quorum out, or use a trust file without a quorum.")
}

// readQuorum returns a count of witnesses, or the text of the file that is named. Digits are a count; a file with such
// a name is given as ./3.
func (s *system) readQuorum(given string) (any, error) {
	if digits.MatchString(given) {
		if !count.MatchString(given) {
			return nil, refuse(exitUsage, `--quorum: "`+given+`" is no number of witnesses.`, "Give a whole number from 1 on, or the path of a tlog-policy.")
		}
		number, err := strconv.ParseInt(given, 10, 64)
		return number, err
	}
	text, err := s.readInput(given, maxQuorum)
	return asText(text), err
}

func tightenRequirements(own any, call *cmdline.Call) (require []any) {
	seen := map[string]bool{}
	add := func(one string) {
		if !seen[one] {
			seen[one] = true
			require = append(require, one)
		}
	}
	if known, ok := own.(jsonx.Value); ok {
		for _, one := range known.Elements() {
			text, _ := one.Text()
			add(text)
		}
	}
	for _, given := range call.Values("require") {
		for _, one := range strings.Split(given, ",") {
			add(one)
		}
	}
	return require
}

// refuseQuorum refuses a policy whose quorum is no tlog-policy: nothing else of a joined policy can be wrong.
func refuseQuorum(policy members) error {
	read, err := policy.read()
	if err != nil {
		return err
	}
	faults := read.Faults()
	if len(faults) == 0 {
		return nil
	}
	fault := faults[0]
	if fault.Path != "trust:/quorum" {
		return fmt.Errorf("a policy was refused at %s", fault.Path)
	}
	return refuse(exitUsage, "--quorum: the file is no C2SP tlog-policy: "+fault.Message, "Correct the file, or give a number of witnesses.")
}

// read returns the policy as the verifier reads it.
func (m members) read() (*examine.Policy, error) {
	if m == nil {
		return examine.NobodyTrusted(), nil
	}
	text, err := jsonx.Encode(map[string]any(m))
	if err != nil {
		return nil, err
	}
	tree, err := jsonx.Parse(text, jsonx.Limits{})
	if err != nil {
		return nil, err
	}
	return examine.ReadPolicy(tree.Root()), nil
}
