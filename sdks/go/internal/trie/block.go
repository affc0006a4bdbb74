package trie

// A Block is what a block's header says.
type Block struct {
	StateRoot []byte
	// Number is -1 where it is beyond 2^53-1.
	Number int64
	// Time is in Unix seconds.
	Time int64
}

// ParseBlock reads the RLP of a block header; ok is false for all else.
func ParseBlock(raw []byte) (block Block, ok bool) {
	item, ok := Decode(raw)
	if !ok || !item.IsList || len(item.List) < 15 {
		return block, false
	}
	for i := range item.List {
		if item.List[i].IsList {
			return block, false
		}
	}
	for i, length := range []int{32, 32, 20, 32, 32, 32, 256} {
		if len(item.List[i].Bytes) != length {
			return block, false
		}
	}
	var numbers [5]int64
	for i := range numbers {
		if numbers[i], ok = item.List[7+i].Uint(); !ok {
			return block, false
		}
	}
	if numbers[4] < 0 {
		return block, false
	}
	return Block{item.List[3].Bytes, numbers[1], numbers[4]}, true
}

// An Account is the value of an account in the state.
type Account struct{ StorageRoot, CodeHash []byte }

// ParseAccount reads exactly nonce, balance, storage root and code hash.
func ParseAccount(raw []byte) (account Account, ok bool) {
	item, ok := Decode(raw)
	if !ok || !item.IsList || len(item.List) != 4 {
		return account, false
	}
	for i := range item.List[:2] {
		if _, ok := item.List[i].Uint(); !ok {
			return account, false
		}
	}
	root, code := &item.List[2], &item.List[3]
	if root.IsList || code.IsList || len(root.Bytes) != 32 || len(code.Bytes) != 32 {
		return account, false
	}
	return Account{root.Bytes, code.Bytes}, true
}
