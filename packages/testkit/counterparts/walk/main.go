// walk asks a witness each case of c2sp.org/tlog-witness, as a client that shares no code with it. Usage:
//
//	walk keys         prints the vkeys of its logs, one a line; the witness must know all of them
//	walk URL VKEY     walks, and prints one JSON object for each case
//
// Every case has a separate log, so that none depends on another; a witness is walked once.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
)

// result is a line of output. "Answer" is what came back, in the words of the text: the status, and what the text
// demands beside it if that was there.
type result struct {
	Case   string `json:"case"`
	Says   string `json:"says"`
	Answer string `json:"answer"`
	Met    bool   `json:"met"`
}

func main() {
	words := os.Args[1:]
	switch {
	case len(words) == 1 && words[0] == "keys":
		for _, one := range cases {
			if !one.isUnknown {
				for _, vkey := range newTree(one.name).vkeys() {
					fmt.Println(vkey)
				}
			}
		}
	case len(words) == 2:
		walk(words[0], words[1])
	default:
		log.Fatal("usage: walk keys, or walk URL VKEY")
	}
}

func walk(url, vkey string) {
	client, err := newClient(url, vkey)
	if err != nil {
		log.Fatal(err)
	}
	lines := json.NewEncoder(os.Stdout)
	for _, one := range cases {
		answer := one.ask(client, newTree(one.name))
		met := answer == one.says || one.says == refused && answer[0] == '4'
		if err := lines.Encode(result{one.name, one.says, answer, met}); err != nil {
			log.Fatal(err)
		}
	}
}
