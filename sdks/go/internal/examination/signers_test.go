package examination

import (
	"testing"

	"svc.example/go/report"
)

// TestSignerKnownInOnePart adds a signer of whom one part gives the key and another does not, in both orders.
func TestSignerKnownInOnePart(t *testing.T) {
	given := Signer{KID: "k", Role: report.RoleReceipt, Key: []byte{1}, Reached: report.Pinned}
	missing := Signer{KID: "k", Role: report.RoleReceipt, Reached: report.None}
	for _, order := range [][]Signer{{given, missing}, {missing, given}} {
		var list SignerList
		for _, one := range order {
			list.Add(one)
		}
		if got := list.list; len(got) != 1 || got[0].Key != nil || got[0].Reached != report.None {
			t.Errorf("%+v", got)
		}
	}
}
