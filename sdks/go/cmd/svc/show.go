package main

import (
	"svc.example/go/cmd/svc/internal/cmdline"
	"svc.example/go/render"
	"svc.example/go/report"
)

// shownRows is how many rows of a list are shown unless all are asked for.
const shownRows = 20

// showCommand shows the content of a bundle. It reads without verifying, and its first line says so.
func (s *system) showCommand() *cmdline.Command {
	return &cmdline.Command{
		Name:     "show",
		About:    "Show what a bundle says of itself, WITHOUT verifying it.",
		Operands: []cmdline.Operand{fileOperand},
		Options: []cmdline.Option{
			{Name: "all", About: "every window, checkpoint, anchor and event, however many there are, and payloads whole"},
			{Name: "events", About: "its events, with their payloads, in the place of all else"},
			{Name: "no-payloads", About: "the events without their payloads"},
			fileOption,
		},
		After: []string{"\nExample:\n  svc bundles show march.bundle.json --events"},
		Run:   s.show,
	}
}

func (s *system) show(call *cmdline.Call) error {
	file, err := fileOf(call)
	if err != nil {
		return err
	}
	opened, _, err := s.openEvidence(file, report.KindBundle)
	if err != nil {
		return err
	}
	page := &shownBundle{opened.Value, file, call.Has("all")}
	if call.Has("events") || call.Has("no-payloads") {
		s.out.lines(page.events(!call.Has("no-payloads"))...)
	} else {
		s.out.lines(page.contents()...)
	}
	return nil
}

// unverified returns the first line of every page about a file that nobody has checked.
func unverified(path string) []string {
	name := render.Escape(path)
	if path == "-" {
		name = "standard input"
	}
	return render.Wrap("NOT VERIFIED: what "+name+" says of itself. Nothing of it was checked.", "", "")
}
