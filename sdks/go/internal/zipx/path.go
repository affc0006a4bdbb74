package zipx

import "strings"

// isAllowedPath says whether a name leads to a place below the folder where an archive is unpacked, on every system.
func isAllowedPath(name string) bool {
	name = strings.ToLower(name)
	if strings.ContainsAny(name, `\:`) {
		return false
	}
	segments := strings.Split(name, "/")
	switch first := segments[0]; {
	case first == "home", first == "users", first == "root", first == "documents and settings", strings.HasPrefix(first, "~"):
		return false
	}
	for _, segment := range segments {
		if segment == "" || strings.HasSuffix(segment, ".") || strings.HasSuffix(segment, " ") ||
			segment == "__macosx" || segment == ".ds_store" || strings.HasPrefix(segment, "._") || isDevice(segment) {
			return false
		}
	}
	return true
}

// isDevice says whether Windows takes a segment, in small letters, for a device: it drops blanks before the first dot.
func isDevice(segment string) bool {
	base, _, _ := strings.Cut(segment, ".")
	base = strings.TrimRight(base, " ")
	switch base {
	case "con", "prn", "aux", "nul", "conin$", "conout$", "clock$":
		return true
	}
	if len(base) != 4 || (base[:3] != "com" && base[:3] != "lpt") {
		return false
	}
	return '0' <= base[3] && base[3] <= '9'
}
