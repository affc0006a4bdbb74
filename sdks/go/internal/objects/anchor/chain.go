package anchor

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"

	"svc.example/go/internal/examination"
	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/keccak"
	"svc.example/go/internal/trie"
	"svc.example/go/internal/values"
	"svc.example/go/report"
)

// chainEvidence follows the evidence of a mined anchor from the block's hash to the epoch's (protocol section 12).
func chainEvidence(e *examination.Exam, a *Anchor) {
	const check = report.CheckAnchor
	evidence, path := a.value.Get("evidence"), a.Path+"/evidence"
	header := values.Unhex(values.Text(evidence, "block_header_rlp"))
	block, ok := trie.ParseBlock(header)
	if !ok {
		e.Fault(check, report.CodeAnchorEvidenceInvalid, path+"/block_header_rlp", "It is no block header.")
		return
	}
	sum := keccak.Sum256(header)
	e.Expect(check, "0x"+hex.EncodeToString(sum[:]) == values.Text(a.value, "block_hash"), report.CodeAnchorDoesNotBind,
		a.Path+"/block_hash", "The header has another hash.")
	e.Expect(check, block.Number == values.Number(a.value, "block_number"), report.CodeAnchorDoesNotBind,
		a.Path+"/block_number", "The header has another number.")
	account, ok := accountOf(e, a, evidence, block, path)
	if !ok {
		return
	}
	if !holdsEpoch(e, a, evidence, account, path) {
		return
	}
	a.blockTime = block.Time
	a.isBlockPinned = isPinnedBlock(e, a)
	noteChain(e, a, account)
}

func accountOf(e *examination.Exam, a *Anchor, evidence jsonx.Value, block trie.Block, path string) (account trie.Account, ok bool) {
	contract := values.Unhex(values.Text(a.value, "contract")[2:])
	key := keccak.Sum256(contract)
	value, ok := proven(e, evidence, "account_proof", block.StateRoot, key[:], path)
	if !ok {
		return account, false
	}
	account, ok = trie.ParseAccount(value)
	return account, e.Expect(report.CheckAnchor, ok, report.CodeAnchorEvidenceInvalid, path+"/account_proof", "The value is no account.")
}

func holdsEpoch(e *examination.Exam, a *Anchor, evidence jsonx.Value, account trie.Account, path string) bool {
	var slot [64]byte
	binary.BigEndian.PutUint64(slot[24:], uint64(a.EpochNo))
	place := keccak.Sum256(slot[:])
	key := keccak.Sum256(place[:])
	value, ok := proven(e, evidence, "storage_proof", account.StorageRoot, key[:], path)
	if !ok {
		return false
	}
	path += "/storage_proof"
	item, ok := trie.Decode(value)
	if !e.Expect(report.CheckAnchor, ok && !item.IsList, report.CodeAnchorEvidenceInvalid, path, "The value cannot be decoded.") {
		return false
	}
	epoch := EpochHash(a.value)
	return e.Expect(report.CheckAnchor, bytes.Equal(item.Bytes, bytes.TrimLeft(epoch[:], "\x00")), report.CodeAnchorDoesNotBind,
		path, "The contract holds another value than the epoch's hash.")
}

// proven returns the value that a proof leads to.
func proven(e *examination.Exam, evidence jsonx.Value, name string, root, key []byte, path string) ([]byte, bool) {
	var proof [][]byte
	for _, one := range values.Texts(evidence.Get(name)) {
		proof = append(proof, values.Unhex(one))
	}
	value, fault := trie.Value(root, key, proof)
	if fault == nil {
		return value, true
	}
	path += "/" + name
	if fault.Index >= 0 {
		path = values.At(path, fault.Index)
	}
	code := report.CodeAnchorDoesNotBind
	if fault.IsInvalid {
		code = report.CodeAnchorEvidenceInvalid
	}
	e.Fault(report.CheckAnchor, code, path, "The proof does not lead to the value.")
	return nil, false
}

func isPinnedBlock(e *examination.Exam, a *Anchor) bool {
	for _, block := range e.Policy.Blocks {
		if block.Network == values.Text(a.value, "network") && block.Number == values.Number(a.value, "block_number") &&
			block.Hash == values.Text(a.value, "block_hash") {
			return true
		}
	}
	return false
}

// noteChain says what is not shown of a mined anchor.
func noteChain(e *examination.Exam, a *Anchor, account trie.Account) {
	isPinned := false
	for _, contract := range e.Policy.Contracts {
		isPinned = isPinned || (contract.Network == values.Text(a.value, "network") && contract.Address == values.Text(a.value, "contract") &&
			contract.CodeHash == "0x"+hex.EncodeToString(account.CodeHash))
	}
	switch {
	case !a.isBlockPinned:
		e.Found(report.CheckAnchor, "in a block that you do not pin, so its time is a claim")
	case !isPinned:
		e.Found(report.CheckAnchor, "in a contract whose code you do not pin, so not shown to be write-once")
	}
}
