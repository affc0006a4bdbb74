package main

import (
	"strings"

	"svc.example/go/cmd/svc/internal/cmdline"
	"svc.example/go/render"
	"svc.example/go/report"
)

// program returns the tree of commands, in the order of the help. A command that only the npm svc has is in it by
// its name.
func (s *system) program() *cmdline.Command {
	return &cmdline.Command{
		Name:    "svc",
		About:   "Verify evidence streams, offline.",
		Options: []cmdline.Option{{Name: "version", About: "print the version"}},
		After: []string{
			"\nTo begin with:\n  svc verify march.bundle.json\n  svc trust --help",
			"\n" + strings.Join(render.Wrap("The npm svc, which needs Node, has more commands: "+strings.Join(elsewhereNames, ", ")+".", "", ""), "\n"),
		},
		Commands: append([]*cmdline.Command{
			s.verifyCommand(),
			s.bundles(),
			s.receipts(),
			s.consistency(),
			s.forks(),
			s.explainCommand(),
			s.trust(),
			s.keys(),
			s.completion(),
			s.conformanceCommand(),
			s.version(),
		}, others(elsewhereNames...)...),
	}
}

// elsewhereNames are the commands of the first level that only the npm svc has.
var elsewhereNames = []string{
	"report", "disclosures", "assurance", "ivc", "watch", "tamper", "bench", "windows", "checkpoints", "anchors",
}

func (s *system) bundles() *cmdline.Command {
	return &cmdline.Command{
		Name:  "bundles",
		About: "bundles: all events of a range, with everything that proves them",
		Commands: append([]*cmdline.Command{
			s.fileCommand(fileCheck{
				name: "offline-verify", kind: report.KindBundle,
				about:   "Verify a bundle on this machine alone; no connection is opened.",
				example: "svc bundles offline-verify march.bundle.json --trust acme.trust.json",
			}),
			s.showCommand(),
			s.redact(),
			s.extract("extract", "svc bundles extract march.bundle.json --seq 5 --out loan-1005.portable.json"),
		}, others("provenance-verify", "verify", "continuity", "note", "tlog-proof", "tlog-policy")...),
	}
}

func (s *system) receipts() *cmdline.Command {
	return &cmdline.Command{
		Name:  "receipts",
		About: "receipts: what the service signed when it accepted one event",
		Commands: []*cmdline.Command{
			s.verifyReceiptCommand(),
			s.extract("export", "svc receipts export march.bundle.json --seq 5 --out loan-1005.portable.json"),
		},
	}
}

func (s *system) consistency() *cmdline.Command {
	return &cmdline.Command{
		Name:  "consistency",
		About: "consistency: that a later state of a stream or a log extends an earlier one",
		Commands: []*cmdline.Command{s.fileCommand(fileCheck{
			name: "verify", kind: report.KindConsistency,
			about:   "Verify consistency evidence on this machine alone; no connection is opened.",
			example: "svc consistency verify march-to-april.json --trust acme.trust.json",
		})},
	}
}

func (s *system) forks() *cmdline.Command {
	return &cmdline.Command{
		Name:  "forks",
		About: "forks: proof that a service, or a witness, told two histories",
		Commands: []*cmdline.Command{s.find(), s.fileCommand(fileCheck{
			name: "verify", kind: report.KindFork,
			about:   "Verify evidence of a fork on this machine alone: exit code 0 means that there is one.",
			example: "svc forks verify fork.json --trust acme.trust.json",
		})},
	}
}

// only returns a command that only the npm svc has.
func only(name string) *cmdline.Command { return &cmdline.Command{Name: name, IsElsewhere: true} }

func others(names ...string) (commands []*cmdline.Command) {
	for _, name := range names {
		commands = append(commands, only(name))
	}
	return commands
}

func (s *system) printVersion(*cmdline.Call) error {
	s.out.lines("svc " + report.Version)
	return nil
}
