package render

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

// commands holds the command that checks one kind; svc verify checks any other.
var commands = map[report.Kind]string{
	report.KindBundle: "svc bundles offline-verify", report.KindReceipt: "svc receipts verify",
	report.KindPortableReceipt: "svc verify file", report.KindConsistency: "svc consistency verify",
	report.KindFork: "svc forks verify", report.KindTruthPackage: "svc verify truth-package",
	report.KindDisclosure: "svc disclosures verify", report.KindIVCEpoch: "svc ivc epochs verify",
}

func commandOf(kind report.Kind) string {
	if command, ok := commands[kind]; ok {
		return command
	}
	return "svc verify"
}

// howToPin returns whose key it is, the values to compare, and the command for the right key. It never offers the key
// in the file as the one to paste.
func (p *page) howToPin(c *Call) (lines []string) {
	for _, one := range p.whoseKey() {
		lines = append(lines, indented(one)...)
	}
	// No key helps where nobody has signed.
	if isBare(p.report) {
		return append(lines, "")
	}
	var others []string
	for _, kid := range p.reader.kids() {
		if len(others) < tables.ShownKeys {
			others = append(others, p.reader.NameOf(kid))
		}
	}
	if len(others) > 0 {
		lines = append(lines, indented("You pinned "+strings.Join(others, ", ")+".")...)
	}
	lines = append(lines, "")
	lines = append(lines, indented("With the service's own public key in place of <key>:")...)
	lines = append(lines, "")
	command, options := c.Command, []string(nil)
	if command == "" {
		command, options = commandOf(c.Kind), []string{ShellWord(c.File)}
	}
	options = append(options, c.More...)
	if c.TrustFile != "" {
		options = append(options, "--trust "+ShellWord(c.TrustFile))
	}
	lines = append(lines, commandLines(command, append(options, "--public-key-hex <key>"))...)
	return append(append(lines, ""), howToKeep(c)...)
}

// howToKeep returns the command that keeps the key in a place where the same call will find it.
func howToKeep(c *Call) []string {
	if c.TrustFile == "-" || (c.TrustFile == "" && c.HasTrust) {
		return nil
	}
	var options []string
	if c.TrustFile != "" {
		options = []string{"--trust " + ShellWord(c.TrustFile)}
	}
	lines := append(indented("Or keep the key for every later check, and make the same call again:"), "")
	lines = append(lines, commandLines("svc trust add", append(options, "--name <name>", "--public-key-hex <key>"))...)
	return append(lines, "")
}

// otherKind returns a hint for a file of another kind than the command; nil if it is of that kind, or of none.
func otherKind(c *Call) []string {
	if c.Kind == "" || c.Found == "" || c.Found == c.Kind {
		return nil
	}
	looks := "This looks like " + tables.KindNouns[string(c.Found)] + ", and this command checks " + tables.KindNouns[string(c.Kind)] +
		". Call this instead, with the same key or trust file:"
	lines := append(indented(looks), "")
	lines = append(lines, commandLines(commandOf(c.Found), []string{ShellWord(c.File)})...)
	return append(lines, "")
}

// commandLines returns a command on one line if it fits, else with one option a line, so that it can be copied.
func commandLines(command string, options []string) []string {
	line := "    " + strings.Join(append([]string{command}, options...), " ")
	if utf8.RuneCountInString(line) <= Columns {
		return []string{line}
	}
	lines := []string{"    " + command}
	for _, one := range options {
		lines[len(lines)-1] += ` \`
		lines = append(lines, "      "+one)
	}
	return lines
}

var plainWord = regexp.MustCompile(`^[\w./@%+=:,-]+$`)

// ShellWord returns a path as one word of a shell, safe to print.
func ShellWord(path string) string {
	// A name that begins with a dash would be an option.
	if len(path) > 1 && path[0] == '-' && path[1] != '\n' {
		path = "./" + path
	}
	if !plainWord.MatchString(path) {
		path = "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return Escape(path)
}
