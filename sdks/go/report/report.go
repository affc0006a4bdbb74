// Package report has the report of a verification (protocol section 16), and the words that it is made of.
package report

// A Verdict is the outcome of a verification.
type Verdict string

// The verdicts of protocol section 16.
const (
	// Verified says that all that the object lets one check holds, that what the verifier requires is there, and that
	// its trust reaches every signer.
	Verified Verdict = "verified"
	// Rejected says that something does not hold, or that evidence which the verifier requires is not there.
	Rejected Verdict = "rejected"
	// Untrusted says that nothing that was checked is broken, but that no pinned key leads to a signer, or that a proof
	// of time is missing.
	Untrusted Verdict = "untrusted"
)

// A Status says how a check ended.
type Status string

// The states of a check.
const (
	// Pass says that the check looked at one thing at least, and that all of them hold.
	Pass Status = "pass"
	// Fail says that something rejects under the check.
	Fail Status = "fail"
	// NotChecked says that the check looked at nothing.
	NotChecked Status = "not_checked"
	// CannotEvaluate says that nothing failed, but a key or other evidence was missing.
	CannotEvaluate Status = "cannot_evaluate"
)

// A CheckID names a check.
type CheckID string

// A Kind names a kind of object. The zero Kind is no kind, null in JSON.
type Kind string

// MarshalJSON writes null for the zero Kind.
func (k Kind) MarshalJSON() ([]byte, error) {
	if k == "" {
		return []byte("null"), nil
	}
	return []byte(`"` + k + `"`), nil
}

// UnmarshalJSON reads null as the zero Kind.
func (k *Kind) UnmarshalJSON(text []byte) error {
	*k = ""
	if s := string(text); len(s) >= 2 && s[0] == '"' {
		*k = Kind(s[1 : len(s)-1])
	}
	return nil
}

// A Role says what a signer sealed.
type Role string

// Reached says how trust reaches a signer.
type Reached string

// How trust reaches a signer: the key is pinned for this, endorsed by one that is, or neither.
const (
	Pinned   Reached = "pinned"
	Endorsed Reached = "endorsed"
	None     Reached = "none"
)

// A Report is what a verification found.
type Report struct {
	// OK is true for [Verified] only.
	OK           bool      `json:"ok"`
	Verdict      Verdict   `json:"verdict"`
	Kind         Kind      `json:"kind"`
	Subject      Subject   `json:"subject"`
	Verifier     Verifier  `json:"verifier"`
	Assurance    Assurance `json:"assurance"`
	Signers      []Signer  `json:"signers"`
	Checks       []Check   `json:"checks"`
	Problems     []Problem `json:"problems"`
	Proves       []string  `json:"proves"`
	DoesNotProve []string  `json:"does_not_prove"`
}

// A Subject says what the object is about, by its own words. Members that it does not state are nil, empty or 0.
type Subject struct {
	// ID is nil where the object has none.
	ID        *string `json:"id"`
	StreamID  string  `json:"stream_id,omitempty"`
	FromSeqNo int64   `json:"from_seq_no,omitempty"`
	ToSeqNo   int64   `json:"to_seq_no,omitempty"`
	// Origin is nil where nothing states it; it can be empty.
	Origin         *string `json:"origin,omitempty"`
	FromReceivedAt string  `json:"from_received_at,omitempty"`
	ToReceivedAt   string  `json:"to_received_at,omitempty"`
}

// A Verifier says who made the report.
type Verifier struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	// KernelSHA256 is nil where no compiled kernel computed.
	KernelSHA256 *string `json:"kernel_sha256"`
}

// An Assurance says what the evidence shows. It is recomputed, and never read from the file.
type Assurance struct {
	Signed    bool      `json:"signed"`
	Included  bool      `json:"included"`
	Complete  bool      `json:"complete"`
	Witnessed Witnessed `json:"witnessed"`
	// Published is "none", "included" or "witnessed".
	Published string `json:"published"`
	// Anchored is "none", "pending", "unpinned" or "pinned".
	Anchored string `json:"anchored"`
	// Redacted counts records without payload.
	Redacted int64 `json:"redacted"`
	// Provenance stands for objects about envelopes only.
	Provenance *Provenance `json:"provenance,omitempty"`
}

// Witnessed counts the witnesses of the newest checkpoint.
type Witnessed struct {
	Required int64 `json:"required"`
	Valid    int64 `json:"valid"`
	Pinned   int64 `json:"pinned"`
}

// A Provenance says what the evidence of vaults shows (protocol section 33).
type Provenance struct {
	Events        int64 `json:"events"`
	Installations int64 `json:"installations"`
	// VaultChain is complete, partial or none.
	VaultChain string `json:"vault_chain"`
	// VaultKeys is pinned, service-vouched or none.
	VaultKeys string    `json:"vault_keys"`
	Claimed   Claimed   `json:"claimed"`
	Effective Effective `json:"effective"`
	// SubstantiatedBy is verifier, service or none.
	SubstantiatedBy string `json:"substantiated_by"`
	// KeyCustody is x509, ceremony or none.
	KeyCustody   string `json:"key_custody"`
	SoftwareRoot bool   `json:"software_root"`
}

// Claimed counts events by the level that they claim.
type Claimed struct {
	L0      int64 `json:"L0"`
	L1      int64 `json:"L1"`
	L2      int64 `json:"L2"`
	Unknown int64 `json:"unknown"`
}

// Effective counts events by the level that counts.
type Effective struct {
	L0 int64 `json:"L0"`
	L1 int64 `json:"L1"`
	L2 int64 `json:"L2"`
	L3 int64 `json:"L3"`
}

// A Signer is a key that sealed something in the object, in one role.
type Signer struct {
	KID string `json:"kid"`
	// Fingerprint is SHA-256 of the raw public key in lowercase hex; nil where nobody gave the key.
	Fingerprint *string `json:"fingerprint"`
	Role        Role    `json:"role"`
	Reached     Reached `json:"reached"`
}

// A Check is the outcome of one check.
type Check struct {
	ID     CheckID `json:"id"`
	Status Status  `json:"status"`
	// Count is how many things the check looked at.
	Count int64  `json:"count,omitempty"`
	Note  string `json:"note,omitempty"`
}

// A Problem is one thing that is wrong or missing.
type Problem struct {
	Code Code `json:"code"`
	// Path is a JSON Pointer into the object; into the trust policy it begins with trust:.
	Path         string `json:"path"`
	SeqNo        int64  `json:"seq_no,omitempty"`
	WindowNo     int64  `json:"window_no,omitempty"`
	CheckpointNo int64  `json:"checkpoint_no,omitempty"`
	KID          string `json:"kid,omitempty"`
	Message      string `json:"message"`
	Expected     string `json:"expected,omitempty"`
	Actual       string `json:"actual,omitempty"`
	// Action says what a person does next.
	Action string `json:"action"`
}
