package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"svc.example/go"
)

// answering starts a server, and returns a client of it.
func answering(t *testing.T, options Options, answer http.HandlerFunc) *Client {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	options.BaseURL = server.URL
	c, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func errorOf(t *testing.T, err error) *Error {
	t.Helper()
	var failure *Error
	if !errors.As(err, &failure) {
		t.Fatalf("no *Error: %v", err)
	}
	return failure
}

func TestRetriesKeepBodyAndKey(t *testing.T) {
	var keys, bodies []string
	c := answering(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		keys, bodies = append(keys, r.Header.Get("Idempotency-Key")), append(bodies, string(body))
		switch len(keys) {
		case 1:
			w.WriteHeader(http.StatusServiceUnavailable)
		case 2:
			panic(http.ErrAbortHandler)
		default:
			w.WriteHeader(http.StatusConflict)
			io.WriteString(w, `{"detail":{"code":"idempotency_conflict","message":"no","seq_no":7}}`)
		}
	})
	_, err := c.CreateStream(context.Background(), StreamInput{SystemID: "s", UseCase: "u", PolicyID: "p"})
	failure := errorOf(t, err)
	if failure.Code != CodeIdempotencyConflict || failure.Status != 409 || failure.Attempts != 3 || failure.Retryable || !strings.Contains(string(failure.Detail), "seq_no") {
		t.Fatalf("%+v", failure)
	}
	if len(keys) != 3 || keys[0] == "" || keys[0] != keys[1] || keys[1] != keys[2] || failure.IdempotencyKey != keys[0] || bodies[0] != bodies[2] {
		t.Fatal(keys, bodies)
	}
}

func TestRefusedAnswers(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a redirect was followed") }))
	defer elsewhere.Close()
	for name, one := range map[string]struct {
		answer http.HandlerFunc
		code   Code
		status int
	}{
		"a redirect": {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, elsewhere.URL, http.StatusFound) }, CodeUnexpectedAnswer, 302},
		"a page":     {func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>") }, CodeUnexpectedAnswer, 200},
		"a name twice": {func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"status":"ok","status":"no"}`)
		}, CodeUnexpectedAnswer, 200},
		"too much": {func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, strings.Repeat(" ", 2000)) }, CodeAnswerTooLarge, 200},
		"a wait of hours": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "7200")
			w.WriteHeader(503)
		}, CodeUnexpectedAnswer, 503},
		"not implemented": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(501) }, CodeUnexpectedAnswer, 501},
		"another's detail": {func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(404)
			io.WriteString(w, `{"detail":"Not Found"}`)
		}, CodeUnexpectedAnswer, 404},
	} {
		t.Run(name, func(t *testing.T) {
			count := 0
			c := answering(t, Options{MaxAnswerBytes: 1000}, func(w http.ResponseWriter, r *http.Request) { count++; one.answer(w, r) })
			_, err := c.Health(context.Background())
			if failure := errorOf(t, err); failure.Code != one.code || failure.Status != one.status || count != 1 {
				t.Fatalf("%+v after %d requests", failure, count)
			}
		})
	}
}

func TestTimeoutAndCancel(t *testing.T) {
	release := make(chan struct{})
	c := answering(t, Options{Timeout: 30 * time.Millisecond, MaxAttempts: 2}, func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-release:
		}
	})
	defer close(release)
	_, err := c.Health(context.Background())
	if failure := errorOf(t, err); failure.Code != CodeNoAnswer || failure.Attempts != 2 || !failure.Retryable {
		t.Fatalf("%+v", failure)
	}
	why := errors.New("no longer needed")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(why)
	if _, err := c.Health(ctx); !errors.Is(err, why) {
		t.Fatal(err)
	}
}

func TestAnswerToAnotherRequest(t *testing.T) {
	c := answering(t, Options{MaxAttempts: 1}, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Idempotency-Key", "another")
		io.WriteString(w, `{}`)
	})
	_, err := c.Stream("str_1").Append(context.Background(), EventInput{Payload: map[string]any{}}, WithIdempotencyKey("mine"))
	if failure := errorOf(t, err); failure.Code != CodeUnexpectedAnswer || failure.IdempotencyKey != "mine" || !failure.Retryable {
		t.Fatalf("%+v", failure)
	}
}

func TestKeysAreNeverPrinted(t *testing.T) {
	const key = "svc_sk_secret"
	options := Options{BaseURL: "http://127.0.0.1:1", APIKey: key, MaxAttempts: 1}
	c, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Health(context.Background())
	text, _ := json.Marshal(options)
	var out strings.Builder
	slog.New(slog.NewJSONHandler(&out, nil)).Info("", "options", options, "client", c)
	slog.New(slog.NewTextHandler(&out, nil)).Info("", "options", options, "client", c)
	printed := out.String() + string(text)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		for _, value := range []any{options, &options, c, *c, c.transport, *c.transport, c.Log(), c.Stream("str_1"), *c.Stream("str_1"), err} {
			printed += fmt.Sprintf(verb, value)
		}
	}
	if strings.Contains(printed, key) || strings.Contains(printed, "secret") {
		t.Fatal(printed)
	}
	if !strings.Contains(fmt.Sprintf("%+v", options), "hidden") {
		t.Fatal("that there is a key is not said")
	}
}

func TestMistakesOfTheCaller(t *testing.T) {
	for _, options := range []Options{
		{}, {BaseURL: "ftp://x"}, {BaseURL: "evidence.example"}, {BaseURL: "http://x", APIKey: "key\n"}, {BaseURL: "http://x", Timeout: -1},
	} {
		if _, err := New(options); err == nil || strings.Contains(err.Error(), "key\n") {
			t.Errorf("%v: %v", options, err)
		}
	}
	c, _ := New(Options{BaseURL: "http://127.0.0.1:1"})
	for _, key := range []string{"", "with blank", strings.Repeat("k", 256), "é"} {
		if _, err := c.Stream("s").Append(context.Background(), EventInput{}, WithIdempotencyKey(key)); err == nil || errors.As(err, new(*Error)) {
			t.Errorf("the key %q: %v", key, err)
		}
	}
	if _, err := c.Stream("").Append(context.Background(), EventInput{}); !errors.Is(err, errNoStream) {
		t.Error(err)
	}
	if err := c.Stream("a").ContinueFrom(svc.ReceiptRecord{StreamID: "b"}); err == nil {
		t.Error("the head of another stream was taken")
	}
}

func TestPauses(t *testing.T) {
	for attempt, most := range map[int]time.Duration{1: 100, 2: 200, 4: 800, 8: 10_000, 40: 10_000} {
		least, largest := pauseAfter(attempt, 0, 0), pauseAfter(attempt, 0, 0.999999)
		if least != most*time.Millisecond/2 || largest > most*time.Millisecond || largest < most*time.Millisecond*99/100 {
			t.Errorf("attempt %d: %v to %v", attempt, least, largest)
		}
	}
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for header, want := range map[string]time.Duration{
		"": 0, "5": 5 * time.Second, " 7 ": 7 * time.Second, "-1": 0, "1e3": 0, "9999999999": 0,
		"Sun, 01 Mar 2026 09:00:30 GMT": 30 * time.Second, "Sun, 01 Mar 2026 08:00:00 GMT": 0,
	} {
		if got := retryAfter(header, now); got != want {
			t.Errorf("%q: %v", header, got)
		}
	}
	if got := pauseAfter(1, 9*time.Second, 0); got != 9*time.Second {
		t.Error(got)
	}
}

func TestListThatLeadsBack(t *testing.T) {
	count := 0
	c := answering(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
		count++
		fmt.Fprintf(w, `{"items":[],"next_cursor":"c%d"}`, count%3)
	})
	for _, err := range c.Streams(context.Background(), StreamFilter{}) {
		if failure := errorOf(t, err); failure.Code != CodeUnexpectedAnswer || count > 12 {
			t.Fatal(failure, count)
		}
	}
}
