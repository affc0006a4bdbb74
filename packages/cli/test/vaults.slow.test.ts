/** The output of the commands about vaults: disclosures, bundles of envelopes, key statuses, levels, IVC epochs. */
import { PIN } from "./svc.ts";
import { type Case, testTranscripts } from "./transcript.ts";
import { putVaults } from "./vaults.ts";

await putVaults();

const disclosure = (name: string, ...args: string[]) => ["disclosures", "verify", name, ...args, ...PIN];
const provenance = (name: string, ...args: string[]) => ["bundles", "provenance-verify", name, ...args];
const status = (name: string, ...args: string[]) => [
  ...["keys", "revocation-verify", "--status", name, "--receipt", "contract.portable.json"],
  ...args,
];
const derive = (name: string, ...args: string[]) => ["assurance", "derive", name, ...args];
const epoch = (name: string, ...args: string[]) => ["ivc", "epochs", "verify", name, ...args];

const cases: readonly Case[] = [
  ["disclosure-verified", 0, disclosure("contract.disclosure.json")],
  ["disclosure-content", 0, disclosure("contract.disclosure.json", "--content", "contract.pdf")],
  ["disclosure-other-content", 1, disclosure("contract.disclosure.json", "--content", "key.status.json")],
  ["disclosure-not-for-you", 1, disclosure("contract.disclosure.json", "--audience", "reader.example")],
  [
    "disclosure-for-you",
    0,
    disclosure("for-you.disclosure.json", "--audience", "reader.example", "--nonce", "2026-0117"),
  ],
  ["disclosure-rejected", 1, disclosure("value.disclosure.json")],
  ["disclosure-untrusted", 2, ["disclosures", "verify", "contract.disclosure.json"]],
  ["provenance-verified", 0, provenance("march.provenance.json", ...PIN)],
  ["provenance-inclusion", 0, provenance("march.provenance.json", "--inclusion", "contract.inclusion.json", ...PIN)],
  ["provenance-rejected", 1, provenance("edited.provenance.json", ...PIN)],
  ["provenance-untrusted", 2, provenance("march.provenance.json")],
  ["provenance-of-another-stream", 66, provenance("march.bundle.json", ...PIN)],
  ["status-active", 0, status("key.status.json", ...PIN)],
  ["status-ended-later", 0, status("ended.status.json", ...PIN)],
  ["status-ended-before", 1, status("ended-before.status.json", ...PIN)],
  ["status-untrusted", 2, status("key.status.json")],
  ["derive-verified", 0, derive("march.provenance.json", ...PIN)],
  ["derive-untrusted", 2, derive("march.provenance.json")],
  ["derive-rejected", 1, derive("edited.provenance.json", ...PIN)],
  ["derive-nothing", 66, derive("march.bundle.json", ...PIN)],
  ["epoch-verified", 0, epoch("epoch.json", ...PIN)],
  ["epoch-later", 0, epoch("second.epoch.json", ...PIN)],
  ["epoch-later-linked", 0, epoch("second.epoch.json", "--link", "first.epoch.json", ...PIN)],
  ["epoch-rejected", 1, epoch("other.epoch.json", ...PIN)],
  ["epoch-untrusted", 2, epoch("epoch.json")],
];

testTranscripts("vaults", cases);
