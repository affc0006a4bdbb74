package main

import (
	"time"

	"svc.example/go/cmd/svc/internal/cmdline"
	"svc.example/go/internal/foreign"
	"svc.example/go/internal/kernel"
	"svc.example/go/render"
	"svc.example/go/report"
)

// A fileCheck is a command that verifies one file as one kind, or as the kind that it shows.
type fileCheck struct {
	name, about, example string
	// kind is empty if the file shows its kind.
	kind report.Kind
	// options of the command alone are before those that all share; note is a paragraph of its help.
	options []cmdline.Option
	note    string
	// paths returns the paths of other files that the call reads, by the name of their option.
	paths func(*cmdline.Call) [][2]string
	// words returns the words that a further call must repeat, as words of a shell.
	words func(*cmdline.Call) []string
	// prepare returns the bytes to verify in place of those of the file.
	prepare func(*cmdline.Call, []kernel.Kernel, []byte) ([]byte, error)
	// reported returns the content of the file of --report, if it differs from that of --json.
	reported func(*cmdline.Call, *report.Report, []byte) any
}

// fileCommand returns the command.
func (s *system) fileCommand(c fileCheck) *cmdline.Command {
	after := []string{
		"\nExample:\n  " + c.example + "\n\nExit codes: 0 verified, 1 rejected, 2 untrusted,",
		"64 wrong call, 66 a file that cannot be read or is no evidence at all,",
		"or a --report that cannot be written, 70 an error of svc itself.",
		verifyingTrustHelp,
	}
	if c.note != "" {
		after = append([]string{c.note}, after...)
	}
	return &cmdline.Command{
		Name: c.name, About: c.about, Operands: []cmdline.Operand{fileOperand}, After: after,
		Options: append(append(append([]cmdline.Option{}, c.options...), verifyOptions()...), fileOption),
		Run: func(call *cmdline.Call) error {
			file, err := fileOf(call)
			if err != nil {
				return err
			}
			return s.verifyFile(call, c, file)
		},
	}
}

// fileOf returns the one file of a call.
func fileOf(call *cmdline.Call) (string, error) {
	switch {
	case len(call.Operands) == 0 && !call.Has("file"):
		return "", &cmdline.Error{Path: call.Path, Message: "missing required argument 'file'"}
	case len(call.Operands) == 0:
		return call.Value("file"), nil
	case call.Has("file"):
		return "", &cmdline.Error{Path: call.Path, Message: "the file is given twice"}
	default:
		return call.Operands[0], nil
	}
}

// verifyFile verifies a file, prints the report, and returns the exit code of its verdict.
func (s *system) verifyFile(call *cmdline.Call, c fileCheck, file string) error {
	started := time.Now()
	paths := [][2]string{{"--file", file}, {"--trust", call.Value("trust")}}
	if c.paths != nil {
		paths = append(paths, c.paths(call)...)
	}
	paths = append(append(paths, [2]string{"--quorum", call.Value("quorum")}), linkPaths(call)...)
	if err := requireOneStandardInput(paths); err != nil {
		return err
	}
	if err := requireOtherFile(call.Value("report"), paths); err != nil {
		return err
	}
	how, policy, err := s.settingsOf(call, c.kind)
	if err != nil {
		return err
	}
	most := int64(maxInput)
	if c.kind == report.KindTruthPackage {
		most = maxPackage
	}
	end := s.waiting(call, "checking "+render.Escape(file))
	defer end()
	text, err := s.readInput(file, most)
	if err != nil {
		return err
	}
	s.memory.expect(int64(len(text)), 1)
	if err := refuseOther(named(file), text, c.kind == "" || c.kind == report.KindTruthPackage); err != nil {
		return err
	}
	if c.prepare != nil {
		if text, err = c.prepare(call, how.kernels, text); err != nil {
			return err
		}
	}
	found, err := how.check(text)
	if err != nil {
		return err
	}
	opened := foreign.File{Bytes: text}
	if found.report.Verdict == report.Rejected {
		opened = foreign.Read(text)
	}
	if err := refuseForeign(named(file), found.report, opened); err != nil {
		return err
	}
	reader, err := s.readerOf(call, policy)
	if err != nil {
		return err
	}
	end()
	page := render.Call{
		File: file, Bytes: text, Kind: c.kind, Found: opened.Kind, HasTrust: policy != nil, TrustFile: call.Value("trust"), Reader: reader,
		IsWhole: call.Has("all"), Seconds: time.Since(started).Seconds(), IsColored: s.wantsColor(call),
	}
	if c.words != nil {
		page.More = c.words(call)
	}
	if err := s.answer(call, found, page); err != nil {
		return err
	}
	if path := call.Value("report"); path != "" {
		var content any = found
		if c.reported != nil {
			content = c.reported(call, found.report, text)
		}
		if err := writeReport(path, content); err != nil {
			return err
		}
	}
	if c.kind == "" && found.report.Kind == report.KindFork && found.report.Verdict == report.Verified {
		// A good verdict that is bad news: the command for forks asks whether such evidence holds.
		return exit(exitRejected)
	}
	return exit(exitOf[found.report.Verdict])
}

// settingsOf returns how a call verifies, and the trust policy of the call; nil if it names nobody and asks nothing.
func (s *system) settingsOf(call *cmdline.Call, kind report.Kind) (settings, members, error) {
	how := settings{kind: kind, workers: jobsOf(call)}
	var err error
	if how.kernels, err = kernels(call); err != nil {
		return how, nil, err
	}
	policy, err := s.readTrust(call, how.kernels)
	if err != nil {
		return how, nil, err
	}
	if policy, err = s.tighten(policy, call); err != nil {
		return how, nil, err
	}
	if how.policy, err = policy.read(); err != nil {
		return how, nil, err
	}
	for _, path := range call.Values("link") {
		link, err := s.readLink(path)
		if err != nil {
			return how, nil, err
		}
		how.links = append(how.links, link)
	}
	return how, policy, nil
}

// readLink returns consistency evidence, or an earlier epoch, that is handed in beside the object.
func (s *system) readLink(path string) ([]byte, error) {
	_, text, err := s.openEvidence(path, report.KindConsistency, report.KindIVCEpoch)
	return text, err
}

// answer prints a report in the form that the call asks for.
func (s *system) answer(call *cmdline.Call, found checked, page render.Call) error {
	if call.Has("quiet") {
		return nil
	}
	if call.Has("json") {
		line, err := jsonLine(found)
		if err == nil {
			s.out.lines(line)
		}
		return err
	}
	lines, err := render.Lines(found.report, page)
	if err != nil {
		return err
	}
	if found.crossCheck != nil {
		lines = append(lines, found.crossCheck.lines()...)
	}
	s.out.lines(lines...)
	return nil
}
