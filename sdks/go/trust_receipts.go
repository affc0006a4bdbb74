package svc

// ForReceipts returns the part of the policy that a new receipt can meet: its signers and revoked keys. Windows,
// checkpoints and cosignatures of an event come later than its receipt.
func (t TrustPolicy) ForReceipts() TrustPolicy {
	if t.policy == nil {
		return t
	}
	return TrustPolicy{t.policy.SignersOnly()}
}
