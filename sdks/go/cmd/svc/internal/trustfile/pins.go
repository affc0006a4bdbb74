package trustfile

import (
	"encoding/json"
	"fmt"
	"slices"

	"svc.example/go/cmd/svc/internal/ordered"
)

// AddSigner pins a key, and names it where the name is not empty. It refuses a revoked key, a key pinned with other
// limits unless it replaces them, and a name that another key has.
func (f File) AddSigner(pin *ordered.Object, name string, replaces bool) (File, error) {
	kid := pin.Text("kid")
	if slices.Contains(f.Policy.List("revoked"), any(kid)) {
		return f, refuse(fmt.Sprintf("You revoked %s, and a revoked key is never trusted.", kid),
			"If that was a mistake, take it back first: svc trust remove --revoked "+kid)
	}
	for _, one := range f.Names.Members() {
		if name != "" && one.Value == any(name) && one.Name != kid {
			return f, refuse(fmt.Sprintf(`The name "%s" belongs to another key, %s.`, name, one.Name),
				"Give another name, as with a year in it, or remove that key first.")
		}
	}
	isOwn := func(one any) bool { return one.(*ordered.Object).Text("kid") == kid }
	signers := f.Policy.List("signers")
	others := slices.DeleteFunc(slices.Clone(signers), isOwn)
	own := len(signers) - len(others)
	isThere := slices.ContainsFunc(signers, func(one any) bool { return one.(*ordered.Object).Same(pin) })
	if own > 0 && !isThere && !replaces {
		return f, refuse(kid+" is pinned already, with other limits (origin, streams, end or endorsements).",
			"Nothing was changed. --replace puts this pin in the place of that one.")
	}
	if name != "" {
		f.Names = f.Names.With(kid, name)
	}
	if isThere && (!replaces || own == 1) {
		return f, nil
	}
	if !replaces {
		others = slices.Clone(signers)
	}
	return f.set("signers", append(others, pin)), nil
}

// AddWitness pins a witness.
func (f File) AddWitness(pin *ordered.Object) File {
	if slices.ContainsFunc(f.Policy.Objects("witnesses"), pin.Same) {
		return f
	}
	return f.set("witnesses", append(slices.Clone(f.Policy.List("witnesses")), pin))
}

// AddBlock pins a block. It refuses another hash at the same height of the same chain unless it replaces it.
func (f File) AddBlock(network string, number int64, hash string, replaces bool) (File, error) {
	pin := ordered.New(
		ordered.Member{Name: "network", Value: network},
		ordered.Member{Name: "number", Value: json.Number(fmt.Sprint(number))},
		ordered.Member{Name: "hash", Value: hash},
	)
	return f.addAt("blocks", pin, "hash", fmt.Sprintf("Block %d of %s", number, network), replaces)
}

// AddContract pins a contract's code. It refuses another code at the same address unless it replaces it.
func (f File) AddContract(network, address, codeHash string, replaces bool) (File, error) {
	pin := ordered.New(
		ordered.Member{Name: "network", Value: network},
		ordered.Member{Name: "address", Value: address},
		ordered.Member{Name: "code_hash", Value: codeHash},
	)
	return f.addAt("contracts", pin, "code_hash", fmt.Sprintf("The contract %s of %s", address, network), replaces)
}

// addAt pins what one place of a chain holds: all members but `hash` are the place.
func (f File) addAt(list string, pin *ordered.Object, hash, what string, replaces bool) (File, error) {
	var kept []any
	other, isThere := "", false
	for _, one := range f.Policy.Objects(list) {
		if !one.Without(hash).Same(pin.Without(hash)) {
			kept = append(kept, one)
			continue
		}
		isThere = isThere || one.Same(pin)
		if found := one.Text(hash); found != pin.Text(hash) && other == "" {
			other = found
		}
	}
	if other != "" && !replaces {
		return f, refuse(fmt.Sprintf("%s is pinned already, with another hash: %s.", what, other),
			"One of the two is wrong. Find out which; --replace puts this pin in the place of that one.")
	}
	if isThere && other == "" {
		return f, nil
	}
	return f.set(list, append(kept, pin)), nil
}

// AddVault pins the key of a vault's installation; a certificate that is pinned with the same key stays. It refuses
// another key for the same installation unless it replaces it.
func (f File) AddVault(installation, publicKey string, replaces bool) (File, error) {
	var kept []any
	var other *ordered.Object
	isThere := false
	for _, one := range f.Policy.Objects("vaults") {
		isIt := one.Text("installation_id") == installation
		if isIt && one.Text("public_key_hex") != publicKey && other == nil {
			other = one
			continue
		}
		isThere = isThere || isIt
		kept = append(kept, one)
	}
	if other == nil && isThere {
		return f, nil
	}
	if other != nil && !replaces {
		return f, refuse(fmt.Sprintf("%s is pinned already, with another key: %s.", installation, other.Text("public_key_hex")),
			"Nothing was changed. Ask the vault's owner which key is its own; --replace puts this one in the place of that one.")
	}
	pin := ordered.New(
		ordered.Member{Name: "installation_id", Value: installation},
		ordered.Member{Name: "public_key_hex", Value: publicKey},
	)
	return f.set("vaults", append(kept, pin)), nil
}

// SetQuorum sets the quorum: a [json.Number], or the text of a tlog-policy. It replaces the one before.
func (f File) SetQuorum(quorum any) File { return f.set("quorum", quorum) }

// Require adds requirements for evidence.
func (f File) Require(wanted []string) File {
	list := slices.Clone(f.Policy.List("require"))
	for _, one := range wanted {
		if !slices.Contains(list, any(one)) {
			list = append(list, one)
		}
	}
	return f.set("require", list)
}

// Revoke revokes a key. Its pin stays, so the file still says whose it was.
func (f File) Revoke(kid string) File {
	revoked := f.Policy.List("revoked")
	if slices.Contains(revoked, any(kid)) {
		return f
	}
	return f.set("revoked", append(slices.Clone(revoked), kid))
}

// NoteHead notes the newest head of a file beside the heads known before: by them older files of the stream are known.
// The evidence must have been verified under the file's policy.
func (f File) NoteHead(head *ordered.Object) File {
	known := f.Policy.Objects("known_checkpoints")
	if slices.ContainsFunc(known, head.Same) {
		return f
	}
	var all []any
	for _, one := range known {
		all = append(all, one)
	}
	return f.set("known_checkpoints", append(all, head))
}

func (f File) set(member string, value any) File {
	f.Policy = f.Policy.With(member, value)
	return f
}
