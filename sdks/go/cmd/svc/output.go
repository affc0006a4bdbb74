package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"strings"
	"syscall"

	"svc.example/go/render"
)

// An output writes to the terminal or a pipe. A reader that goes away early, as in svc … | head -1, is no error: the
// verdict's exit code stays. Any other failure makes the run fail, since nobody got the verdict.
type output struct {
	stdout io.Writer
	stderr io.Writer
	file   *bufio.Writer
	// failed is the first failure of a write that is no early end of the reader.
	failed error
}

func newOutput(stdout, stderr io.Writer) *output {
	return &output{stdout: stdout, stderr: stderr, file: bufio.NewWriterSize(stdout, 64<<10)}
}

// lines writes lines to standard output.
func (o *output) lines(lines ...string) {
	for _, one := range lines {
		o.text(one + "\n")
	}
}

// text writes a text to standard output as it stands.
func (o *output) text(text string) {
	_, err := o.file.WriteString(text)
	o.note(err)
}

// bytes writes bytes to standard output as they stand.
func (o *output) bytes(data []byte) {
	_, err := o.file.Write(data)
	o.note(err)
}

// flush writes what is kept back, so that standard error comes behind it.
func (o *output) flush() { o.note(o.file.Flush()) }

// errText writes a text to standard error as it stands.
func (o *output) errText(text string) {
	o.flush()
	_, err := io.WriteString(o.stderr, text)
	o.note(err)
}

// fault writes to standard error what was wrong, and below it the next step.
func (o *output) fault(message, action string) {
	lines := append(render.Wrap(render.Escape(message), "svc: ", "     "), render.Wrap(render.Escape(action), "     ", "     ")...)
	o.errText(strings.Join(lines, "\n") + "\n")
}

func (o *output) note(err error) {
	if err != nil && o.failed == nil && !errors.Is(err, syscall.EPIPE) {
		o.failed = err
	}
}

// end writes all that is left and returns the exit code of the run.
func (o *output) end(code int) int {
	o.flush()
	if o.failed == nil {
		return code
	}
	// The terminal itself may be what fails; then nobody reads this.
	_, _ = io.WriteString(o.stderr, "svc: The output could not be written: "+systemName(o.failed)+".\n     Make room where it goes, or send it elsewhere.\n")
	return exitInternal
}

// isTerminal says whether a file is a terminal.
func isTerminal(file *os.File) bool {
	stat, err := file.Stat()
	return err == nil && stat.Mode()&os.ModeCharDevice != 0 && stat.Mode()&os.ModeDevice != 0 && file.Name() != os.DevNull
}
