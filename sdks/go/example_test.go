package svc_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	svc "svc.example/go"
)

// key is that of the service that sealed the receipt.
const key = "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8"

// receipt is that of the protocol's worked example.
const receipt = `{"event_hash":"b2d341436ba1e18aa81bb2c45af7842f893965a7f9d8e7597799f7e68cc8282a","event_type":"loan.decided",` +
	`"occurred_at":"2026-03-02T10:00:00+01:00","payload":{"amount":12500,"approved":true,"city":"Zürich"},` +
	`"payload_hash":"3279e33bf90cf5774d9c2b2a50527e87fc88a63190eb7ddd8699557bd8d79a3c",` +
	`"payload_salt":"00112233445566778899aabbccddeeff",` +
	`"previous_event_hash":"0000000000000000000000000000000000000000000000000000000000000000","receipt":{"alg":"Ed25519",` +
	`"kid":"ed25519-56475aa75463474c","protocol":"SVC-PROOFSTREAM-001",` +
	`"signature":"ac5c80c34c999a84eba4ebf47584c03ece67dd1832e2ed4403f52669280950fecfab29f09fc111b7469c1057cd1e2e82ecca6086f254d6096a51d` +
	`c74df49ba00"},"received_at":"2026-03-02T09:00:01.250Z","seq_no":1,"source_ref":"loan-1001",` +
	`"stream_event_id":"sev_01k3c000000000000000000001",` +
	`"stream_head_hash":"84b9a9af87b501b5096919fab28a79792203181950a4b51261fa048d51c733bc",` +
	`"stream_id":"str_01k3c000000000000000000001"}`

func ExampleVerifyBytes() {
	trust, err := svc.PinKeys(key)
	if err != nil {
		panic(err)
	}
	report, err := svc.VerifyBytes(context.Background(), []byte(receipt), svc.Options{Trust: trust})
	fmt.Println(err, report.Kind, report.Subject.FromSeqNo)
	// Output: <nil> receipt 1
}

// Options without a trust policy trust nobody: the signature holds, and nobody said whose it is.
func ExampleVerify_nobodyTrusted() {
	_, err := svc.Verify(context.Background(), strings.NewReader(receipt), svc.Options{})
	fmt.Println(errors.Is(err, svc.ErrUntrusted))
	// Output: true
}

// An error has the report: what does not hold, where, and what to do next.
func ExampleVerdictError() {
	edited := strings.Replace(receipt, "12500", "125000", 1)
	_, err := svc.Verify(context.Background(), strings.NewReader(edited), svc.Options{})
	var verdict *svc.VerdictError
	if errors.As(err, &verdict) {
		first := verdict.Report.Problems[0]
		fmt.Println(verdict.Report.Verdict, first.Code, first.Path)
	}
	// Output: rejected payload_hash_mismatch /payload
}

// The files of a folder, two at a time.
func ExampleVerifyAll() {
	folder, err := os.MkdirTemp("", "receipts")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	if err := os.WriteFile(filepath.Join(folder, "1.json"), []byte(receipt), 0o600); err != nil {
		panic(err)
	}
	trust, err := svc.PinKeys(key)
	if err != nil {
		panic(err)
	}
	names, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		panic(err)
	}
	for result := range svc.VerifyAll(context.Background(), names, svc.Options{Trust: trust, Workers: 2}) {
		fmt.Println(filepath.Base(result.Name), result.Report.Verdict, result.Err)
	}
	// Output: 1.json verified <nil>
}

// A receipt is read into its struct, once it is verified.
func ExampleDecode() {
	evidence, err := svc.Decode([]byte(receipt))
	if err != nil {
		panic(err)
	}
	record := evidence.Value.(*svc.ReceiptRecord)
	fmt.Println(record.SourceRef, string(record.Payload))
	// Output: loan-1001 {"amount":12500,"approved":true,"city":"Zürich"}
}

// A trust policy as it is in a file.
func ExampleParseTrustPolicy() {
	text := `{"signers":[{"kid":"ed25519-56475aa75463474c","public_key_hex":"` + key + `"}],"require":["included"]}`
	trust, err := svc.ParseTrustPolicy([]byte(text))
	if err != nil {
		panic(err)
	}
	report, err := svc.VerifyBytes(context.Background(), []byte(receipt), svc.Options{Trust: trust})
	fmt.Println(errors.Is(err, svc.ErrRejected), report.Problems[0].Code)
	// Output: true evidence_missing
}

// A payload is left out before a receipt is handed on; it verifies all the same.
func ExampleRedact() {
	bare, err := svc.Redact([]byte(receipt), 1)
	if err != nil {
		panic(err)
	}
	fmt.Println(strings.Contains(string(bare), "Zürich"))
	// Output: false
}

// An object does not contradict itself.
func ExampleFindFork() {
	evidence, err := svc.FindFork([]byte(receipt), []byte(receipt), svc.FindForkOptions{
		ForkID: "frk_01k3zjv5c7m5n0rhd0sxkqgx2t", DetectedAt: "2026-03-02T00:00:00.000Z",
	})
	fmt.Println(evidence == nil, err)
	// Output: true <nil>
}
