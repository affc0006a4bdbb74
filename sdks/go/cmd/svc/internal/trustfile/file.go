// Package trustfile keeps a file that says whom a person trusts: a trust policy (protocol section 16), and the names of
// its keys in a file beside it. The npm svc keeps the same files under the same lock, so either may change what the
// other has written. A change is made to the policy as it is written, and changes only the parts that it names.
package trustfile

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	svc "svc.example/go"
	"svc.example/go/cmd/svc/internal/ordered"
)

// A File is a trust file as it is written: the pins of its quorum's text are in that text alone.
type File struct {
	// Policy is well formed.
	Policy *ordered.Object
	// Names are a person's names of keys, by kid.
	Names *ordered.Object
}

// Empty is the content of a missing file, which pins nobody.
func Empty() File {
	return File{ordered.New(ordered.Member{Name: "signers", Value: []any{}}), ordered.New()}
}

// A Refusal says why a file is not changed: in one sentence what was wrong, in another the next step.
type Refusal struct {
	Message, Action string
	// IsBusy says that another process keeps the file; otherwise what was asked for is wrong.
	IsBusy bool
}

func (r *Refusal) Error() string { return r.Message }

func refuse(message, action string) error { return &Refusal{Message: message, Action: action} }

// A WriteError says that the system did not let the file be written. Its content is unchanged.
type WriteError struct{ Cause error }

func (e *WriteError) Error() string { return "the trust file could not be written: " + e.Cause.Error() }

// Unwrap returns the error of the system.
func (e *WriteError) Unwrap() error { return e.Cause }

// Change changes a trust file under its lock. `read` gets the real place of the file and returns its content; `change`
// returns the new one. Where they are the same nothing is written. The error is one of these two functions, a
// [*Refusal], also for a change that would make the file malformed, or a [*WriteError].
func Change(path string, read func(place string) (File, error), change func(File) (File, error)) (after File, isNew bool, err error) {
	place, err := placeToWrite(path)
	if err != nil {
		return after, false, &WriteError{err}
	}
	var own error
	err = withLock(place, patience, func() error {
		var before File
		if before, own = read(place); own != nil {
			return nil
		}
		if after, own = change(before); own != nil {
			return nil
		}
		if own = wellFormed(after.Policy); own != nil {
			return nil
		}
		var written [2]bool
		for i, one := range []struct {
			file          string
			before, after *ordered.Object
		}{{place, before.Policy, after.Policy}, {NamesFile(place), before.Names, after.Names}} {
			var err error
			if written[i], err = writeChanged(one.file, one.before, one.after); err != nil {
				return err
			}
		}
		isNew = written[0] || written[1]
		return nil
	})
	var refused *Refusal
	switch {
	case own != nil:
		return after, false, own
	case errors.As(err, &refused):
		return after, false, refused
	case err != nil:
		return after, false, &WriteError{err}
	}
	return after, isNew, nil
}

// writeChanged writes an object where it differs from the one before, and says whether it does.
func writeChanged(path string, before, after *ordered.Object) (bool, error) {
	old, err := ordered.Text(before)
	if err != nil {
		return false, err
	}
	text, err := ordered.Text(after)
	if err != nil || bytes.Equal(old, text) {
		return false, err
	}
	return true, replaceFile(path, text)
}

func wellFormed(policy *ordered.Object) error {
	text, err := policy.Canonical()
	if err != nil {
		return refuse("What you gave is not well formed: "+err.Error()+".", "Nothing was changed. Correct the option.")
	}
	_, err = svc.ParseTrustPolicy(text)
	var fault *svc.PolicyError
	if !errors.As(err, &fault) {
		return err
	}
	return refuse(
		fmt.Sprintf("What you gave is not well formed: %s at %s of the trust policy. %s",
			fault.Code, strings.TrimPrefix(fault.Path, "trust:"), fault.Message),
		"Nothing was changed. Correct the option; protocol section 16 has the form of each value.")
}
