package render

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"svc.example/go/report"
)

func TestGolden(t *testing.T) {
	text, err := os.ReadFile("/tmp/mut30/golden.json")
	if err != nil {
		t.Skip(err)
	}
	var list []struct {
		Path     string
		IsWhole  bool
		HasTrust bool
		Report   report.Report
		Lines    any
		Names    map[string]string
	}
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	bad := 0
	for _, one := range list {
		var file struct {
			Input       *string
			InputBase64 string `json:"input_base64"`
			Trust       json.RawMessage
		}
		raw, _ := os.ReadFile("../../../" + one.Path)
		if err := json.Unmarshal(raw, &file); err != nil {
			t.Fatal(err)
		}
		c := Call{File: "a b.json", IsWhole: one.IsWhole, Seconds: 0.01, HasTrust: one.HasTrust}
		if file.Input != nil {
			c.Bytes = []byte(*file.Input)
		} else {
			c.Bytes, _ = base64.StdEncoding.DecodeString(file.InputBase64)
		}
		if one.IsWhole {
			c.TrustFile = "t.json"
			c.Kind = one.Report.Kind
		}
		var trust struct {
			Signers []struct {
				KID          string `json:"kid"`
				PublicKeyHex string `json:"public_key_hex"`
			}
			Known []struct {
				StreamID    string `json:"stream_id"`
				WindowCount int64  `json:"window_count"`
			} `json:"known_checkpoints"`
		}
		if one.HasTrust {
			_ = json.Unmarshal(file.Trust, &trust)
			for _, s := range trust.Signers {
				c.Reader.Pinned = append(c.Reader.Pinned, Pin{s.KID, s.PublicKeyHex})
			}
			for _, k := range trust.Known {
				c.Reader.Known = append(c.Reader.Known, KnownCheckpoint{k.StreamID, k.WindowCount})
			}
		}
		c.Reader.Names = one.Names
		lines, err := Lines(&one.Report, c)
		if err != nil {
			t.Fatal(err)
		}
		want, ok := one.Lines.([]any)
		if !ok {
			continue
		}
		var w []string
		for _, l := range want {
			w = append(w, l.(string))
		}
		if strings.Join(w, "\n") != strings.Join(lines, "\n") {
			bad++
			if bad < 6 {
				for i := range max(len(w), len(lines)) {
					a, b := "", ""
					if i < len(w) {
						a = w[i]
					}
					if i < len(lines) {
						b = lines[i]
					}
					if a != b {
						t.Errorf("%s %v line %d\nwant %q\nhave %q", one.Path, one.IsWhole, i, a, b)
						break
					}
				}
			}
		}
	}
	t.Logf("%d of %d differ", bad, len(list))
}
