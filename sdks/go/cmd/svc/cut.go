package main

import (
	"errors"
	"fmt"
	"slices"

	svc "svc.example/go"
	"svc.example/go/cmd/svc/internal/cmdline"
	"svc.example/go/internal/examine"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/kernel"
	"svc.example/go/render"
	"svc.example/go/report"
)

const sayShow = `"svc bundles show" says what is in a bundle.`

// redactable are the kinds that carry payloads.
var redactable = []report.Kind{report.KindBundle, report.KindPortableReceipt, report.KindStream, report.KindReceipt}

func (s *system) redact() *cmdline.Command {
	return &cmdline.Command{
		Name: "redact", About: "Leave payloads out of a bundle, a portable receipt, a run of receipts or a receipt.",
		Operands: []cmdline.Operand{fileOperand},
		Options: []cmdline.Option{
			{Name: "seq", Value: "<numbers>", About: "the events, as in 3,7-9", Check: checkSequenceNumbers, IsRequired: true},
			outOption, forceOption, fileOption,
		},
		After: []string{
			"\nNo key is needed, and every proof stays valid. source_ref, event_type and times",
			"stay readable, and so does what fork evidence in a bundle shows.",
			"\nExample:\n  svc bundles redact march.bundle.json --seq 3,7-9 --out march.redacted.json",
		},
		Run: s.redactFile,
	}
}

func (s *system) redactFile(call *cmdline.Call) error {
	path, err := fileOf(call)
	if err != nil {
		return err
	}
	chosen, err := parseSequenceNumbers(call.Value("seq"))
	if err != nil {
		return err
	}
	file, text, err := s.openEvidence(path, redactable...)
	if err != nil {
		return err
	}
	redacted, found, err := examine.Redact(kernel.Native, text, chosen)
	var refused *svc.RefusalError
	isOfForm := err == nil || (errors.As(err, &refused) && refused.Report != nil)
	if shown := shownInForks(file.Value, chosen); isOfForm && len(shown) > 0 {
		return refuse(exitRejected,
			fmt.Sprintf("The payloads of events %s are in the fork evidence of this bundle too, which its seal covers: nothing was written.", inRanges(shown)),
			"Hand out portable receipts of single events instead.")
	}
	if err != nil {
		return cannotCut(err)
	}
	if wrote, err := s.writeResult(call, append(redacted, '\n'), render.EscapeJSON); err != nil || !wrote {
		return err
	}
	s.out.lines(render.Wrap(fmt.Sprintf(
		"Wrote %s: without the payloads of events %s. %d of its payloads are left out now. Nothing else was changed: it verifies as before.",
		render.Escape(call.Value("out")), inRanges(chosen), found.Assurance.Redacted), "", "")...)
	s.out.lines("source_ref, event_type and the times stay readable.")
	return nil
}

// shownInForks returns the chosen events whose payload the fork evidence of a bundle shows.
func shownInForks(value jsonx.Value, chosen []int64) (found []int64) {
	var walk func(jsonx.Value)
	walk = func(value jsonx.Value) {
		if seqNo, ok := value.Get("seq_no").Int(); ok && value.Get("payload").Exists() && slices.Contains(chosen, seqNo) {
			found = append(found, seqNo)
		}
		for _, one := range value.Members() {
			walk(one)
		}
		for _, one := range value.Elements() {
			walk(one)
		}
	}
	walk(value.At("artifacts", "forks.json"))
	slices.Sort(found)
	return slices.Compact(found)
}

// cannotCut says why nothing was cut out.
func cannotCut(err error) error {
	var refused *svc.RefusalError
	switch {
	case !errors.As(err, &refused):
		return err
	case refused.Report != nil && len(refused.Report.Problems) > 0:
		first := refused.Report.Problems[0]
		place := first.Path
		if place == "" {
			place = "/"
		}
		return refuse(exitRejected,
			fmt.Sprintf("What was cut out does not hold, so nothing was written: %s at %s. %s", first.Code, place, first.Message),
			"Verify the file that it was cut from.")
	case refused.Reason != "":
		return refuse(exitUsage, refused.Reason, sayShow)
	default:
		return refuse(exitUsage,
			"The payload of an event of a vault is its envelope, which this bundle holds in provenance.json too: nothing was written.",
			"Leave its content out of contents instead.")
	}
}

// extract returns the command under the name that its family gives it.
func (s *system) extract(name, example string) *cmdline.Command {
	return &cmdline.Command{
		Name: name, About: "Cut the portable receipt of one event out of a bundle.",
		Operands: []cmdline.Operand{fileOperand},
		Options: []cmdline.Option{
			{Name: "seq", Value: "<number>", About: "the event", Check: checkOrdinal, IsRequired: true},
			{Name: "checkpoint", Value: "<number>", About: "the checkpoint to lead to; the newest one by default", Check: checkOrdinal},
			outOption, forceOption, fileOption,
		},
		After: []string{
			"\nIt carries the event's payload if the bundle does, and of no other event.",
			"\nExample:\n  " + example,
		},
		Run: s.extractReceipt,
	}
}

func (s *system) extractReceipt(call *cmdline.Call) error {
	path, err := fileOf(call)
	if err != nil {
		return err
	}
	_, text, err := s.openEvidence(path, report.KindBundle)
	if err != nil {
		return err
	}
	seqNo, _ := parseOrdinal(call.Value("seq"))
	checkpointNo, _ := parseOrdinal(call.Value("checkpoint"))
	portable, err := svc.PortableReceiptUpTo(text, seqNo, checkpointNo)
	if err != nil {
		return cannotCut(err)
	}
	if wrote, err := s.writeResult(call, append(portable, '\n'), render.EscapeJSON); err != nil || !wrote {
		return err
	}
	tree, err := jsonx.Parse(portable, jsonx.Limits{})
	if err != nil {
		return err
	}
	payload := "without its payload, which the bundle leaves out"
	if tree.Root().At("receipt", "payload").Exists() {
		payload = "with its payload"
	}
	s.out.lines(render.Wrap(fmt.Sprintf(
		"Wrote %s: the portable receipt of event %d, %s, up to checkpoint %s. Its form and hashes hold; whose key it is was not asked.",
		render.Escape(call.Value("out")), seqNo, payload, tree.Root().At("checkpoint", "checkpoint_no").Canonical()), "", "")...)
	return nil
}
