package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	svc "svc.example/go"
	"svc.example/go/cmd/svc/internal/cmdline"
	"svc.example/go/internal/examine"
	"svc.example/go/internal/histories"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/kernel"
	"svc.example/go/internal/note"
	"svc.example/go/internal/tables"
	"svc.example/go/render"
	"svc.example/go/report"
)

// comparableKinds are those with parts that can contradict each other.
var comparableKinds = []report.Kind{
	report.KindReceipt, report.KindStream, report.KindWindow, report.KindCheckpoint, report.KindConsistency,
	report.KindBundle, report.KindPortableReceipt, report.KindAnchor,
}

func (s *system) find() *cmdline.Command {
	out := outOption
	out.IsRequired = true
	return &cmdline.Command{
		Name: "find", About: "Look for a contradiction between two files, and write portable proof of it.",
		Operands: []cmdline.Operand{
			{Name: "a", About: "a bundle, a receipt, a window, a checkpoint, an anchor or a signed note", IsRequired: true},
			{Name: "b", About: "another one", IsRequired: true},
		},
		Options: append(trustOptions(),
			cmdline.Option{Name: "policy", Value: "<path>", About: "the policy of a checkpoint, which says by when it must cover a receipt; repeatable", IsRepeatable: true},
			out, forceOption),
		After: []string{
			"\nA receipt and a checkpoint that leaves it out for too long are a broken",
			"promise. A lone checkpoint only names its policy: give that with --policy, or a",
			"bundle that has it.",
			"\nExample:\n  svc forks find march.bundle.json retold.bundle.json --out fork.json",
			"\nExit codes: 0 nothing found, 1 found, 64 wrong call, 66 unreadable file,",
			"70 an error of svc itself.",
			verifyingTrustHelp,
		},
		Run: s.findFork,
	}
}

// findFork makes one small proof that convinces others out of two files that contradict each other (protocol section
// 11). Finding nothing is an answer; so is finding something, and a script must notice it.
func (s *system) findFork(call *cmdline.Call) error {
	a, b := call.Operands[0], call.Operands[1]
	if a == "-" && b == "-" {
		return refuse(exitUsage, "Both files cannot be standard input.", "Give one of them as a file.")
	}
	read, err := s.readTrust(call, []kernel.Kernel{kernel.Native})
	if err != nil {
		return err
	}
	trust, err := trustPolicy(read)
	if err != nil {
		return err
	}
	left, err := s.openSide(a)
	if err != nil {
		return err
	}
	right, err := s.openSide(b)
	if err != nil {
		return err
	}
	policies, err := s.readPolicies(call.Values("policy"))
	if err != nil {
		return err
	}
	found, err := svc.FindFork(left, right, svc.FindForkOptions{
		ForkID: randomID("frk", time.Now()), DetectedAt: time.Now().UTC().Format("2006-01-02T15:04:05.000Z"),
		Trust: trust, Policies: policies,
	})
	var refused *svc.RefusalError
	switch {
	case errors.As(err, &refused):
		return refuse(exitInput, "One of the files of --policy has not the form of a policy.",
			"Give the policy that the checkpoint names by its digest, or a bundle over the time.")
	case err != nil:
		return err
	case found == nil:
		return s.compareSides(read, [2]string{a, b}, [2][]byte{left, right}, call.Value("out"))
	default:
		return s.writeFound(call, found, trust)
	}
}

// compareSides compares what two files show, as svc verify does: they may contradict each other though they hold no
// proof for others.
func (s *system) compareSides(read members, files [2]string, sides [2][]byte, out string) error {
	policy, err := read.read()
	if err != nil {
		return err
	}
	how := settings{kernels: []kernel.Kernel{kernel.Native}, policy: policy, workers: 1}
	var reports [2]*report.Report
	var objects [2]histories.Object
	for i, side := range sides {
		found, err := how.check(side)
		if err != nil {
			return err
		}
		reports[i], objects[i] = found.report, histories.Object{Histories: found.histories, Signers: found.report.Signers}
	}
	contradictions := histories.Contradictions(objects[:])
	if len(contradictions) == 0 {
		s.sayNothingFound(files[0], files[1], out)
		return nil
	}
	one := contradictions[0]
	fork := forkAmong{
		stream: &one.Stream, files: files[:], place: one.Place, at: one.At, isReached: one.IsReached,
		unchecked: uncheckedOf(one, files[0], files[1], reports[0], reports[1]),
	}
	s.say(out, append(render.Wrap("Found: "+fork.sentence(), "", ""), render.Wrap(tables.ForkWords["unproven"], "", "")...))
	return exit(exitRejected)
}

// say prints lines. Where standard output is for the proof, and none was made, they go to the other one.
func (s *system) say(out string, lines []string) {
	if out == "-" {
		s.out.errText(strings.Join(lines, "\n") + "\n")
	} else {
		s.out.lines(lines...)
	}
}

// trustPolicy returns whom a call trusts; the zero policy if it names nobody.
func trustPolicy(read members) (trust svc.TrustPolicy, err error) {
	if read == nil {
		return trust, nil
	}
	text, err := jsonx.Encode(map[string]any(read))
	if err != nil {
		return trust, err
	}
	return svc.ParseTrustPolicy(text)
}

// openSide returns the bytes of an object with parts, or of a signed note. It refuses anything else, which would look
// like no contradiction.
func (s *system) openSide(path string) ([]byte, error) {
	bytes, err := s.readInput(path, maxInput)
	if err != nil {
		return nil, err
	}
	if err := refuseOther(named(path), bytes, false); err != nil {
		return nil, err
	}
	decoded, err := examine.Decode(kernel.Native, bytes)
	var fault *examine.FormFault
	switch {
	case err == nil && slices.Contains(comparableKinds, decoded.Kind):
		return bytes, nil
	case err != nil && !errors.As(err, &fault):
		return nil, err
	}
	what := ""
	if fault == nil {
		what = "is " + tables.KindNouns[string(decoded.Kind)] + ", which holds nothing to compare."
	} else if _, isNote := note.Parse(string(bytes)); isNote && fault.Kind == "" {
		return bytes, nil
	} else {
		what = "cannot be read as evidence or as a signed note: " + faultInWords(fault)
	}
	return nil, refuse(exitInput, named(path)+" "+what, "Give bundles, receipts, windows, checkpoints, anchors or notes as they were handed to you.")
}

// readPolicies returns policies, or those of bundles. It refuses any other file.
func (s *system) readPolicies(paths []string) (policies [][]byte, err error) {
	for _, path := range paths {
		bytes, err := s.readInput(path, maxInput)
		if err != nil {
			return nil, err
		}
		if err := refuseOther(named(path), bytes, false); err != nil {
			return nil, err
		}
		tree, err := jsonx.Parse(bytes, jsonx.Limits{})
		var object jsonx.Value
		if err == nil {
			object = tree.Root()
		}
		_, hasID := object.Get("policy_id").Text()
		switch {
		case examine.KindOf(object) == report.KindBundle:
			for _, one := range object.At("artifacts", "witnesses.json", "policies").Elements() {
				policies = append(policies, one.Canonical())
			}
		case hasID && object.Get("window_max_seconds").Kind() == jsonx.Number:
			policies = append(policies, bytes)
		default:
			return nil, refuse(exitInput, named(path)+" is no policy of a stream, and no bundle.",
				"Give the policy that the checkpoint names by its digest, or a bundle over the time.")
		}
	}
	return policies, nil
}

func (s *system) sayNothingFound(a, b, out string) {
	lines := render.Wrap(fmt.Sprintf("Nothing found: what %s and %s show does not contradict each other.", render.Escape(a), render.Escape(b)), "", "")
	lines = append(lines, render.Wrap("That is no proof of one history: a contradiction can lie in what neither file shows.", "", "")...)
	s.say(out, lines)
}

func (s *system) writeFound(call *cmdline.Call, found []byte, trust svc.TrustPolicy) error {
	result, err := svc.VerifyBytes(context.Background(), found, svc.Options{Kind: report.KindFork, Trust: trust})
	if result == nil {
		return err
	}
	wrote, err := s.writeResult(call, append(slices.Clone(found), '\n'), render.EscapeJSON)
	if err != nil {
		return err
	}
	if wrote {
		tree, err := jsonx.Parse(found, jsonx.Limits{})
		if err != nil {
			return err
		}
		whose := "Its signatures were not checked: a key is missing. Give it with --public-key-hex, or it convinces nobody."
		if result.OK {
			whose = "The proof is verified under your trust."
		} else if result.Assurance.Signed {
			whose = "Its signatures hold; whose key it is, you have not said."
		}
		kind, _ := tree.Root().Get("kind").Text()
		out := call.Value("out")
		s.out.lines(render.Wrap(fmt.Sprintf("Found: two histories. %s is proof of the kind %s, about %s.", render.Escape(out), kind, aboutFork(tree.Root())), "", "")...)
		s.out.lines(render.Wrap(whose, "", "")...)
		s.out.lines("", "Give it to others; they check it with svc alone:",
			"    svc forks verify "+render.ShellWord(out)+" --public-key-hex <key>")
	}
	return exit(exitRejected)
}

// aboutFork says what the sides of fork evidence are about.
func aboutFork(fork jsonx.Value) string {
	stream, ok := fork.Get("stream_id").Text()
	if !ok {
		stream = "the service's log"
	}
	left := fork.Get("left")
	for _, one := range []struct{ member, words string }{
		{"seq_no", "event %d of "}, {"window_no", "window %d of "}, {"window_count", "the tree of %d windows of "},
	} {
		if number, ok := left.Get(one.member).Int(); ok {
			return fmt.Sprintf(one.words, number) + render.Escape(stream)
		}
	}
	return render.Escape(stream)
}

const (
	// crockford holds the digits of base32 in identifiers.
	crockford    = "0123456789abcdefghjkmnpqrstvwxyz"
	timeDigits   = 10
	randomDigits = 16
)

// randomID returns an identifier of protocol section 5: a prefix, the milliseconds since 1970 and 80 random bits.
func randomID(prefix string, now time.Time) string {
	digits := make([]byte, timeDigits+randomDigits)
	for at, rest := timeDigits-1, now.UnixMilli(); at >= 0; at, rest = at-1, rest/int64(len(crockford)) {
		digits[at] = crockford[rest%int64(len(crockford))]
	}
	chance := digits[timeDigits:]
	// It never fails (crypto/rand).
	_, _ = rand.Read(chance)
	for i, one := range chance {
		chance[i] = crockford[int(one)%len(crockford)]
	}
	return prefix + "_" + string(digits)
}
