package examine

import (
	"math/bits"

	"svc.example/go/internal/beside"
	"svc.example/go/internal/digest"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/merkle"
	"svc.example/go/report"
)

// A bundle is a bundle, read once (protocol section 14).
type bundle struct {
	value, manifest, artifacts jsonx.Value
	stream                     string
	from, to                   int64
	prior                      int64
	frontier                   []merkle.Hash
	records                    recordList
	windows                    []bundleWindow
	checkpoints                []*checkpoint
	policies                   *policyBook
	roots                      *rootTable
}

const (
	receiptsPath    = "/artifacts/receipts.json"
	windowsPath     = "/artifacts/windows.json"
	checkpointsPath = "/artifacts/checkpoints.json"
	witnessesPath   = "/artifacts/witnesses.json"
	anchorsPath     = "/artifacts/anchors.json"
	forksPath       = "/artifacts/forks.json"
)

// frontierFaults returns the fault of form of the windows before a bundle, where their frontier has not the length of
// their tree.
func frontierFaults(prior jsonx.Value) []finding {
	if prior.Get("frontier").Len() == bits.OnesCount64(uint64(number(prior, "window_count"))) {
		return nil
	}
	return []finding{{
		code: report.CodeMalformed, path: "/manifest/prior_windows/frontier", message: "The frontier has not the length of its tree.",
	}}
}

// bundleFaults returns the faults of form between the members of a bundle.
func bundleFaults(object jsonx.Value) (found []finding) {
	manifest, artifacts := object.Get("manifest"), object.Get("artifacts")
	if number(manifest, "to_seq_no") < number(manifest, "from_seq_no") {
		found = append(found, finding{code: report.CodeMalformed, path: "/manifest/to_seq_no", message: "The range ends before it starts."})
	}
	prior := manifest.Get("prior_windows")
	if exceedsTree(number(prior, "window_count"), artifacts.Get("windows.json").Len()) {
		found = append(found, finding{code: report.CodeMalformed, path: "/manifest/prior_windows/window_count", message: noRoom})
	}
	found = append(found, frontierFaults(prior)...)
	for i, one := range artifacts.Get("windows.json").Elements() {
		found = append(found, windowFaultsAt(one, at(windowsPath, i))...)
	}
	for i, one := range artifacts.Get("checkpoints.json").Elements() {
		found = append(found, checkpointFaultsAt(one, at(checkpointsPath, i))...)
	}
	for i, one := range artifacts.At("witnesses.json", "witness_policies").Elements() {
		found = append(found, witnessPolicyFaults(one, at(witnessesPath+"/witness_policies", i))...)
	}
	for i, one := range artifacts.Get("forks.json").Elements() {
		found = append(found, forkFaultsAt(one, at(forksPath, i))...)
	}
	if has(artifacts, "forks.json") != has(manifest.Get("artifact_hashes"), "forks.json") {
		path := forksPath
		if has(artifacts, "forks.json") {
			path = "/manifest/artifact_hashes/forks.json"
		}
		found = append(found, finding{code: report.CodeMissingMember, path: path, message: "The fork evidence and its hash stand together."})
	}
	return append(found, provenancePartFaults(object)...)
}

// bundle examines a bundle.
func (e *exam) bundle(object jsonx.Value) {
	b := e.readBundle(object)
	// The hashes take long enough to be made beside the records.
	var hashes []digest.Hash
	beside.All(e.workers, func() { hashes = b.artifactHashes(e.k) }, func() { e.records(b) })
	e.manifest(b, hashes)
	e.bundleWindows(b)
	e.pause()
	e.completeness(b)
	e.bundleCheckpoints(b)
	e.showBundle(b)
	e.checkpointChain(b)
	e.bundlePolicies(b)
	e.bundleWitnesses(b)
	e.bundleAnchors(b)
	e.settle()
	isVouched := e.sealedManifest(b.manifest, object.Get("seal"), "/seal")
	e.settle()
	if has(b.artifacts, "provenance.json") {
		isTrusted := e.mayVouch(text(object.Get("seal"), "kid"), b.stream, text(b.manifest, "created_at"))
		e.provenancePart(b, isTrusted, isTrusted && isVouched())
	}
	e.settle()
	e.bundleForks(b)
	e.isIncluded = b.records.len() > 0 && e.isClean(
		report.CheckEventHash, report.CheckWindowRoot, report.CheckWindowSeal, report.CheckWindowTiling,
		report.CheckCheckpointRoot, report.CheckCheckpointChain, report.CheckCheckpointSeal, report.CheckNote,
	)
	e.isComplete = e.isIncluded && e.isClean(report.CheckSequence, report.CheckCompleteness, report.CheckBundleSeal)
}

// sealedManifest examines the seal over a bundle's manifest. isVouched says, after settle, whether it holds and trust
// reaches its signer.
func (e *exam) sealedManifest(manifest, seal jsonx.Value, path string) (isVouched func() bool) {
	holds := false
	reached := e.seal(report.CheckBundleSeal, bundleSeal, manifest, seal, sealUse{
		path: path, role: report.RoleBundle, what: "the manifest of the bundle", stream: text(manifest, "stream_id"),
		ownTime: text(manifest, "created_at"),
	}, func(ok bool) { holds = ok })
	return func() bool { return holds && reached != report.None }
}

func (e *exam) readBundle(object jsonx.Value) *bundle {
	b := &bundle{value: object, manifest: object.Get("manifest"), artifacts: object.Get("artifacts")}
	b.stream = text(b.manifest, "stream_id")
	b.from, b.to = number(b.manifest, "from_seq_no"), number(b.manifest, "to_seq_no")
	prior := b.manifest.Get("prior_windows")
	b.prior, b.frontier = number(prior, "window_count"), hashes(prior.Get("frontier"))
	for i, one := range b.artifacts.Get("checkpoints.json").Elements() {
		b.checkpoints = append(b.checkpoints, e.readCheckpoint(one, at(checkpointsPath, i)))
	}
	for i, one := range b.artifacts.Get("windows.json").Elements() {
		b.windows = append(b.windows, bundleWindow{
			value: one, path: at(windowsPath, i), no: number(one, "window_no"),
			from: number(one, "from_seq_no"), to: number(one, "to_seq_no"), hash: windowSeal.hash(one),
		})
	}
	e.about(text(b.manifest, "bundle_id"), b.stream, b.from, b.to)
	if newest := b.newest(); newest != nil {
		e.subject.Origin, e.origin = statedBy(newest.origin, b.stream), newest.origin
	}
	return b
}

// newest returns the last checkpoint; nil for none.
func (b *bundle) newest() *checkpoint {
	if len(b.checkpoints) == 0 {
		return nil
	}
	return b.checkpoints[len(b.checkpoints)-1]
}

// checkpointOf returns a checkpoint by its number; nil for none.
func (b *bundle) checkpointOf(no int64) *checkpoint {
	for _, one := range b.checkpoints {
		if one.no == no {
			return one
		}
	}
	return nil
}

// artifactHashes returns the hashes of the artifacts, in their order.
func (b *bundle) artifactHashes(k digester) (hashes []digest.Hash) {
	for _, artifact := range b.artifacts.Members() {
		hashes = append(hashes, k.Digest(nil, artifact.Canonical()))
	}
	return hashes
}

// manifest holds every artifact against the hash that the manifest names.
func (e *exam) manifest(b *bundle, hashes []digest.Hash) {
	named := b.manifest.Get("artifact_hashes")
	i := 0
	for name := range b.artifacts.Members() {
		label, _ := name.Text()
		e.expectEqual(report.CheckManifest, report.CodeArtifactHashMismatch, text(named, label),
			hexOf(hashes[i]), "/artifacts/"+label, label+" is not the one that the manifest names.")
		i++
	}
}

// completeness holds the ends of records and windows against the manifest's range.
func (e *exam) completeness(b *bundle) {
	const check = report.CheckCompleteness
	e.looked(check, b.records.len())
	ends := func(actual, due int64, path, message string) {
		code := report.CodeRangeIncomplete
		if actual > due {
			code = report.CodeSequenceBroken
		}
		if actual != due {
			e.reject(check, finding{code: code, path: path, message: message, expected: itoa(due), actual: itoa(actual)})
		}
	}
	// The windows are named where both are missing, and nothing is compared with one that is there.
	if len(b.windows) == 0 {
		e.fault(check, report.CodeRangeIncomplete, windowsPath, "The bundle has no windows.")
		return
	}
	n := b.records.len()
	if n == 0 {
		e.fault(check, report.CodeRangeIncomplete, receiptsPath, "The bundle has no records.")
		return
	}
	// A first record past the beginning leaves a gap, one before it is more than is stated.
	ends(-b.records.seqNos[0], -b.from, at(receiptsPath, 0)+"/seq_no", "The records do not begin where the range does.")
	ends(b.records.seqNos[n-1], b.to, at(receiptsPath, n-1)+"/seq_no", "The records do not end where the range does.")
	last := b.windows[len(b.windows)-1]
	ends(last.to, b.to, last.path+"/to_seq_no", "The windows do not end where the range does.")
}

// ascend holds a list against its order, without repeats; `less` compares an item with the one before it.
func (e *exam) ascend(check report.CheckID, list []jsonx.Value, path string, compare func(before, after jsonx.Value) int) {
	for i := 1; i < len(list); i++ {
		if compare(list[i-1], list[i]) >= 0 {
			e.fault(check, report.CodeMalformed, at(path, i), "The list is not in ascending order without repeats.")
		}
	}
}

func byNumber(name string) func(before, after jsonx.Value) int {
	return func(before, after jsonx.Value) int {
		switch a, b := number(before, name), number(after, name); {
		case a < b:
			return -1
		case a > b:
			return 1
		default:
			return 0
		}
	}
}

var (
	policyLine        = digest.Line("policy")
	witnessPolicyLine = digest.Line("witness-policy")
)
