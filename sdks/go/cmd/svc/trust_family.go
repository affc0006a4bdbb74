package main

import (
	"errors"
	"fmt"
	"os"

	"svc.example/go/cmd/svc/internal/cmdline"
	"svc.example/go/cmd/svc/internal/ordered"
	"svc.example/go/cmd/svc/internal/trustfile"
	"svc.example/go/internal/kernel"
	"svc.example/go/render"
)

// trustCommand returns the family of commands about the file that says whom a person trusts (protocol section 16).
func (s *system) trust() *cmdline.Command {
	commands := []*cmdline.Command{
		s.trustAdd(), s.trustList(), s.trustShow(), s.trustRemove(), s.trustRevoke(),
		only("pin-from"), s.trustPinBlock(), s.trustPinContract(), s.trustPinVault(), s.trustRemember(),
	}
	for _, one := range commands {
		if one.IsElsewhere {
			continue
		}
		one.Options = append(one.Options, last("trust", "<path>", "the trust file"))
		one.After = append(one.After, trustHelp)
	}
	return &cmdline.Command{
		Name: "trust", About: "trust: whom you trust, kept in one file that every check uses",
		Commands: commands, After: []string{trustHelp},
	}
}

// ownTrustPlace returns the trust file that a command keeps.
func ownTrustPlace(call *cmdline.Call) (trustfile.Place, error) {
	place, ok := trustfile.PlaceOf(call.Value("trust"), call.Has("trust"), os.Getenv)
	if place.Path == "-" {
		return place, refuse(exitUsage, "The trust file cannot be standard input here.", "Name a file with --trust.")
	}
	if !ok {
		return place, refuse(exitUsage,
			"There is no place for your trust file: none of SVC_TRUST, XDG_CONFIG_HOME and HOME is set.", "Name the file with --trust.")
	}
	return place, nil
}

// readTrustFile reads a trust file with the names beside it. A missing one pins nobody.
func (s *system) readTrustFile(path string) (trustfile.File, error) {
	file := trustfile.Empty()
	if exists(path) {
		text, err := s.readInput(path, maxInput)
		if err != nil {
			return file, err
		}
		if _, err := parseTrustFile([]kernel.Kernel{kernel.Native}, path, text); err != nil {
			return file, err
		}
		value, err := ordered.Parse(text)
		if err != nil {
			return file, err
		}
		file.Policy = value.(*ordered.Object)
	}
	names := trustfile.NamesFile(path)
	if !exists(names) {
		return file, nil
	}
	text, err := s.readInput(names, maxInput)
	if err != nil {
		return file, err
	}
	file.Names, err = trustfile.ParseNames(names, text)
	return file, ofTrustFile(path, err)
}

// changeTrust changes the trust file of a call, and says what it did, or that there was nothing to change, and which
// file it is. It returns the present content.
func (s *system) changeTrust(call *cmdline.Call, done []string, change func(trustfile.File) (trustfile.File, error)) (trustfile.File, error) {
	place, err := ownTrustPlace(call)
	if err != nil {
		return trustfile.File{}, err
	}
	file, isNew, err := trustfile.Change(place.Path, s.readTrustFile, change)
	if err != nil {
		return file, ofTrustFile(place.Path, err)
	}
	if !isNew {
		done = []string{"It is there already."}
	}
	for _, line := range done {
		s.out.lines(render.Wrap(render.Escape(line), "", "")...)
	}
	s.out.lines(placeLines(place)...)
	return file, nil
}

// ofTrustFile returns an error about a trust file as a refusal.
func ofTrustFile(path string, err error) error {
	var refused *trustfile.Refusal
	var unwritten *trustfile.WriteError
	switch {
	case errors.As(err, &unwritten):
		return refuse(exitInternal,
			fmt.Sprintf(`The trust file "%s" could not be written: the system says %s. What was there is unchanged.`, path, systemName(err)),
			"Make sure that its folder is there, that you may write in it, and that the disk is not full.")
	case errors.As(err, &refused) && refused.IsBusy:
		return refuse(exitInternal, refused.Message, refused.Action)
	case errors.As(err, &refused):
		return refuse(exitUsage, refused.Message, refused.Action)
	default:
		return err
	}
}

// placeLines says which file it is, and where its path comes from.
func placeLines(place trustfile.Place) []string {
	return render.Wrap(fmt.Sprintf("%s (%s)", render.Escape(place.Path), place.NamedBy), "", "")
}

func (s *system) trustList() *cmdline.Command {
	return &cmdline.Command{
		Name: "list", About: "List whom and what you trust.",
		Options: []cmdline.Option{{Name: "json", About: "print one JSON object: the file, the policy, and your names of keys"}},
		After:   []string{"\nExample:\n  svc trust list"},
		Run: func(call *cmdline.Call) error {
			place, err := ownTrustPlace(call)
			if err != nil {
				return err
			}
			file, err := s.readTrustFile(place.Path)
			if err != nil {
				return err
			}
			if !call.Has("json") {
				s.out.lines(append(placeLines(place), file.Lines()...)...)
				return nil
			}
			return s.jsonLine(ordered.New(
				ordered.Member{Name: "file", Value: place.Path},
				ordered.Member{Name: "policy", Value: file.Policy},
				ordered.Member{Name: "names", Value: file.Names},
			))
		},
	}
}

func (s *system) trustShow() *cmdline.Command {
	return &cmdline.Command{
		Name: "show", About: "Show one signer: its limits, its fingerprint to compare, its key in every form.",
		Operands: []cmdline.Operand{pinnedKey},
		After:    []string{"\nExample:\n  svc trust show \"acme 2026\""},
		Run: func(call *cmdline.Call) error {
			place, err := ownTrustPlace(call)
			if err != nil {
				return err
			}
			file, err := s.readTrustFile(place.Path)
			if err != nil {
				return err
			}
			kid, err := file.KIDOf(call.Operands[0])
			if err != nil {
				return ofTrustFile(place.Path, err)
			}
			if name := file.Names.Text(kid); name != "" {
				s.out.lines("name         " + render.Escape(name))
			}
			var forms *keyForms
			label := "trusted"
			for _, pin := range file.Policy.Objects("signers") {
				if pin.Text("kid") != kid {
					continue
				}
				if forms == nil {
					forms = formsOf(pin.Text("public_key_hex"))
				}
				for i, limit := range trustfile.Limits(pin) {
					if i > 0 {
						label = ""
					}
					s.out.lines(fmt.Sprintf("%-13s%s", label, limit))
				}
				label = "trusted"
			}
			s.out.lines(forms.lines()...)
			return nil
		},
	}
}

// pinnedKey is the operand of commands about one pinned signer.
var pinnedKey = cmdline.Operand{Name: "key", About: "its identifier, its public key, or your name of it", IsRequired: true}

func (s *system) trustRemove() *cmdline.Command {
	return &cmdline.Command{
		Name: "remove", About: "Take something out of the trust file.",
		Options: []cmdline.Option{
			last("signer", "<key>", "a signer: its identifier, its public key, or your name of it"),
			last("revoked", "<key>", "take a revocation back"),
			last("witness", "<name>", "a witness: its name or its public key"),
			{Name: "quorum", About: "the quorum"},
			last("block", "<hash>", "a block"),
			last("contract", "<address>", "a contract"),
			last("vault", "<installation>", "a vault: its installation or its public key"),
			last("require", "<what>", "a requirement"),
			last("known-checkpoint", "<stream>", "what you remember of a stream"),
		},
		After: []string{"\nExample:\n  svc trust remove --signer \"acme 2026\"\n\nA key that got into wrong hands is to be revoked, not removed: svc trust revoke."},
		Run: func(call *cmdline.Call) error {
			given := func(option string) (string, bool) { return call.Value(option), call.Has(option) }
			if !hasAny(call, call.Command().Options, "trust") {
				return refuse(exitUsage, "There is nothing named to remove.", `"svc trust remove --help" shows how.`)
			}
			_, err := s.changeTrust(call, []string{"Removed."}, func(file trustfile.File) (trustfile.File, error) {
				return file.Remove(given)
			})
			return err
		},
	}
}

// hasAny says whether a call has one of these options, besides one.
func hasAny(call *cmdline.Call, options []cmdline.Option, besides string) bool {
	for _, one := range options {
		if one.Name != besides && call.Has(one.Name) {
			return true
		}
	}
	return false
}

func (s *system) trustRevoke() *cmdline.Command {
	return &cmdline.Command{
		Name: "revoke", About: "Never trust a key again, nor what it endorses.",
		Operands: []cmdline.Operand{pinnedKey},
		After:    []string{"\nExample:\n  svc trust revoke \"acme 2026\""},
		Run: func(call *cmdline.Call) error {
			done := []string{"Revoked. Nothing that this key sealed is verified from now on."}
			_, err := s.changeTrust(call, done, func(file trustfile.File) (trustfile.File, error) {
				kid, err := revokedKID(file, call.Operands[0])
				if err != nil {
					return file, err
				}
				return file.Revoke(kid), nil
			})
			return err
		},
	}
}

// revokedKID returns the kid of a key to revoke, which need not be pinned: an endorsement could lead to it.
func revokedKID(file trustfile.File, given string) (string, error) {
	if trustfile.IsKID(given) {
		return given, nil
	}
	if trustfile.IsKey(given) {
		return kidOfKey(given), nil
	}
	return file.KIDOf(given)
}

// last returns an option whose last value counts.
func last(name, value, about string) cmdline.Option {
	return cmdline.Option{Name: name, Value: value, About: about, IsLastTaken: true}
}
