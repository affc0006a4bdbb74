// A Tessera log behind HTTP, the yardstick of `bench server`: POST /add answers the index of the request's body once
// the log has it on disk. Usage: tessera FOLDER. It prints the port on which it listens.
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
	// maxBodyBytes is above every body of the load generator.
	maxBodyBytes = 1 << 16
)

func main() {
	appender, err := newAppender(context.Background(), os.Args[1])
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
		// The future waits until the entry is sequenced, integrated and written.
		index, err := appender.Add(r.Context(), tessera.NewEntry(body))()
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		w.WriteHeader(http.StatusCreated)
		fmt.Fprint(w, index.Index)
	})
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	log.Fatal(http.Serve(listener, nil))
}

// newAppender makes a log in an empty folder, with a fresh key. It looks for no duplicates: the bench sends none.
func newAppender(ctx context.Context, folder string) (*tessera.Appender, error) {
	key, _, err := note.GenerateKey(rand.Reader, "bench.example/tessera")
	if err != nil {
		return nil, err
	}
	signer, err := note.NewSigner(key)
	if err != nil {
		return nil, err
	}
	driver, err := posix.New(ctx, posix.Config{Path: folder})
	if err != nil {
		return nil, err
	}
	options := tessera.NewAppendOptions().WithCheckpointSigner(signer).WithBatching(batchSize, batchMaxAge)
	appender, _, _, err := tessera.NewAppender(ctx, driver, options)
	return appender, err
}
