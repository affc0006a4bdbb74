package client_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"reflect"
	"testing"

	"svc.example/go"
	"svc.example/go/client"
	"svc.example/go/svctest"
)

// A reader of a package reports that it verified; the service records that once, and no report of another package.
func TestReportVerification(t *testing.T) {
	ctx, service := t.Context(), svctest.Start(t)
	c := service.Client()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	_, err := c.Stream(service.StreamID).AppendBatch(ctx, []client.EventInput{decided("loan-1"), decided("loan-2")})
	must(err)
	info, err := c.Exports().Create(ctx, client.ExportInput{Streams: []string{service.StreamID}})
	must(err)
	info, err = c.Exports().WhenReady(ctx, info.ExportID)
	must(err)
	download, err := c.Exports().Download(ctx, info.ExportID, 0)
	must(err)
	archive, err := io.ReadAll(download)
	must(err)
	must(download.Close())
	_, err = svc.VerifyBytes(ctx, archive, svc.Options{Trust: service.Trust})
	must(err)

	sum := sha256.Sum256(archive)
	proof := sha256.Sum256(append([]byte(download.Challenge), archive...))
	report := client.PackageReport{
		VerifierKind: "my-verifier", VerifierVersion: "1", AccessID: download.AccessID, Proof: hex.EncodeToString(proof[:]),
		VerificationReport: client.PackageReportVerificationReport{
			Ok: true, PackageSHA256: hex.EncodeToString(sum[:]), ManifestSHA256: &info.Package.ManifestSHA256, VerifiedArtifacts: 3,
		},
	}
	recorded, err := c.Exports().ReportVerification(ctx, info.ExportID, report)
	must(err)
	if recorded.LifecycleRecord.EventType != "truth_package.verified" || recorded.AccessID != download.AccessID {
		t.Errorf("%+v", recorded)
	}
	if again, err := c.Exports().ReportVerification(ctx, info.ExportID, report); err != nil || !reflect.DeepEqual(again, recorded) {
		t.Errorf("reported again: %+v, %v", again, err)
	}
	report.Proof = hex.EncodeToString(sum[:])
	var refused *client.Error
	if _, err := c.Exports().ReportVerification(ctx, info.ExportID, report); !errors.As(err, &refused) || refused.Code != client.CodeReportMismatch {
		t.Errorf("a report without possession: %v", err)
	}
}
