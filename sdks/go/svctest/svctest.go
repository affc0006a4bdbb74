// Package svctest starts the real service for tests: no stand-in would find what only the service does.
package svctest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"svc.example/go"
	"svc.example/go/client"
)

// patience bounds each start and end of the service.
const patience = 30 * time.Second

// A Service is a running service on a free port of the loopback interface, with its own database.
type Service struct {
	URL string
	// APIKey is a system key that may do everything but erase, and EraseKey one that may only erase.
	APIKey, EraseKey string
	// PublicKeyHex is the key to pin, and Trust the policy that pins it.
	PublicKeyHex string
	Trust        svc.TrustPolicy
	SystemID     string
	// StreamID is a stream to append to.
	StreamID string
	t        testing.TB
	program  []string
	data     string
}

// Start starts a service that ends with the test. The program is the one that SVC_SERVER names, or svc-server in the
// PATH; a file that ends in .mjs is run by node, which must be Node 24. Without a program the test is skipped, or fails
// where SVC_REQUIRE_SERVER is 1.
func Start(t testing.TB) *Service {
	t.Helper()
	program := find(t)
	data := filepath.Join(t.TempDir(), "data")
	s := &Service{t: t, program: program, data: data}
	var made struct {
		APIKey       string `json:"api_key"`
		StreamID     string `json:"stream_id"`
		SystemID     string `json:"system_id"`
		PublicKeyHex string `json:"public_key_hex"`
	}
	s.Run(&made, "init", "--origin", "svctest.example/evidence", "--data", data, "--json")
	s.APIKey, s.StreamID, s.SystemID, s.PublicKeyHex = made.APIKey, made.StreamID, made.SystemID, made.PublicKeyHex
	s.Run(&made, "keys", "create", "--allow", "erase", "--data", data, "--json")
	s.EraseKey = made.APIKey
	trust, err := svc.PinKeys(s.PublicKeyHex)
	if err != nil {
		t.Fatalf("svctest: %v", err)
	}
	s.Trust = trust
	s.start()
	return s
}

// Client returns a client with the system key, which pins the service's key.
func (s *Service) Client() *client.Client {
	s.t.Helper()
	c, err := client.New(client.Options{BaseURL: s.URL, APIKey: s.APIKey, Trust: s.Trust})
	if err != nil {
		s.t.Fatalf("svctest: %v", err)
	}
	return c
}

// RotateKey makes another key the sealing key; the old one endorses it.
func (s *Service) RotateKey() {
	s.t.Helper()
	var ignored json.RawMessage
	s.Run(&ignored, "keys", "rotate-signing", "--data", s.data, "--json")
}

// Run runs a command of the service, and reads its JSON.
func (s *Service) Run(into any, words ...string) {
	s.t.Helper()
	command := exec.Command(s.program[0], append(s.program[1:len(s.program):len(s.program)], words...)...)
	var out, errors bytes.Buffer
	command.Stdout, command.Stderr = &out, &errors
	if err := command.Run(); err != nil {
		s.t.Fatalf("svctest: %s: %v\n%s", strings.Join(words, " "), err, errors.String())
	}
	if err := json.Unmarshal(out.Bytes(), into); err != nil {
		s.t.Fatalf("svctest: %s: %v", strings.Join(words, " "), err)
	}
}

func (s *Service) start() {
	s.t.Helper()
	words := append(s.program[1:len(s.program):len(s.program)], "start", "--data", s.data, "--port", "0", "--json")
	command := exec.Command(s.program[0], words...)
	command.Env = append(os.Environ(), "SVC_LOG_LEVEL=error")
	var errors bytes.Buffer
	command.Stderr = &errors
	out, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		s.t.Fatalf("svctest: %v", err)
	}
	s.t.Cleanup(func() {
		// A service that does not stop by itself is killed: the test has ended.
		late := time.AfterFunc(patience, func() { command.Process.Kill() })
		defer late.Stop()
		if command.Process.Signal(os.Interrupt) != nil {
			command.Process.Kill()
		}
		command.Wait()
	})
	late := time.AfterFunc(patience, func() { command.Process.Kill() })
	defer late.Stop()
	var listening struct {
		URL string `json:"url"`
	}
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &listening)
	}
	if err != nil || listening.URL == "" {
		command.Process.Kill()
		command.Wait() // What it said is complete once it has ended.
		s.t.Fatalf("svctest: the service did not start: %v\n%s", err, errors.String())
	}
	s.URL = listening.URL
}

// find returns the words that run the service.
func find(t testing.TB) []string {
	t.Helper()
	named := os.Getenv("SVC_SERVER")
	if named == "" {
		if path, err := exec.LookPath("svc-server"); err == nil {
			return []string{path}
		}
		missing := "svctest: no service: set SVC_SERVER to svc-server, or put it in the PATH"
		if os.Getenv("SVC_REQUIRE_SERVER") == "1" {
			t.Fatal(missing)
		}
		t.Skip(missing)
	}
	if filepath.Ext(named) == ".mjs" {
		node := os.Getenv("SVC_NODE")
		if node == "" {
			node = "node"
		}
		return []string{node, named}
	}
	return []string{named}
}
