package main

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"

	"svc.example/go/cmd/svc/internal/cmdline"
	"svc.example/go/internal/examine"
	"svc.example/go/internal/kernel"
	"svc.example/go/report"
)

var (
	accessID = regexp.MustCompile(`^tpa_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$`)
	// ofArtifact are the codes of faults of an artifact itself, whose path is that of the artifact.
	ofArtifact = regexp.MustCompile(`^a(rtifact|rchive)_`)
	artifacts  = []string{"events.csv", "manifest.json", "proofs.json"}
)

// verifyPackageCommand verifies an export of events with all of its evidence (protocol section 15). Its --report is the
// body by which a service learns that its package was verified.
func (s *system) verifyPackageCommand() *cmdline.Command {
	return s.fileCommand(fileCheck{
		name: "truth-package", kind: report.KindTruthPackage,
		about:   "Verify a truth package on this machine alone; no connection is opened.",
		example: "svc verify truth-package march.truth.zip --trust acme.trust.json",
		note:    "\n--report writes the body that reports the result to its service.",
		options: []cmdline.Option{
			{Name: "sha256", Value: "<hex>", About: "the SHA-256 that the file has to have", Check: checkHex(64, "A SHA-256")},
			{Name: "access-id", Value: "<id>", About: "the access by which you got it, for --report", Check: checkAccessID},
			{Name: "challenge", Value: "<hex>", About: "the challenge that came with it, for --report", Check: checkHex(64, "A challenge")},
		},
		words: func(call *cmdline.Call) (words []string) {
			for _, name := range []string{"sha256", "access-id", "challenge"} {
				if call.Has(name) {
					words = append(words, "--"+name+" "+call.Value(name))
				}
			}
			return words
		},
		prepare:  refuseOtherPackage,
		reported: packageReportOf,
	})
}

func checkAccessID(text string) error {
	if accessID.MatchString(text) {
		return nil
	}
	return cmdline.Fault("An access is named by tpa_ and 26 characters.")
}

func refuseOtherPackage(call *cmdline.Call, _ []kernel.Kernel, text []byte) ([]byte, error) {
	if actual := sumOf(text); call.Has("sha256") && actual != call.Value("sha256") {
		file, err := fileOf(call)
		if err != nil {
			return nil, err
		}
		return nil, refuse(exitRejected, named(file)+" is another file than the one that you mean: its SHA-256 is "+actual+".",
			"Ask for the package again where you got its SHA-256, and keep this one as evidence.")
	}
	return text, nil
}

func sumOf(parts ...[]byte) string {
	sum := sha256.New()
	for _, one := range parts {
		sum.Write(one)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// A packageReport is the body of a report to the service. AccessID and Proof are nil without one; so is ManifestSHA256
// if the package has no manifest that can be read.
type packageReport struct {
	VerifierKind    string  `json:"verifierKind"`
	VerifierVersion string  `json:"verifierVersion"`
	AccessID        *string `json:"accessId"`
	// Proof is the answer to the challenge of the package's ticket: SHA-256 of the challenge and all bytes of the file.
	Proof        *string `json:"proof"`
	Verification struct {
		OK                bool             `json:"ok"`
		PackageSHA256     string           `json:"packageSha256"`
		ManifestSHA256    *string          `json:"manifestSha256"`
		VerifiedArtifacts int              `json:"verifiedArtifacts"`
		Problems          []report.Problem `json:"problems"`
	} `json:"verificationReport"`
}

func packageReportOf(call *cmdline.Call, r *report.Report, text []byte) any {
	body := packageReport{VerifierKind: "svc-cli", VerifierVersion: report.Version}
	if id := call.Value("access-id"); id != "" {
		body.AccessID = &id
	}
	if challenge := call.Value("challenge"); challenge != "" {
		proof := sumOf([]byte(challenge), text)
		body.Proof = &proof
	}
	v := &body.Verification
	v.OK, v.PackageSHA256, v.Problems = r.OK, sumOf(text), r.Problems
	if manifest, ok := examine.ManifestOf(kernel.Native, text); ok {
		sum := sumOf(manifest)
		v.ManifestSHA256 = &sum
	}
	wasReached := slices.ContainsFunc(r.Checks, func(c report.Check) bool { return c.ID == report.CheckManifest && c.Count > 0 })
	for _, path := range artifacts {
		isDamaged := slices.ContainsFunc(r.Problems, func(p report.Problem) bool { return p.Path == "/"+path && ofArtifact.MatchString(string(p.Code)) })
		if wasReached && !isDamaged {
			v.VerifiedArtifacts++
		}
	}
	return body
}
