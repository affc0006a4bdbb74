package main

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
)

// evidenceName is that of the files that a service issues. Case does not count, as on file systems that ignore it.
var evidenceName = regexp.MustCompile(`(?i)\.(json|zip|tlog-proof)$`)

const checkName = "Check the name, and that you are in the right folder."

// A namedFile is one that an argument means.
type namedFile struct {
	// file is the path that is shown; - for standard input.
	file string
	// refused says why nothing is verified under this name; nil where the file is read.
	refused *refusal
	// isOther says that the file is in a folder and is not named as evidence is.
	isOther bool
}

// isOneFile says whether a single argument means one file, on any day: it is neither a folder nor a pattern.
func isOneFile(argument string) bool {
	stat, err := os.Stat(argument)
	if err != nil {
		return isStandardInput(argument) || !isPattern(argument)
	}
	return isStandardInput(argument) || !stat.IsDir()
}

// namedBy returns the files that arguments mean, each once: argument by argument, and the names within one in ascending
// order. notLookedAt are the other files of folders that were walked. Nothing is left out in silence. The trust file of
// the call is no evidence if it lies among them.
func namedBy(arguments []string, trustFile string) (named []namedFile, notLookedAt []string) {
	seen, others := map[string]bool{}, map[string]string{}
	for _, argument := range arguments {
		found := []namedFile{{file: "-"}}
		if !isStandardInput(argument) {
			found = filesOf(argument, trustFile)
		}
		for _, one := range found {
			if one.isOther {
				others[absolute(one.file)] = one.file
			} else if !seen[one.file] {
				seen[one.file] = true
				named = append(named, one)
			}
		}
	}
	for file := range seen {
		delete(others, absolute(file))
	}
	for _, file := range others {
		notLookedAt = append(notLookedAt, file)
	}
	slices.SortFunc(notLookedAt, byUTF16)
	return named, notLookedAt
}

// filesMeant returns the paths of all files that words may mean, if they name folders or patterns.
func filesMeant(words []string) (paths []string) {
	for _, word := range words {
		if isStandardInput(word) {
			continue
		}
		for _, one := range filesOf(word, "") {
			if !one.isOther {
				paths = append(paths, one.file)
			}
		}
	}
	return paths
}

func absolute(path string) string {
	if whole, err := filepath.Abs(path); err == nil {
		return whole
	}
	return path
}

// filesOf returns what one argument means.
func filesOf(argument, trustFile string) []namedFile {
	stat, err := os.Stat(argument)
	switch {
	case err == nil && stat.IsDir():
		nothing := refuse(exitInput, `There is no file in "`+argument+`" with a name in .json, .zip or .tlog-proof.`, checkName)
		nothing.outcome = noEvidence
		return orNothing(walk(argument), trustFile, namedFile{file: argument, refused: nothing})
	// To read a missing file says why.
	case err == nil || !isPattern(argument):
		return []namedFile{{file: argument}}
	}
	folder, parts := splitPattern(filepath.ToSlash(argument))
	return orNothing(match(folder, parts), trustFile, cannotLook(argument, "no file has a name of this pattern.", checkName))
}

func orNothing(found []namedFile, trustFile string, nothing namedFile) []namedFile {
	if trustFile != "" {
		own := absolute(trustFile)
		found = slices.DeleteFunc(found, func(one namedFile) bool { return absolute(one.file) == own })
	}
	if slices.ContainsFunc(found, func(one namedFile) bool { return !one.isOther }) {
		return found
	}
	return append([]namedFile{nothing}, found...)
}

func cannotLook(file, reason, action string) namedFile {
	return namedFile{file: file, refused: refuse(exitInput, `Cannot read "`+file+`": `+reason, action)}
}

// match returns the files that the parts of a pattern mean from a folder on; a folder that they mean is walked.
func match(folder string, parts []string) (found []namedFile) {
	part, rest := parts[0], parts[1:]
	if part == "**" {
		return traverse(folder, func(place string, entries []fs.DirEntry) []step { return deepSteps(place, entries, rest) })
	}
	entries, refused := list(folder)
	if refused != nil {
		return []namedFile{*refused}
	}
	for _, entry := range entries {
		if !matches(part, entry.Name()) {
			continue
		}
		path := joined(folder, entry.Name())
		switch sort := sortOf(entry, path); {
		case sort == isFolder && len(rest) > 0:
			found = append(found, match(path, rest)...)
		case sort == isFolder:
			found = append(found, walk(path)...)
		// An entry that may be a folder and cannot be looked at is not left out: to read it says why.
		case len(rest) == 0 || sort == isClosed:
			found = append(found, namedFile{file: path})
		}
	}
	return found
}

// deepSteps returns the steps in one folder of those that ** means: the rest of the pattern in it, then its folders.
func deepSteps(folder string, entries []fs.DirEntry, rest []string) (steps []step) {
	if len(rest) > 0 {
		for _, one := range match(folder, rest) {
			steps = append(steps, step{namedFile: one})
		}
	}
	for _, entry := range entries {
		if !matches("*", entry.Name()) {
			continue
		}
		path := joined(folder, entry.Name())
		sort := sortOf(entry, path)
		if sort == isFolder {
			steps = append(steps, step{folder: path})
		} else if len(rest) == 0 || sort == isClosed {
			steps = append(steps, step{namedFile: namedFile{file: path}})
		}
	}
	return steps
}

// walk returns every file in a folder and under it.
func walk(folder string) []namedFile {
	return traverse(folder, func(place string, entries []fs.DirEntry) (steps []step) {
		for _, entry := range entries {
			path := joined(place, entry.Name())
			sort := sortOf(entry, path)
			next := step{namedFile: namedFile{file: path}}
			switch {
			case sort == isFolder:
				next = step{folder: path}
			case sort == isClosed:
			case !evidenceName.MatchString(entry.Name()):
				next.isOther = true
			// To read a pipe that nobody writes to would never end.
			case sort == isSpecial:
				next.namedFile = cannotLook(path, "it is not a file.", "Name it by itself to have it read.")
			}
			steps = append(steps, next)
		}
		return steps
	})
}

// A step is a file, or a folder whose entries are in its place.
type step struct {
	namedFile
	folder string
}

// traverse walks a folder and everything under it, in the order of `stepsIn`. It follows links; it visits a folder that
// several lead to once, so no circle is endless.
func traverse(folder string, stepsIn func(folder string, entries []fs.DirEntry) []step) (found []namedFile) {
	var seen []fs.FileInfo
	// A list and no recursion: folders can nest deeper than calls can. The last one is the next.
	left := []step{{folder: folder}}
	isFirst := true
	for len(left) > 0 {
		next := left[len(left)-1]
		left = left[:len(left)-1]
		if next.folder == "" && !isFirst {
			found = append(found, next.namedFile)
			continue
		}
		isFirst = false
		entries, refused := list(next.folder)
		if refused != nil {
			found = append(found, *refused)
			continue
		}
		if stat, err := os.Stat(orHere(next.folder)); err == nil {
			if slices.ContainsFunc(seen, func(other fs.FileInfo) bool { return os.SameFile(stat, other) }) {
				continue
			}
			seen = append(seen, stat)
		}
		steps := stepsIn(next.folder, entries)
		slices.Reverse(steps)
		left = append(left, steps...)
	}
	return found
}

// The sorts of entries of a folder. A link is what it leads to.
const (
	isRegular = iota
	isFolder
	// isClosed is what cannot be looked at.
	isClosed
	isSpecial
)

// sortOf returns the sort of an entry. A link that leads nowhere is a file: to read it says so.
func sortOf(entry fs.DirEntry, path string) int {
	mode := entry.Type()
	if mode&fs.ModeSymlink != 0 {
		stat, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ELOOP) {
			return isRegular
		} else if err != nil {
			return isClosed
		}
		mode = stat.Mode()
	}
	switch {
	case mode.IsDir():
		return isFolder
	case mode.IsRegular():
		return isRegular
	default:
		return isSpecial
	}
}

// list returns what is in a folder, ascending by name; or what is shown of one that cannot be looked into.
func list(folder string) ([]fs.DirEntry, *namedFile) {
	if !isExactName(folder) {
		refused := cannotLook(folder, inexactName, rename)
		return nil, &refused
	}
	entries, err := os.ReadDir(orHere(folder))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, nil
	}
	if err != nil {
		reason := "the system says " + systemName(err) + "."
		if errors.Is(err, fs.ErrPermission) {
			reason = "you are not allowed to look into it."
		}
		refused := cannotLook(folder, reason, "Ask its owner for leave to read it, or copy it to a place of yours.")
		return nil, &refused
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return byUTF16(a.Name(), b.Name()) })
	return entries, nil
}

// byUTF16 orders texts by their UTF-16 units, as the npm svc does.
func byUTF16(a, b string) int {
	left, right := []rune(a), []rune(b)
	for i := range min(len(left), len(right)) {
		if left[i] != right[i] {
			return cmp.Compare(firstUnit(left[i]), firstUnit(right[i]))*2 + cmp.Compare(left[i], right[i])
		}
	}
	return cmp.Compare(len(left), len(right))
}

// firstUnit returns the first UTF-16 unit of a character.
func firstUnit(r rune) rune {
	if r > 0xffff {
		return 0xd800 + (r-0x10000)>>10
	}
	return r
}

func orHere(folder string) string {
	if folder == "" {
		return "."
	}
	return folder
}

// joined returns the path of a name in a folder. It is neither an option nor standard input for somebody who copies it.
func joined(folder, name string) string {
	switch {
	case folder == "" && strings.HasPrefix(name, "-"):
		return "./" + name
	case folder == "":
		return name
	case strings.HasSuffix(folder, "/"):
		return folder + name
	default:
		return folder + "/" + name
	}
}
