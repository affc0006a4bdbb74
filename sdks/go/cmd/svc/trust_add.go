package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"svc.example/go/cmd/svc/internal/cmdline"
	"svc.example/go/cmd/svc/internal/ordered"
	"svc.example/go/cmd/svc/internal/trustfile"
	"svc.example/go/internal/note"
)

// maxQuorumFile is the longest tlog-policy, in bytes: its caps on definitions leave room for less.
const maxQuorumFile = 8 << 20

func (s *system) trustAdd() *cmdline.Command {
	return &cmdline.Command{
		Name: "add", About: "Pin a key or a witness; set the quorum and what you require.",
		Options: []cmdline.Option{
			last("public-key-hex", "<key>", "a signer's public key, 64 lowercase hex characters"),
			last("fingerprint", "<hex>", "its fingerprint, in place of the key; with --file"),
			last("file", "<path>", "a file that carries the key: it counts if it has that fingerprint"),
			last("name", "<name>", "what you call this key; no verdict depends on it"),
			last("origin", "<origin>", "trust the key only for the streams of this service"),
			{Name: "stream", Value: "<id>", About: "trust the key only for this stream; repeatable", IsRepeatable: true},
			last("valid-to", "<time>", "trust it only for what is proven to be sealed by then"),
			{Name: "no-endorse", About: "let no endorsement by this key count"},
			last("witness", "<vkey>", "a witness's C2SP key; or its name, with --public-key-hex"),
			last("quorum", "<count>", "how many of your witnesses must have cosigned"),
			{Name: "quorum-file", Value: "<path>", About: "a C2SP tlog-policy that says which", IsLastTaken: true, Conflicts: []string{"quorum"}},
			{Name: "require", Value: "<what>", About: "what evidence has to show; repeatable", Choices: requirements, IsRepeatable: true, Refuse: refuseRequirement},
			{Name: "replace", About: "let this pin take the place of one that differs"},
		},
		After: []string{`
Examples:
  svc trust add --name "acme 2026" --public-key-hex "$KEY"
  svc trust add --fingerprint "$FINGERPRINT" --file march.bundle.json
  svc trust add --witness "$VKEY" --quorum 1 --require witnessed

A key proves nothing by itself: get it another way than the evidence.`},
		Run: s.addTrust,
	}
}

func refuseRequirement(value string) error {
	if slices.Contains(requirements, value) {
		return nil
	}
	return refuse(exitUsage, fmt.Sprintf(`--require: "%s" is no requirement.`, value), "Give one of "+strings.Join(requirements, ", ")+".")
}

// A trustStep is one thing that a call adds, with what is said of it.
type trustStep struct {
	said   string
	change func(trustfile.File) (trustfile.File, error)
}

// addTrust may add several things; all of them are written, or none.
func (s *system) addTrust(call *cmdline.Call) error {
	var steps []trustStep
	for _, read := range []func(*cmdline.Call) (*trustStep, error){s.signerStep, witnessStep, s.quorumStep, requireStep} {
		step, err := read(call)
		if err != nil {
			return ofTrustFile("", err)
		}
		if step != nil {
			steps = append(steps, *step)
		}
	}
	if len(steps) == 0 {
		return refuse(exitUsage, "There is nothing to add.", `"svc trust add --help" shows what can be added.`)
	}
	var done []string
	for _, one := range steps {
		done = append(done, one.said)
	}
	file, err := s.changeTrust(call, done, func(file trustfile.File) (trustfile.File, error) {
		var err error
		for _, one := range steps {
			if file, err = one.change(file); err != nil {
				return file, err
			}
		}
		return file, nil
	})
	if err != nil {
		return err
	}
	s.warnOfQuorum(file)
	return nil
}

// warnOfQuorum says where a quorum asks for more witnesses than are pinned.
func (s *system) warnOfQuorum(file trustfile.File) {
	names := map[string]bool{}
	for _, one := range file.Policy.Objects("witnesses") {
		names[one.Text("name")] = true
	}
	count, isCount := file.Policy.Get("quorum").(json.Number)
	if wanted, err := count.Int64(); isCount && err == nil && wanted > int64(len(names)) {
		s.out.fault(
			fmt.Sprintf("Your quorum asks for %d witnesses, and you pin %d: nothing with a checkpoint can meet it.", wanted, len(names)),
			"Pin more with: svc trust add --witness <vkey>")
	}
}

func (s *system) signerStep(call *cmdline.Call) (*trustStep, error) {
	given, err := s.keyOfCall(call)
	if err != nil {
		return nil, err
	}
	if given == "" && !call.Has("public-key-hex") || call.Has("witness") {
		for _, limit := range []string{"name", "origin", "stream", "valid-to", "no-endorse"} {
			if call.Has(limit) {
				return nil, refuse(exitUsage, fmt.Sprintf("--%s says something of a signer's key, and none is given.", limit),
					"Give the key with --public-key-hex, and a witness in a separate call.")
			}
		}
		return nil, nil
	}
	key, err := parsePublicKeyHex(given)
	if err != nil {
		return nil, err
	}
	name, called := "", ""
	if call.Has("name") {
		if name, err = trustfile.ParseName(call.Value("name")); err != nil {
			return nil, err
		}
		called = fmt.Sprintf(`, which you call "%s"`, name)
	}
	kid := kidOfKey(key)
	question := ": is that the one that the service gives?"
	if call.Has("fingerprint") {
		question = ", the one that you gave."
	}
	return &trustStep{
		fmt.Sprintf("Pinned %s%s. Its fingerprint is %s%s", kid, called, inFours(fingerprintOf(key)), question),
		func(file trustfile.File) (trustfile.File, error) {
			if err := refuseFingerprint(file, key); err != nil {
				return file, err
			}
			return file.AddSigner(signerPin(call, kid, key), name, call.Has("replace"))
		},
	}, nil
}

func signerPin(call *cmdline.Call, kid, key string) *ordered.Object {
	pin := ordered.New(ordered.Member{Name: "kid", Value: kid}, ordered.Member{Name: "public_key_hex", Value: key})
	if call.Has("origin") {
		pin = pin.With("origin", call.Value("origin"))
	}
	if call.Has("stream") {
		var streams []any
		for _, one := range call.Values("stream") {
			streams = append(streams, one)
		}
		pin = pin.With("streams", streams)
	}
	if call.Has("valid-to") {
		pin = pin.With("valid_to", call.Value("valid-to"))
	}
	if call.Has("no-endorse") {
		pin = pin.With("endorse", false)
	}
	return pin
}

// refuseFingerprint refuses the fingerprint of a pinned key in place of a key. Both are 64 hexadecimal digits, so only
// the fingerprint of a pinned key can be recognised.
func refuseFingerprint(file trustfile.File, given string) error {
	for _, one := range file.Policy.Objects("signers") {
		if fingerprintOf(one.Text("public_key_hex")) == given {
			return refuse(exitUsage,
				fmt.Sprintf("--public-key-hex: this is the fingerprint of %s, which you pin already, and not a key.", one.Text("kid")),
				"Nothing was changed. A fingerprint is for comparing.")
		}
	}
	return nil
}

// witnessStep reads a witness. Its name holds no plus, and a verification key always does.
func witnessStep(call *cmdline.Call) (*trustStep, error) {
	if !call.Has("witness") {
		return nil, nil
	}
	name, key, err := witnessOf(call)
	if err != nil {
		return nil, err
	}
	pin := ordered.New(ordered.Member{Name: "name", Value: name}, ordered.Member{Name: "public_key_hex", Value: key})
	return &trustStep{
		"Pinned the witness " + name + ".",
		func(file trustfile.File) (trustfile.File, error) { return file.AddWitness(pin), nil },
	}, nil
}

func witnessOf(call *cmdline.Call) (name, key string, err error) {
	given := call.Value("witness")
	switch hasKey := call.Has("public-key-hex"); {
	case !strings.Contains(given, "+") && hasKey:
		key, err := parsePublicKeyHex(call.Value("public-key-hex"))
		return given, key, err
	case !strings.Contains(given, "+"):
		return "", "", refuse(exitUsage, "--witness: this is the name of a witness without its key.",
			"Give its C2SP key (name+id+key), or its raw key with --public-key-hex.")
	case hasKey:
		return "", "", refuse(exitUsage, "--witness holds the key already, and --public-key-hex gives another.",
			"Leave one of them out, or make two calls.")
	}
	read, code := note.ParseKey(given, note.Ed25519, note.Cosignature)
	if code != "" {
		return "", "", refuse(exitUsage, "--witness: "+verificationKeyFaults[code], "Was all of it copied?")
	}
	if read.Type != note.Cosignature {
		return "", "", refuse(exitUsage, "--witness: this is the key of an ordinary signer (type 0x01), not of a witness (0x04).",
			"Ask the witness for the key of its cosignatures.")
	}
	return read.Name, hex.EncodeToString(read.Raw), nil
}

var verificationKeyFaults = map[string]string{
	"malformed":          "this is no C2SP key: a name, 8 hex characters and base64, joined by plus signs.",
	"unsupported_object": "this is a key of another type than Ed25519.",
	"kid_mismatch":       "the id inside it is not that of its name and key.",
}

func (s *system) quorumStep(call *cmdline.Call) (*trustStep, error) {
	switch {
	case call.Has("quorum"):
		count, err := parseNumber("--quorum", call.Value("quorum"))
		if err != nil {
			return nil, err
		}
		number := json.Number(fmt.Sprint(count))
		return &trustStep{
			fmt.Sprintf("Set the quorum to %d.", count),
			func(file trustfile.File) (trustfile.File, error) { return file.SetQuorum(number), nil },
		}, nil
	case call.Has("quorum-file"):
		bytes, err := s.readInput(call.Value("quorum-file"), maxQuorumFile)
		if err != nil {
			return nil, err
		}
		text := asText(bytes)
		return &trustStep{
			"Set the quorum to that tlog-policy.",
			func(file trustfile.File) (trustfile.File, error) { return file.SetQuorum(text), nil },
		}, nil
	default:
		return nil, nil
	}
}

func requireStep(call *cmdline.Call) (*trustStep, error) {
	wanted := call.Values("require")
	if len(wanted) == 0 {
		return nil, nil
	}
	return &trustStep{
		"From now on you require: " + strings.Join(wanted, ", ") + ".",
		func(file trustfile.File) (trustfile.File, error) { return file.Require(wanted), nil },
	}, nil
}

// parseNumber reads a decimal number of 0 to 2^53-1, without sign or leading zero.
func parseNumber(option, text string) (int64, error) {
	if number, ok := note.Decimal(text); ok {
		return number, nil
	}
	return 0, refuse(exitUsage, fmt.Sprintf(`%s: "%s" is no number.`, option, text), "Give it in decimal digits, as in 2.")
}

// asText returns bytes as text, with U+FFFD for what is not UTF-8. A byte-order mark belongs to the first line.
func asText(bytes []byte) string {
	return strings.ToValidUTF8(string(bytes), "\ufffd")
}
