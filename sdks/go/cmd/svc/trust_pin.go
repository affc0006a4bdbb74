package main

import (
	"fmt"
	"strings"

	"svc.example/go/cmd/svc/internal/cmdline"
	"svc.example/go/cmd/svc/internal/trustfile"
)

// evidenceAnchorCode is Keccak-256 of the code of the contract EvidenceAnchor, as this release knows it.
const evidenceAnchorCode = "0xc99e2adda38bb88677c976257149c0966e8acccd796d208ba635225355693fc3"

func (s *system) trustPinBlock() *cmdline.Command {
	return &cmdline.Command{
		Name: "pin-block", About: "Pin a block that you know to be in a chain, so that anchors in it count.",
		Options: []cmdline.Option{
			required(last("network", "<id>", "the chain, as eip155:1")),
			required(last("number", "<number>", "the block's number")),
			last("hash", "<hash>", "the block's hash, 0x and 64 hex characters"),
			rpcOption,
			{Name: "replace", About: "let this hash take the place of another at the same height"},
		},
		After: []string{"\nExample:\n  svc trust pin-block --network eip155:1 --number 24590211 --hash \"$BLOCK_HASH\"\n\nAsk your own node for the hash, or several that do not depend on each other.\nThe node of a stranger can name any block."},
		Run: func(call *cmdline.Call) error {
			number, err := parseNumber("--number", call.Value("number"))
			if err != nil {
				return err
			}
			if !call.Has("hash") {
				return refuse(exitUsage, "The block's hash is missing.", "Give --hash.")
			}
			network, hash := call.Value("network"), call.Value("hash")
			_, err = s.changeTrust(call, []string{fmt.Sprintf("Pinned block %d of %s: %s.", number, network, hash)},
				func(file trustfile.File) (trustfile.File, error) {
					return file.AddBlock(network, number, hash, call.Has("replace"))
				})
			return err
		},
	}
}

func (s *system) trustPinContract() *cmdline.Command {
	return &cmdline.Command{
		Name: "pin-contract", About: "Pin a contract's code, so that its epochs are known to be written once.",
		Options: []cmdline.Option{
			required(last("network", "<id>", "the chain, as eip155:1")),
			required(last("address", "<address>", "the contract, 0x and 40 hex characters")),
			last("code-hash", "<hash>", "Keccak-256 of code that you know (default: that of EvidenceAnchor)"),
			rpcOption,
			{Name: "replace", About: "let this code take the place of another at the same address"},
		},
		After: []string{"\nExample:\n  svc trust pin-contract --network eip155:1 --address \"$ADDRESS\"\n\nEvidence shows the code of its contract, and is compared with this pin: no node\nneeds to be asked. contracts/EvidenceAnchor.sol is the code that is meant."},
		Run: func(call *cmdline.Call) error {
			network, address, code := call.Value("network"), strings.ToLower(call.Value("address")), evidenceAnchorCode
			if call.Has("code-hash") {
				code = call.Value("code-hash")
			}
			what := "code " + code
			if code == evidenceAnchorCode {
				what = "EvidenceAnchor"
			}
			_, err := s.changeTrust(call, []string{fmt.Sprintf("Pinned the contract %s of %s as %s.", address, network, what)},
				func(file trustfile.File) (trustfile.File, error) {
					return file.AddContract(network, address, code, call.Has("replace"))
				})
			return err
		},
	}
}

func (s *system) trustPinVault() *cmdline.Command {
	return &cmdline.Command{
		Name: "pin-vault", About: "Pin the key of a vault, so that a service need not be believed about it.",
		Options: []cmdline.Option{
			required(last("installation", "<id>", "the vault's installation, ins_ and its identifier")),
			required(last("public-key-hex", "<key>", "its public key, 64 lowercase hex characters")),
			{Name: "replace", About: "let this key take the place of another of the same installation"},
		},
		After: []string{"\nExample:\n  svc trust pin-vault --installation \"$INSTALLATION\" --public-key-hex \"$KEY\"\n\nFrom the first pin on, only pinned vaults count, and those keys that they hand\nover to. Get the key from the vault's owner, and not from the evidence."},
		Run: func(call *cmdline.Call) error {
			key, err := parsePublicKeyHex(call.Value("public-key-hex"))
			if err != nil {
				return err
			}
			installation := call.Value("installation")
			said := fmt.Sprintf("Pinned %s for %s. Its fingerprint is %s: is that the one that the vault gives?",
				kidOfKey(key), installation, inFours(fingerprintOf(key)))
			_, err = s.changeTrust(call, []string{said}, func(file trustfile.File) (trustfile.File, error) {
				return file.AddVault(installation, key, call.Has("replace"))
			})
			return err
		},
	}
}

// rpcOption is one of the npm svc: this one opens no connection.
var rpcOption = cmdline.Option{
	Name: "rpc", Value: "<url>", About: "ask a node: the npm svc does that, this one opens no connection",
	Refuse: func(string) error {
		return refuse(exitUsage, "This svc, a single file, opens no connection; the npm svc has --rpc.",
			"Ask a node of yours another way, or call the npm package @svc/cli, which needs Node 20 or newer.")
	},
}

// required returns an option that a call must have.
func required(option cmdline.Option) cmdline.Option {
	option.IsRequired = true
	return option
}
