// tesseralog is a Tessera log that publishes only what its witnesses have cosigned. Usage:
//
//	tesseralog key NAME FILE             makes a key, and prints its vkey
//	tesseralog serve FOLDER FILE POLICY  serves the log of a folder; POLICY is a file of witnesses and a quorum
//
// It prints the port on which it listens: POST /add answers the index of the request's body once the log has it on
// disk, and GET the files of the log, as c2sp.org/tlog-tiles names them. It says on standard error what it could not
// publish.
package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/transparency-dev/tessera"
	"github.com/transparency-dev/tessera/storage/posix"
	"golang.org/x/mod/sumdb/note"
)

const (
	batchSize   = 256
	batchMaxAge = 5 * time.Millisecond
	// publishEach is the shortest interval that the storage allows.
	publishEach = 100 * time.Millisecond
	// witnessTimeout is long: a new log that hears nothing in time ends, and a busy machine is no lying witness.
	witnessTimeout = time.Minute
	// maxBodyBytes is what an entry of tlog-tiles may have.
	maxBodyBytes = 1<<16 - 1
)

func main() {
	words := os.Args[1:]
	switch {
	case len(words) == 3 && words[0] == "key":
		makeKey(words[1], words[2])
	case len(words) == 4 && words[0] == "serve":
		serve(words[1], words[2], words[3])
	default:
		log.Fatal("usage: tesseralog key NAME FILE, or tesseralog serve FOLDER FILE POLICY")
	}
}

func makeKey(name, file string) {
	secret, vkey, err := note.GenerateKey(rand.Reader, name)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(secret), 0o600); err != nil {
		log.Fatal(err)
	}
	fmt.Println(vkey)
}

func serve(folder, keyFile, policyFile string) {
	appender, err := newAppender(context.Background(), folder, keyFile, policyFile)
	if err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("POST /add", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBodyBytes))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		index, err := appender.Add(r.Context(), tessera.NewEntry(body))()
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		fmt.Fprint(w, index.Index)
	})
	http.Handle("GET /", http.FileServer(http.Dir(folder)))
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	log.Fatal(http.Serve(listener, nil))
}

// newAppender opens the log of a folder. A new log publishes its empty tree first, and so needs its witnesses already.
func newAppender(ctx context.Context, folder, keyFile, policyFile string) (*tessera.Appender, error) {
	secret, err := os.ReadFile(keyFile)
	if err != nil {
		return nil, err
	}
	signer, err := note.NewSigner(string(secret))
	if err != nil {
		return nil, err
	}
	policy, err := os.ReadFile(policyFile)
	if err != nil {
		return nil, err
	}
	witnesses, err := tessera.NewWitnessGroupFromPolicy(policy)
	if err != nil {
		return nil, err
	}
	driver, err := posix.New(ctx, posix.Config{Path: folder})
	if err != nil {
		return nil, err
	}
	options := tessera.NewAppendOptions().
		WithCheckpointSigner(signer).
		WithBatching(batchSize, batchMaxAge).
		WithCheckpointInterval(publishEach).
		WithWitnesses(witnesses, &tessera.WitnessOptions{Timeout: witnessTimeout, FailOpen: false})
	appender, _, _, err := tessera.NewAppender(ctx, driver, options)
	return appender, err
}
