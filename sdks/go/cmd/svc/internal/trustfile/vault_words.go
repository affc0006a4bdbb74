package trustfile

import (
	"fmt"
	"strings"

	"svc.example/go/cmd/svc/internal/ordered"
	"svc.example/go/render"
)

// vaultSections say what a file has about vaults (protocol section 33).
func (f File) vaultSections() []section {
	return []section{
		{"Vaults", f.each("vaults", func(pin *ordered.Object) []string {
			entry := []string{pin.Text("installation_id"), pin.Text("public_key_hex")}
			if certificate := pin.Text("ek_certificate_sha256"); certificate != "" {
				entry = append(entry, "with the certificate "+certificate)
			}
			return entry
		})},
		{"Statuses of vaults' keys", f.each("key_status", func(one *ordered.Object) []string {
			return []string{one.Text("installationId"), one.Text("status") + ", by a status of " + one.Text("statusAt")}
		})},
		{"Attestation roots", f.each("attestation_roots", func(root *ordered.Object) []string {
			words := []string{root.Text("use")}
			if profile := root.Text("profile"); profile != "" {
				words = append(words, profile)
			}
			if root.Get("software") == any(true) {
				words = append(words, "software")
			}
			return []string{root.Text("sha256"), render.Escape(strings.Join(words, ", "))}
		})},
		{"Custodians", f.each("custodians", keyEntry)},
		{"Activators", f.each("activators", keyEntry)},
		{"Reference values", f.each("reference_values", func(values *ordered.Object) []string {
			count := int64(len(values.List("measurements")))
			return []string{
				fmt.Sprintf("%s, version %s", render.Escape(values.Text("policyId")), values.Get("policyVersion")),
				render.Counted(count, "measurement", "measurements"),
			}
		})},
		{"Required of vaults", f.demands()},
	}
}

func keyEntry(one *ordered.Object) []string {
	return []string{render.Escape(one.Text("name")) + "  " + render.Shorten(one.Text("public_key_hex"))}
}

func (f File) demands() (entries [][]string) {
	say := func(text string) { entries = append(entries, []string{text}) }
	if level := f.Policy.Text("require_assurance"); level != "" {
		say("the level " + level + " for every event")
	}
	if since := f.Policy.Text("status_not_before"); since != "" {
		say("a status of each key from " + since + " or later")
	}
	switch f.Policy.Text("vault_time") {
	case "stated":
		say("the service's word that an event is older than the end of its key")
	case "proven":
		say("proof that an event is older than the end of its key")
	}
	switch f.Policy.Get("allow_software_roots") {
	case any(true):
		say("roots of software count")
	case any(false):
		say("roots of software do not count")
	}
	return entries
}
