package main

import (
	"os"
	"slices"
	"strings"

	"svc.example/go/cmd/svc/internal/cmdline"
	"svc.example/go/render"
)

// refusePlantedOptions refuses a call in which a word that begins with a dash, before any --, is also the name of a
// file: in a folder with a file called --public-key-hex=…, svc verify * would trust its author.
func refusePlantedOptions(words []string) error {
	if end := slices.Index(words, "--"); end >= 0 {
		words = words[:end]
	}
	at := slices.IndexFunc(words, isPlanted)
	if at < 0 {
		return nil
	}
	return refuse(exitUsage,
		`"`+words[at]+`" is an option, and a file in this folder is called so too: a pattern like * makes the one out of the other.`,
		"Find out who put that file there. Then call svc from another folder, or write ./* and not *, and rename the file.")
}

// isPlanted says whether a word that begins with a dash is also the name of a file.
func isPlanted(word string) bool {
	if len(word) < 2 || word[0] != '-' {
		return false
	}
	_, err := os.Lstat(word)
	return err == nil
}

// exists says whether there is anything at a path.
func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// refuseFileAsCommand refuses a call whose first word is a file and no command.
func refuseFileAsCommand(root *cmdline.Command, words []string) error {
	if len(words) == 0 || strings.HasPrefix(words[0], "-") || root.Find(words[0]) != nil || !exists(words[0]) {
		return nil
	}
	return refuse(exitUsage, `"`+words[0]+`" is a file, not a command.`, "To check it: svc verify "+render.ShellWord(words[0]))
}
