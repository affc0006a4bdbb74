package client

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"svc.example/go"
	"svc.example/go/internal/tables"
)

// Gaps says how a client treats numbers between the newest event that it knows and a new receipt.
type Gaps int

const (
	// ReadGaps, the default: the client reads these events, and they must chain, unless there are more than 1000.
	ReadGaps Gaps = iota
	// AcceptGaps: the client believes in the other writers.
	AcceptGaps
)

// Options say how a client reaches a service, and whom it trusts.
type Options struct {
	// BaseURL is the service's URL, without a path, as in https://evidence.example.
	BaseURL string
	// APIKey is a system key; without one, only calls that need none succeed. Everybody who reads it can record in your
	// name. Printing Options never shows it.
	APIKey string `json:"-"`
	// Trust is the policy by which receipts are accepted (protocol section 16). Its pins come from you, never from the
	// service. The zero policy trusts nobody: receipts are still checked, but not who signed them. Only signers and
	// revoked keys count here: a new receipt cannot have more evidence yet.
	Trust svc.TrustPolicy
	// Gaps is how to treat events of other writers.
	Gaps Gaps
	// Timeout bounds one attempt with its answer's body; 0 for 30 seconds.
	Timeout time.Duration
	// MaxAttempts is the most attempts of a request; 0 for 5.
	MaxAttempts int
	// MaxAnswerBytes is the most bytes of an answer; 0 for 64 MiB, and 512 MiB for an audit pack. Downloads of packages
	// have no limit.
	MaxAnswerBytes int64
	// Transport sends requests; nil for one of the client's own, which uses no proxy.
	Transport http.RoundTripper
}

// shown are options that may be printed.
type shown struct {
	BaseURL        string
	APIKey         string
	Trusting       bool
	Timeout        time.Duration
	MaxAttempts    int
	MaxAnswerBytes int64
}

// Format prints options without the key.
func (o Options) Format(state fmt.State, verb rune) {
	key := ""
	if o.APIKey != "" {
		key = "hidden"
	}
	part := shown{o.BaseURL, key, o.Trust != svc.TrustPolicy{}, o.Timeout, o.MaxAttempts, o.MaxAnswerBytes}
	fmt.Fprintf(state, fmt.FormatString(state, verb), part)
}

// checked returns options that can be used, with the defaults in place. The error never quotes the key.
func (o Options) checked() (Options, error) {
	base, err := url.Parse(o.BaseURL)
	if err != nil || (base.Scheme != "http" && base.Scheme != "https") || base.Host == "" {
		return o, fmt.Errorf("client: BaseURL is no http address: %q", o.BaseURL)
	}
	if o.APIKey != "" && !isVisible(o.APIKey) {
		return o, errors.New("client: APIKey holds something else than visible ASCII: a line end that came with it, perhaps")
	}
	if o.Timeout < 0 || o.MaxAttempts < 0 || o.MaxAnswerBytes < 0 {
		return o, errors.New("client: Timeout, MaxAttempts and MaxAnswerBytes are not negative")
	}
	if o.Timeout == 0 {
		o.Timeout = tables.ClientDefaultTimeoutMS * time.Millisecond
	}
	if o.MaxAttempts == 0 {
		o.MaxAttempts = tables.ClientDefaultMaxAttempts
	}
	o.BaseURL = strings.TrimRight(o.BaseURL, "/")
	return o, nil
}

// isVisible says whether a text is visible ASCII.
func isVisible(text string) bool {
	for i := range len(text) {
		if text[i] < '!' || '~' < text[i] {
			return false
		}
	}
	return text != ""
}

// maxKeyCharacters is the most characters of an Idempotency-Key.
const maxKeyCharacters = 255

// A WriteOption changes one write.
type WriteOption func(*write)

// A write is how a request that records something is sent.
type write struct {
	key, afterKey string
	err           error
}

// WithIdempotencyKey sends a write under a key of yours, 1 to 255 visible ASCII characters: under the same key it takes
// effect once. Without it each call has a new key, which its repeats keep.
func WithIdempotencyKey(key string) WriteOption {
	return func(w *write) {
		w.key = key
		if !isVisible(key) || len(key) > maxKeyCharacters {
			w.err = errors.New("client: an idempotency key is 1 to 255 visible ASCII characters")
		}
	}
}

// WithAfterKey records a batch only behind the request of another Idempotency-Key, or not at all: so it can be sent
// while that one is on its way. [Stream.SendBatch] takes it.
func WithAfterKey(key string) WriteOption {
	return func(w *write) { w.afterKey = key }
}

func writeOf(options []WriteOption) (write, error) {
	var w write
	for _, one := range options {
		one(&w)
	}
	return w, w.err
}
