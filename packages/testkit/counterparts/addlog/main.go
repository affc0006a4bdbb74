// addlog adds a log to the database of a litewitness, beside a running one. Usage: addlog DATABASE VKEY...; a key's
// name is the log's origin. It does what `witnessctl add-log` and `add-key` do: witnessctl itself needs a module that
// proxies do not have.
package main

import (
	"crypto/sha256"
	"encoding/base64"
	"log"
	"os"

	"filippo.io/torchwood"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"
)

func main() {
	database, err := sqlite.OpenConn(os.Args[1], sqlite.OpenReadWrite|sqlite.OpenWAL)
	if err != nil {
		log.Fatal(err)
	}
	defer database.Close()
	for _, vkey := range os.Args[2:] {
		if err := add(database, vkey); err != nil {
			log.Fatalf("%s: %v", vkey, err)
		}
	}
}

func add(database *sqlite.Conn, vkey string) error {
	verifier, err := torchwood.NewLogVerifier(vkey)
	if err != nil {
		return err
	}
	origin := verifier.Name()
	empty := sha256.Sum256(nil)
	err = execute(database, "INSERT INTO log (origin, tree_size, tree_hash) VALUES (?, 0, ?) ON CONFLICT DO NOTHING",
		origin, base64.StdEncoding.EncodeToString(empty[:]))
	if err != nil {
		return err
	}
	return execute(database, "INSERT INTO key (origin, key) VALUES (?, ?)", origin, vkey)
}

func execute(database *sqlite.Conn, query string, values ...any) error {
	return sqlitex.Execute(database, query, &sqlitex.ExecOptions{Args: values})
}
