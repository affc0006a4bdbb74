package checkpoint

import (
	"bytes"

	"svc.example/go/internal/examination"
	"svc.example/go/internal/objects/witness"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// HoldIndependence holds the key that sealed a checkpoint against the witnesses of its policy.
func HoldIndependence(e *examination.Exam, c *Checkpoint, book *witness.Book) {
	policy := book.WitnessPolicies[values.Text(c.Value, "witness_policy_digest")]
	own := e.Keys.PublicKey(c.KID)
	for _, key := range policy.Get("witnessKeys").Elements() {
		// Without the sealing key nothing is said of it.
		if own != nil && bytes.Equal(values.Unhex(values.Text(key, "public_key_hex")), own) {
			e.Fault(report.CheckPolicy, report.CodeWitnessNotIndependent, c.Path+"/witness_policy_digest",
				"The key that sealed the checkpoint is a witness of its policy.")
			return
		}
	}
}
