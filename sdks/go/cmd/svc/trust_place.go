package main

import (
	"os"

	"svc.example/go/cmd/svc/internal/cmdline"
	"svc.example/go/cmd/svc/internal/trustfile"
)

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
	place, ok := trustfile.PlaceOf("", false, os.Getenv)
	if ok && (!place.IsUsual || exists(place.Path)) {
		call.Set("trust", place.Path)
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
