package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"svc.example/go/cmd/svc/internal/cmdline"
	"svc.example/go/internal/kernel"
)

const (
	// maxJobs is more than any machine has use for.
	maxJobs = 64
	// usualJobs is the most that a call gets which names no number.
	usualJobs = 4
)

var streamID = regexp.MustCompile(`^str_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$`)

// requirements are those of --require, in the order in which the evidence grows.
var requirements = []string{"included", "witnessed", "published", "anchored"}

// fileOperand and fileOption name the one file of a command: a person gives the word, a script the option.
var (
	fileOperand = cmdline.Operand{Name: "file", About: "the file; - for standard input"}
	fileOption  = cmdline.Option{Name: "file", Value: "<path>", About: "the file, as an option"}
)

// verifyOptions are those of every command that verifies.
func verifyOptions() []cmdline.Option {
	return append(trustOptions(), []cmdline.Option{
		{Name: "stream", Value: "<id>", About: "expect evidence of this stream", Check: checkStreamID},
		{Name: "from", Value: "<number>", About: "expect every event from this one on", Check: checkOrdinal},
		{Name: "to", Value: "<number>", About: "expect every event up to this one", Check: checkOrdinal},
		{Name: "quorum", Value: "<count|path>", About: "how many of your witnesses must have cosigned; or a tlog-policy"},
		{Name: "require", Value: "<what>", About: "included, witnessed, published, anchored; repeatable, or with commas between", IsRepeatable: true, Check: checkRequirements},
		{Name: "link", Value: "<path>", About: "consistency evidence that links your known checkpoints; or the epoch before; repeatable", IsRepeatable: true},
		{Name: "all", About: "say all that one file shows and does not, and what was not checked"},
		{Name: "json", About: "print the report as JSON, whole, on one line"},
		{Name: "report", Value: "<path>", About: "write that JSON to a file too, also where there is no verdict"},
		{Name: "quiet", About: "print nothing but errors", Conflicts: []string{"json"}},
		kernelOption(),
		{Name: "cross-check", About: "verify with both kernels; a verdict only if they agree", Conflicts: []string{"kernel"}},
		{Name: "jobs", Value: "<number>", About: "how many threads may check (default: one a core, at most 4)", Check: checkJobs},
		{Name: "color", Value: "<when>", About: "when to colour", Choices: []string{"auto", "always", "never"}, Default: "auto"},
	}...)
}

func checkStreamID(text string) error {
	if streamID.MatchString(text) {
		return nil
	}
	return cmdline.Fault("A stream is named by str_ and 26 characters.")
}

// parseOrdinal returns the number that a text writes in digits, 1 to 2^53-1.
func parseOrdinal(text string) (number int64, ok bool) {
	number, err := strconv.ParseInt(text, 10, 64)
	return number, err == nil && text[0] != '0' && text[0] != '+' && number > 0 && number < 1<<53
}

func checkOrdinal(text string) error {
	if _, ok := parseOrdinal(text); ok {
		return nil
	}
	return cmdline.Fault("Give a whole number from 1 on, without leading zeros.")
}

func checkJobs(text string) error {
	jobs, ok := parseOrdinal(text)
	if !ok {
		return checkOrdinal(text)
	}
	if jobs > maxJobs {
		return cmdline.Fault(fmt.Sprintf("Give 1 to %d.", maxJobs))
	}
	return nil
}

func checkRequirements(text string) error {
	for _, one := range strings.Split(text, ",") {
		if one == "complete" {
			return cmdline.Fault("A bundle with a gap is rejected in any case; which events must be there, --from and --to say.")
		}
		if !slices.Contains(requirements, one) {
			return cmdline.Fault(fmt.Sprintf(`"%s" is not one of %s.`, one, strings.Join(requirements, ", ")))
		}
	}
	return nil
}

// kernels returns what computes: one kernel, or both, the compiled one first.
func kernels(call *cmdline.Call) ([]kernel.Kernel, error) {
	if !call.Has("cross-check") {
		k, err := kernelCalled(call.Value("kernel"))
		return []kernel.Kernel{k}, err
	}
	compiled, err := kernelCalled(compiledKernel)
	if err != nil {
		refused := refusalOf(err)
		refused.action = "Run it without --cross-check: one kernel alone cross-checks nothing."
		return nil, refused
	}
	return []kernel.Kernel{compiled, kernel.Native}, nil
}

// wantsColor says whether to color: auto colors on a terminal that can show it, unless NO_COLOR is set.
func (s *system) wantsColor(call *cmdline.Call) bool {
	if choice := call.Value("color"); choice != "" && choice != "auto" {
		return choice == "always"
	}
	file, ok := s.out.stdout.(*os.File)
	return ok && isTerminal(file) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// requireOneStandardInput refuses a call in which more than one path means standard input. A path that is not given is
// empty.
func requireOneStandardInput(paths [][2]string) error {
	var names []string
	for _, one := range paths {
		if one[1] != "" && isStandardInput(one[1]) {
			names = append(names, one[0])
		}
	}
	if len(names) < 2 {
		return nil
	}
	return refuse(exitUsage, strings.Join(names, " and ")+" cannot both be standard input.", "Give one of them as a file.")
}

// linkPaths returns the paths of --link by a person's word for each.
func linkPaths(call *cmdline.Call) (paths [][2]string) {
	for i, path := range call.Values("link") {
		name := "--link"
		if i > 0 {
			name = fmt.Sprintf("--link (%d)", i+1)
		}
		paths = append(paths, [2]string{name, path})
	}
	return paths
}
