package attestation

import (
	"strings"
	"testing"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

const custody = `{"record":{"attestationKind":"pkcs11-key-custody","challengeId":null,"nonce":null,"evidence":{"token":` +
	`{"manufacturer":"Example","model":"Token 2","firmware":"2.4.1","serialSha256":"` + values.Zeros + `"},"attributes":{` +
	`"sensitive":true,"alwaysSensitive":true,"extractable":false,"neverExtractable":true,"local":true,"sign":true},` +
	`"basis":"x509","chain":["AA=="],"ceremony":[]}}}`

const quote = `{"record":{"attestationKind":"tpm2-quote","challengeId":null,"nonce":null,"evidence":{"ekCertificate":"AA==",` +
	`"ekChain":[],"akPublic":"00","quoted":"ff","signature":"","start":{"startPublicKeyHex":"` + values.Zeros + `","vaultMeasurement":"` +
	values.Zeros + `","configDigest":"` + values.Zeros + `"},"startPcr":11,"pcrs":[{"index":0,"digest":"` + values.Zeros + `"}],"eventLog":` +
	`[{"type":"measure","digest":"` + values.Zeros + `"}],"activations":[],"challengeProof":null}}}`

// Evidence of an attestation has the form of its kind, whatever of it is judged.
func TestEvidenceForms(t *testing.T) {
	for _, one := range []struct {
		name, from, to string
		code           report.Code
		path           string
	}{
		{name: "custody"},
		{"another member", `"basis":"x509"`, `"basis":"x509","more":1`, report.CodeUnknownMember, "/more"},
		{"no token", `"token"`, `"tokens"`, report.CodeMissingMember, "/token"},
		{"a certificate that is no base64", `"AA=="`, `"AA"`, report.CodeMalformed, "/chain/0"},
		{"seven certificates", `["AA=="]`, `["","","","","","",""]`, report.CodeMalformed, "/chain"},
		{"a chain with another basis", `"x509"`, `"none"`, report.CodeMalformed, "/chain"},
		{"statements with another basis", `"ceremony":[]`, `"ceremony":[` + statement + `]`, report.CodeMalformed, "/ceremony"},
	} {
		evidenceForm(t, one.name, strings.Replace(custody, one.from, one.to, 1), one.code, "/record/evidence"+one.path)
	}
	for _, one := range []struct {
		name, from, to string
		code           report.Code
		path           string
	}{
		{name: "quote"},
		{"a register of another sort", `"startPcr":11`, `"startPcr":7`, report.CodeMalformed, "/startPcr"},
		{"an index beyond the registers", `"index":0`, `"index":24`, report.CodeMalformed, "/pcrs/0/index"},
		{"half a byte", `"ff"`, `"f"`, report.CodeMalformed, "/quoted"},
		{"an event of another type", `"measure"`, `"more"`, report.CodeMalformed, "/eventLog/0/type"},
	} {
		evidenceForm(t, one.name, strings.Replace(quote, one.from, one.to, 1), one.code, "/record/evidence"+one.path)
	}
}

const statement = `{"installationId":"ins_01k3c000000000000000000001","publicKeyHex":"` + values.Zeros + `","tokenModel":"","tokenSerialSha256":"` +
	values.Zeros + `","witnessedAt":"2026-03-01T00:00:00.000Z","custodian":"a","seal":{"protocol":"SVC-VAULT-ATTESTATION-001",` +
	`"alg":"Ed25519","kid":"ed25519-0000000000000000","signature":"` + values.Zeros + values.Zeros + `"}}`

func evidenceForm(t *testing.T, name, text string, code report.Code, path string) {
	t.Helper()
	tree, err := jsonx.Parse([]byte(text), jsonx.Limits{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	found := faults(tree.Root())
	if code == "" {
		if len(found) > 0 {
			t.Errorf("%s: %+v", name, found)
		}
		return
	}
	for _, one := range found {
		if one.Code == code && one.Path == path {
			return
		}
	}
	t.Errorf("%s: no %s at %s in %+v", name, code, path, found)
}
