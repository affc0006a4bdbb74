package trustfile

import (
	"fmt"
	"slices"

	"svc.example/go/cmd/svc/internal/ordered"
)

// A removal takes something out of the lists of a policy: the option that names it, the list, and the members of an
// entry, one of which is what the option says; none where entries are texts.
type removal struct {
	option, list string
	members      []string
}

var removals = []removal{
	{"witness", "witnesses", []string{"name", "public_key_hex"}},
	{"block", "blocks", []string{"hash"}},
	{"contract", "contracts", []string{"address"}},
	{"vault", "vaults", []string{"installation_id", "public_key_hex"}},
	{"require", "require", nil},
	{"known-checkpoint", "known_checkpoints", []string{"stream_id"}},
}

// Remove takes out what the options name. It must be there: to remove something that was never pinned is a mistake that
// a person should hear of. An optional member that becomes empty goes too. `given` returns the value of an option, and
// whether the call has it.
func (f File) Remove(given func(option string) (value string, isGiven bool)) (File, error) {
	names := f.Names
	if signer, ok := given("signer"); ok {
		kid, err := f.KIDOf(signer)
		if err != nil {
			return f, err
		}
		f.Policy = f.Policy.With("signers", slices.DeleteFunc(slices.Clone(f.Policy.List("signers")), func(one any) bool {
			return one.(*ordered.Object).Text("kid") == kid
		}))
		f.Names = names.Without(kid)
	}
	if revoked, ok := given("revoked"); ok {
		kid := revoked
		for _, one := range names.Members() {
			if one.Value == any(revoked) {
				kid = one.Name
				break
			}
		}
		if err := f.drop("revoked", revoked, func(one any) bool { return one == any(kid) }); err != nil {
			return f, err
		}
	}
	for _, one := range removals {
		value, ok := given(one.option)
		if !ok {
			continue
		}
		if err := f.drop(one.list, value, func(item any) bool { return one.isIt(item, value) }); err != nil {
			return f, err
		}
	}
	if _, ok := given("quorum"); ok {
		if f.Policy.Get("quorum") == nil {
			return f, notThere("quorum")
		}
		f.Policy = f.Policy.Without("quorum")
	}
	return f, nil
}

func (r removal) isIt(item any, value string) bool {
	object, isObject := item.(*ordered.Object)
	if !isObject {
		return item == any(value)
	}
	return slices.ContainsFunc(r.members, func(member string) bool { return object.Text(member) == value })
}

func (f *File) drop(list, given string, isIt func(any) bool) error {
	before := f.Policy.List(list)
	kept := slices.DeleteFunc(slices.Clone(before), isIt)
	switch len(kept) {
	case len(before):
		return notThere(fmt.Sprintf(`such pin: "%s"`, given))
	case 0:
		f.Policy = f.Policy.Without(list)
	default:
		f.Policy = f.Policy.With(list, kept)
	}
	return nil
}

// KIDOf returns the kid of a pinned signer that is given by kid, public key or name.
func (f File) KIDOf(given string) (string, error) {
	for _, one := range f.Policy.Objects("signers") {
		kid := one.Text("kid")
		if kid == given || one.Text("public_key_hex") == given || f.Names.Get(kid) == any(given) {
			return kid, nil
		}
	}
	return "", notThere(fmt.Sprintf(`such pin: "%s"`, given))
}

func notThere(what string) error {
	return refuse(fmt.Sprintf("The trust file has no %s.", what),
		`Nothing was changed. "svc trust list" shows what it has.`)
}
