package main

import (
	"regexp"
	"strings"
)

// isPattern says whether a text is a pattern of file names, if no file has it as its name. A pattern has * and ? within
// a name, [a-c] and [!a] for one character, and ** for any folders.
func isPattern(text string) bool { return strings.ContainsAny(text, "*?[") }

// splitPattern returns the folder in which a pattern begins, empty for the current one, and its parts from there on.
func splitPattern(pattern string) (folder string, parts []string) {
	all := strings.Split(pattern, "/")
	first := 0
	for first < len(all) && !isPattern(all[first]) {
		first++
	}
	folder = strings.Join(all[:first], "/")
	if first == 1 && folder == "" {
		folder = "/"
	}
	for _, one := range all[first:] {
		if one != "" {
			parts = append(parts, one)
		}
	}
	return folder, parts
}

var tokensOf = regexp.MustCompile(`(?s)\[[!^]?\]?[^\]]*\]|.`)

// matches says whether a part of a pattern means a name in a folder. Only a pattern that begins with a dot means a name
// that does. It takes time that grows with the product of their lengths.
func matches(part, name string) bool {
	if strings.HasPrefix(name, ".") && !strings.HasPrefix(part, ".") {
		return false
	}
	tokens, characters := tokensOf.FindAllString(part, -1), []rune(name)
	at, to := 0, 0
	// star is the place of the last *, and reach how far it goes: after a mismatch behind it, it takes one more.
	star, reach := -1, 0
	for to < len(characters) {
		switch {
		case at < len(tokens) && tokens[at] == "*":
			star, reach, at = at, to, at+1
		case at < len(tokens) && fits(tokens[at], characters[to]):
			at, to = at+1, to+1
		case star < 0:
			return false
		default:
			reach++
			at, to = star+1, reach
		}
	}
	return strings.Trim(strings.Join(tokens[at:], ""), "*") == ""
}

// fits says whether a token means a character: itself, ? or one in brackets.
func fits(token string, character rune) bool {
	if token == "?" {
		return true
	}
	if len(token) < 2 || token[0] != '[' {
		return token == string(character)
	}
	members := []rune(token[1 : len(token)-1])
	isNot := len(members) > 0 && (members[0] == '!' || members[0] == '^')
	if isNot {
		members = members[1:]
	}
	isOneOf := false
	for len(members) > 0 {
		low, high, length := members[0], members[0], 1
		if len(members) > 2 && members[1] == '-' {
			high, length = members[2], 3
		}
		isOneOf = isOneOf || (low <= character && character <= high)
		members = members[length:]
	}
	return isOneOf != isNot
}
