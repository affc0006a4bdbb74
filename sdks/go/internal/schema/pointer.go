package schema

import (
	"strconv"
	"strings"
)

// Escape returns a member's name as it is in a JSON Pointer (RFC 6901).
func Escape(name string) string {
	if !strings.ContainsAny(name, "~/") {
		return name
	}
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

// Unescape is the inverse of [Escape].
func Unescape(name string) string {
	if !strings.Contains(name, "~") {
		return name
	}
	return strings.ReplaceAll(strings.ReplaceAll(name, "~1", "/"), "~0", "~")
}

func itoa(n int) string { return strconv.Itoa(n) }
