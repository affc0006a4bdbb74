package trustfile

import (
	"path/filepath"
)

// A Place is a trust file, which need not be there, and what names it.
type Place struct {
	Path string
	// NamedBy ends the sentence that says where the path comes from.
	NamedBy string
	// IsUsual says that neither an option nor a variable names the file.
	IsUsual bool
}

// PlaceOf returns the trust file that an option names, else the environment, else the usual one; ok is false where
// there is no home either. An empty variable counts as none.
func PlaceOf(option string, isGiven bool, getenv func(string) string) (place Place, ok bool) {
	if isGiven {
		return Place{Path: option, NamedBy: "named by --trust"}, true
	}
	if path := getenv("SVC_TRUST"); path != "" {
		return Place{Path: path, NamedBy: "named by $SVC_TRUST"}, true
	}
	home := getenv("HOME")
	if home == "" {
		home = getenv("USERPROFILE")
	}
	folder := getenv("XDG_CONFIG_HOME")
	// The XDG base directory specification: a relative path there must be ignored.
	if !filepath.IsAbs(folder) {
		if home == "" {
			return Place{}, false
		}
		folder = filepath.Join(home, ".config")
	}
	return Place{filepath.Join(folder, "svc", "trust.json"), "at the usual place", true}, true
}
