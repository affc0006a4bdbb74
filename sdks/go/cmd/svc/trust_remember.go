package main

import (
	"context"
	"encoding/json"
	"fmt"

	svc "svc.example/go"
	"svc.example/go/cmd/svc/internal/cmdline"
	"svc.example/go/cmd/svc/internal/ordered"
	"svc.example/go/cmd/svc/internal/trustfile"
	"svc.example/go/internal/jsonx"
	"svc.example/go/report"
)

func (s *system) trustRemember() *cmdline.Command {
	return &cmdline.Command{
		Name: "remember", About: "Verify a file, and note its newest checkpoint, so that a rewritten past is found later.",
		Operands: []cmdline.Operand{{Name: "file", About: "evidence with a checkpoint; - for standard input", IsRequired: true}},
		After: []string{
			"\nExample:\n  svc trust remember march.bundle.json",
			"\nOnly a verified file is remembered; otherwise the exit code is 1 or 2.",
		},
		Run: func(call *cmdline.Call) error {
			path := call.Operands[0]
			bytes, err := s.readInput(path, maxInput)
			if err != nil {
				return err
			}
			if err := refuseOther(named(path), bytes, false); err != nil {
				return err
			}
			done := []string{"Remembered. Evidence of this stream must extend that checkpoint from now on, or be part of it."}
			_, err = s.changeTrust(call, done, func(file trustfile.File) (trustfile.File, error) {
				return remembered(file, path, bytes)
			})
			return err
		},
	}
}

// remembered verifies bytes under the content of the file at the moment of writing, and notes their newest checkpoint.
func remembered(file trustfile.File, path string, bytes []byte) (trustfile.File, error) {
	text, err := file.Policy.Canonical()
	if err != nil {
		return file, err
	}
	trust, err := svc.ParseTrustPolicy(text)
	if err != nil {
		return file, err
	}
	found, err := svc.VerifyBytes(context.Background(), bytes, svc.Options{Trust: trust})
	if found == nil {
		return file, err
	}
	if len(found.Problems) > 0 {
		first := found.Problems[0]
		place := first.Path
		if place == "" {
			place = "the whole"
		}
		return file, refuse(exitOf[found.Verdict],
			fmt.Sprintf(`"%s" is %s, so it was not remembered: %s at %s. %s`, path, found.Verdict, first.Code, place, first.Message),
			first.Action)
	}
	head, err := newestHead(found.Kind, bytes)
	if err != nil {
		return file, err
	}
	if head == nil {
		return file, refuse(exitUsage, fmt.Sprintf(`"%s" is verified, and shows no checkpoint to remember.`, path),
			"Give a bundle, a checkpoint, a portable receipt with one, or consistency evidence.")
	}
	return file.NoteHead(head), nil
}

// newestHead returns the newest checkpoint that a verified object shows, as a known checkpoint (protocol section 16);
// nil if it shows none. It verifies nothing.
func newestHead(kind report.Kind, bytes []byte) (*ordered.Object, error) {
	tree, err := jsonx.Parse(bytes, jsonx.Limits{})
	if err != nil {
		return nil, err
	}
	var checkpoint jsonx.Value
	switch object := tree.Root(); kind {
	case report.KindBundle:
		for _, one := range object.At("artifacts", "checkpoints.json").Elements() {
			checkpoint = one
		}
	case report.KindCheckpoint:
		checkpoint = object
	case report.KindConsistency:
		// It has none if it is over anchors.
		checkpoint = object.Get("to_checkpoint")
	case report.KindPortableReceipt:
		checkpoint = object.Get("checkpoint")
	}
	if !checkpoint.Exists() {
		return nil, nil
	}
	stream, _ := checkpoint.Get("stream_id").Text()
	root, _ := checkpoint.Get("checkpoint_root").Text()
	return ordered.New(
		ordered.Member{Name: "stream_id", Value: stream},
		ordered.Member{Name: "window_count", Value: json.Number(checkpoint.Get("window_count").Canonical())},
		ordered.Member{Name: "checkpoint_root", Value: root},
	), nil
}
