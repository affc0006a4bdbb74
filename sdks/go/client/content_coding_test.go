package client

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
)

const health = `{"status":"ok","version":"0.5.0"}`

// coded answers each request in a content coding, and a request for a ticket without one.
func coded(coding string, asked *[]string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		*asked = append(*asked, r.Header.Get("Accept-Encoding"))
		if r.Method == http.MethodPost {
			io.WriteString(w, `{"path":"/ticket","access_id":"a","file_name":"x.zip","size_bytes":5,"sha256":"00"}`)
			return
		}
		w.Header().Set("Content-Encoding", coding)
		io.WriteString(w, health)
	}
}

func TestAnswersInACodingAreRefused(t *testing.T) {
	for _, coding := range []string{"gzip", "GZIP", "gzip, gzip", "deflate", "br", "x-unknown"} {
		// A transport that asks for gzip by itself decodes it too.
		for name, transport := range map[string]http.RoundTripper{"own": nil, "given": &http.Transport{}} {
			var asked []string
			c := answering(t, Options{MaxAttempts: 1, Transport: transport}, coded(coding, &asked))
			_, err := c.Health(context.Background())
			_, whileDownloading := c.Exports().Download(context.Background(), "exp_1", 0)
			for _, err := range []error{err, whileDownloading} {
				failure := errorOf(t, err)
				if failure.Code != CodeUnexpectedAnswer || failure.Status != 200 || !strings.Contains(failure.Message, `content coding "`+coding+`", which was not asked for`) {
					t.Errorf("%s, %s: %v", coding, name, err)
				}
			}
			if strings.Join(asked, " ") != "identity identity identity" {
				t.Error(asked)
			}
		}
	}
}

func TestAnswersThatSayThatTheyAreInNoCodingAreRead(t *testing.T) {
	var asked []string
	c := answering(t, Options{MaxAttempts: 1}, coded(" Identity", &asked))
	if _, err := c.Health(context.Background()); err != nil {
		t.Error(err)
	}
	download, err := c.Exports().Download(context.Background(), "exp_1", 0)
	if err != nil {
		t.Fatal(err)
	}
	defer download.Close()
	if text, err := io.ReadAll(download); err != nil || string(text) != health {
		t.Error(string(text), err)
	}
}
