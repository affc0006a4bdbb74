package main

import (
	"svc.example/go/internal/foreign"
	"svc.example/go/internal/tables"
	"svc.example/go/report"
)

const (
	checkFile      = "Check that it is the file you meant."
	askForOriginal = "Ask for the original file."
	askForFile     = "Ask for the evidence itself; a document about it cannot be verified."
	unpack         = "Unpack it first."
)

// nextSteps are what to do about a file of a format that is no evidence.
var nextSteps = map[foreign.Format]string{
	"empty":           "Check that it was downloaded, and that nothing wrote over it.",
	"gzip":            "Unpack it first: gunzip -c FILE | svc verify -",
	"zstd":            unpack,
	"xz":              unpack,
	"bzip2":           unpack,
	"7z":              unpack,
	"pdf":             askForFile,
	"utf-32":          askForOriginal,
	"utf-16":          "A program saved it anew, as PowerShell does with >. Take the original, or convert it: iconv -f UTF-16 -t UTF-8",
	"zip":             "If it is a truth package, svc verify truth-package checks it.",
	"empty-zip":       checkFile,
	"byte-order-mark": "An editor put it there. Take the original, or cut the first three bytes off: tail -c +4 FILE",
	"html":            "A server may have sent an error or a login page in its place. Open it in a browser, and download the file again.",
	"private-key":     "Keep it secret; no command that verifies needs it. Nothing of it was shown.",
	"pem":             "Give the evidence here, and the key in hex with --public-key-hex.",
	"hex":             "Give the evidence here, and a public key with --public-key-hex.",
	"verifier-key":    "Give the evidence here; svc trust add takes such a key with --witness.",
	"image":           askForFile,
	"tar":             unpack,
	"sqlite":          checkFile,
	"mail":            "Save its attachment as a file, and give that here.",
	"base64":          "Decode it first: base64 -d FILE | svc verify -",
	"tlog-proof":      "Verify the bundle or the portable receipt of the same event, or give this to a program that reads C2SP tlog-proofs.",
	"json-lines":      "Put each line into its own file, and verify the folder: split -l 1 --additional-suffix=.json FILE part-",
	"json-array":      "Put each object into its own file, and verify the folder.",
	"list":            "Get the receipt of an event, or an audit pack of a range, and verify that.",
	"package-part":    "Its parts hold only together: verify the archive that it came out of.",
	"note":            "Verify the bundle or the checkpoint that it is from; svc forks find compares two notes.",
	"word":            askForFile,
	"office":          askForFile,
	"other-zip":       "If evidence is in it, unpack it first, and verify what is inside.",
	"report":          "Verify the file that it is about: a report proves nothing by itself.",
	"json":            checkFile,
	"no-json":         checkFile,
	"csv":             "If it came out of a truth package, verify the package itself.",
	"text":            checkFile,
	"binary":          checkFile,
}

// refuseOther refuses bytes that are recognizably no evidence. `name` is the file at the beginning of a sentence. A
// command that reads packages takes archives as evidence.
func refuseOther(name string, bytes []byte, readsPackages bool) error {
	return refuseFormat(name, foreign.Recognize(bytes, readsPackages))
}

func refuseFormat(name string, format foreign.Format) error {
	if format == "" {
		return nil
	}
	refused := refuse(exitInput, name+" is "+tables.OtherFormats[string(format)], nextSteps[format])
	refused.outcome = noEvidence
	if format.IsEvidence() {
		refused.outcome = notChecked
	}
	return refused
}

// refuseForeign refuses a file that was rejected for its form and is not SVC's: a trust policy in the place of
// evidence, or a file of another program.
func refuseForeign(name string, r *report.Report, file foreign.File) error {
	if !foreign.IsOfWrongForm(r) {
		return nil
	}
	if foreign.IsTrustPolicy(file) {
		refused := refuse(exitInput, name+" is a trust policy, not evidence.", "Give it with --trust, and the evidence here.")
		refused.outcome = noEvidence
		return refused
	}
	return refuseFormat(name, foreign.OfRejected(r, file))
}
