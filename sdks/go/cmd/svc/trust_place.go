package main

import (
	"os"
	"path/filepath"

	"svc.example/go/cmd/svc/internal/cmdline"
)

// A trustPlace is the path of a trust file, and where the path comes from.
type trustPlace struct {
	path string
	// isUsual says that neither an option nor SVC_TRUST names the file: then it may be missing.
	isUsual bool
}

// trustPlaceOf returns the trust file of an option, else of the environment. It need not exist; ok is false if the
// environment has no home either. An empty variable counts as none.
func trustPlaceOf(option string) (place trustPlace, ok bool) {
	if option != "" {
		return trustPlace{path: option}, true
	}
	if path := os.Getenv("SVC_TRUST"); path != "" {
		return trustPlace{path: path}, true
	}
	// The XDG base directory specification: a relative path there must be ignored.
	folder := os.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(folder) {
		home := os.Getenv("HOME")
		if home == "" {
			home = os.Getenv("USERPROFILE")
		}
		if home == "" {
			return trustPlace{}, false
		}
		folder = filepath.Join(home, ".config")
	}
	return trustPlace{filepath.Join(folder, "svc", "trust.json"), true}, true
}

// verifiesUnderTrust says whether a command verifies under a trust policy that the call may name, and does not keep
// that file.
func verifiesUnderTrust(path []*cmdline.Command) bool {
	command := path[len(path)-1]
	isKeeping := len(path) > 1 && path[1].Name == "trust"
	return !isKeeping && command.HasOption("trust") && command.HasOption("public-key-hex")
}

// useOwnTrust lets a call that names nobody verify under the person's own trust file, as if --trust had named it. A
// file that SVC_TRUST names must exist.
func useOwnTrust(call *cmdline.Call) {
	if !verifiesUnderTrust(call.Path) || call.Has("trust") || call.Has("public-key-hex") {
		return
	}
	place, ok := trustPlaceOf("")
	if ok && (!place.isUsual || exists(place.path)) {
		call.Set("trust", place.path)
	}
}

// trustHelp says in every help which trust file is meant.
const trustHelp = `
The trust file: --trust, else $SVC_TRUST, else svc/trust.json in
$XDG_CONFIG_HOME, else ~/.config/svc/trust.json.`

// verifyingTrustHelp says the same for the commands that verify.
const verifyingTrustHelp = `
Whom you trust: --trust and --public-key-hex; where neither is given, the file
that $SVC_TRUST names, else svc/trust.json in $XDG_CONFIG_HOME, else
~/.config/svc/trust.json. "svc trust --help" keeps that file.`
