// keyagent keeps one Ed25519 key for litewitness, which signs through an ssh-agent. Usage: keyagent SEEDFILE SOCKET. It
// makes the file if it is missing, prints the key's fingerprint, and ends with its standard input.
package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"os"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
)

func main() {
	key, err := readKey(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	keyring := agent.NewKeyring()
	if err := keyring.Add(agent.AddedKey{PrivateKey: key}); err != nil {
		log.Fatal(err)
	}
	public, err := ssh.NewPublicKey(key.Public())
	if err != nil {
		log.Fatal(err)
	}
	listener, err := net.Listen("unix", os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go agent.ServeAgent(keyring, connection)
		}
	}()
	fmt.Println(ssh.FingerprintSHA256(public))
	io.Copy(io.Discard, os.Stdin)
	listener.Close()
}

func readKey(file string) (ed25519.PrivateKey, error) {
	seed, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		seed = make([]byte, ed25519.SeedSize)
		rand.Read(seed)
		err = os.WriteFile(file, seed, 0o600)
	}
	if err != nil {
		return nil, err
	}
	if len(seed) != ed25519.SeedSize {
		return nil, fmt.Errorf("%s is no seed of %d bytes", file, ed25519.SeedSize)
	}
	return ed25519.NewKeyFromSeed(seed), nil
}
