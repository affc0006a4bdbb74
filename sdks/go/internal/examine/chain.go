package examine

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"

	"svc.example/go/internal/jsonx"
	"svc.example/go/internal/keccak"
	"svc.example/go/internal/trie"
	"svc.example/go/report"
)

// chainEvidence follows the evidence of a mined anchor from the block's hash to the epoch's (protocol section 12).
func (e *exam) chainEvidence(a *anchor) {
	const check = report.CheckAnchor
	evidence, path := a.value.Get("evidence"), a.path+"/evidence"
	header := unhex(text(evidence, "block_header_rlp"))
	block, ok := trie.ParseBlock(header)
	if !ok {
		e.fault(check, report.CodeAnchorEvidenceInvalid, path+"/block_header_rlp", "It is no block header.")
		return
	}
	sum := keccak.Sum256(header)
	e.expect(check, "0x"+hex.EncodeToString(sum[:]) == text(a.value, "block_hash"), report.CodeAnchorDoesNotBind,
		a.path+"/block_hash", "The header has another hash.")
	e.expect(check, block.Number == number(a.value, "block_number"), report.CodeAnchorDoesNotBind,
		a.path+"/block_number", "The header has another number.")
	account, ok := e.accountOf(a, evidence, block, path)
	if !ok {
		return
	}
	if !e.holdsEpoch(a, evidence, account, path) {
		return
	}
	a.blockTime = block.Time
	a.isBlockPinned = e.isPinnedBlock(a)
	e.noteChain(a, account)
}

func (e *exam) accountOf(a *anchor, evidence jsonx.Value, block trie.Block, path string) (account trie.Account, ok bool) {
	contract := unhex(text(a.value, "contract")[2:])
	key := keccak.Sum256(contract)
	value, ok := e.proven(evidence, "account_proof", block.StateRoot, key[:], path)
	if !ok {
		return account, false
	}
	account, ok = trie.ParseAccount(value)
	return account, e.expect(report.CheckAnchor, ok, report.CodeAnchorEvidenceInvalid, path+"/account_proof", "The value is no account.")
}

func (e *exam) holdsEpoch(a *anchor, evidence jsonx.Value, account trie.Account, path string) bool {
	var slot [64]byte
	binary.BigEndian.PutUint64(slot[24:], uint64(a.epochNo))
	place := keccak.Sum256(slot[:])
	key := keccak.Sum256(place[:])
	value, ok := e.proven(evidence, "storage_proof", account.StorageRoot, key[:], path)
	if !ok {
		return false
	}
	path += "/storage_proof"
	item, ok := trie.Decode(value)
	if !e.expect(report.CheckAnchor, ok && !item.IsList, report.CodeAnchorEvidenceInvalid, path, "The value cannot be decoded.") {
		return false
	}
	epoch := epochHash(a.value)
	return e.expect(report.CheckAnchor, bytes.Equal(item.Bytes, bytes.TrimLeft(epoch[:], "\x00")), report.CodeAnchorDoesNotBind,
		path, "The contract holds another value than the epoch's hash.")
}

// proven returns the value that a proof leads to.
func (e *exam) proven(evidence jsonx.Value, name string, root, key []byte, path string) ([]byte, bool) {
	var proof [][]byte
	for _, one := range textsOf(evidence.Get(name)) {
		proof = append(proof, unhex(one))
	}
	value, fault := trie.Value(root, key, proof)
	if fault == nil {
		return value, true
	}
	path += "/" + name
	if fault.Index >= 0 {
		path = at(path, fault.Index)
	}
	code := report.CodeAnchorDoesNotBind
	if fault.IsInvalid {
		code = report.CodeAnchorEvidenceInvalid
	}
	e.fault(report.CheckAnchor, code, path, "The proof does not lead to the value.")
	return nil, false
}

func (e *exam) isPinnedBlock(a *anchor) bool {
	for _, block := range e.policy.blocks {
		if block.network == text(a.value, "network") && block.number == number(a.value, "block_number") &&
			block.hash == text(a.value, "block_hash") {
			return true
		}
	}
	return false
}

// noteChain says what is not shown of a mined anchor.
func (e *exam) noteChain(a *anchor, account trie.Account) {
	isPinned := false
	for _, contract := range e.policy.contracts {
		isPinned = isPinned || (contract.network == text(a.value, "network") && contract.address == text(a.value, "contract") &&
			contract.codeHash == "0x"+hex.EncodeToString(account.CodeHash))
	}
	switch {
	case !a.isBlockPinned:
		e.found(report.CheckAnchor, "in a block that you do not pin, so its time is a claim")
	case !isPinned:
		e.found(report.CheckAnchor, "in a contract whose code you do not pin, so not shown to be write-once")
	}
}
