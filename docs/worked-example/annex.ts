/**
 * Annex A of docs/protocol.md: the worked example with every intermediate value, in the order in which a service
 * computes them. All values are core's; the input of each hash or signature is written out beside it, and must give
 * core's value. Long because it is a page: a section is a function.
 */
import { ED25519_LINE, kidOf, noteKeyId, type ReceiptRecord, referenceKernel, verify, type Window } from "@svc/core";
import {
  bytes,
  canonical,
  canonicalText,
  given,
  hashed,
  hashOf,
  hex,
  lines,
  merkle,
  plain,
  preimage,
  sealed,
} from "./blocks.ts";
import { BUNDLE, CHECKPOINT, COSIGNED_AT, EVENTS, type Example, SEEDS, signerOf, WINDOWS } from "./issue.ts";
import type { VaultExample } from "./issue-vault.ts";
import { vaultText } from "./vault.ts";

const kernel = referenceKernel;

/** Returns the text of the annex, from its heading on. */
export function annexText(example: Example, vault: VaultExample): string {
  return [
    INTRODUCTION,
    keys(),
    policies(example),
    firstEvent(example),
    laterEvents(example),
    windows(example),
    checkpointTree(example),
    checkpointSeal(example),
    witness(example),
    bundle(example),
    verdict(example),
    vaultText(vault, signerOf(SEEDS.vault).publicKeyHex),
  ].join("\n\n");
}

const INTRODUCTION = `## Annex A: A worked example

Three events in two windows under one checkpoint, cosigned by one witness, in one bundle; then what a vault makes of one file
([A.11](#a11-a-capsule) on). Everything is shown on the way: what is hashed or signed, and what comes out.
[\`worked_example.py\`](worked_example.py) recomputes all of it from the given values, by the sections above and with nothing but Python's
standard library:

\`\`\`sh
python3 docs/worked_example.py                        # recomputes every block below, and says which
python3 docs/worked_example.py --bundle bundle.json   # and writes the bundle
\`\`\`

Each value is in a block with a label. Labels that begin with \`given.\` are the input, as JSON in any layout. All others follow:

| block | how to read it |
|---|---|
| \`json\` | J of a value, broken into lines: without the line breaks it is exact |
| \`text\` | hex or another short text, broken the same way |
| \`tagged\` | a preimage: the first line ends in one newline, which counts; the rest is broken as above |
| \`note\` | a text of which every line ends in one newline, the last one too |`;

function keys(): string {
  const [service, witness] = [signerOf(SEEDS.service), signerOf(SEEDS.witness)];
  return `### A.1 Keys

The RFC 8032 private keys (seeds) of the service, of the witness and of a vault. Never use them for anything else.

${given("seeds", SEEDS)}

Their raw public keys, and the service's key identifier: \`ed25519-\` and the start of the SHA-256 of its key ([section 3](#3-ed25519)).

${plain("service.public_key", service.publicKeyHex)}

${plain("service.kid", kidOf(kernel, service.publicKeyHex))}

${plain("witness.public_key", witness.publicKeyHex)}`;
}

function policies({ policy, witnessPolicy, windows: [window] }: Example): string {
  const { policy_digest = "", witness_policy_digest = "" } = window ?? {};
  return `### A.2 Policies

What the service promised, and whose cosignatures it asked for ([section 6](#6-policies)). The witness's \`public_key_hex\` is the key above.

${given("policy", policy)}

${given("witness_policy", witnessPolicy)}

${hashed("policy", "digest", "policy", policy, policy_digest)}

${hashed("witness_policy", "digest", "witness-policy", witnessPolicy, witness_policy_digest)}`;
}

function firstEvent({ stream_id, records }: Example): string {
  const [record] = records;
  const [event] = EVENTS;
  if (record === undefined || event === undefined) throw new Error("the example has no event");
  const { payload, payload_salt: salt } = event;
  return `### A.3 The first event

What the source sent, and what the service added to it: identifiers, number, clock and a salt ([section 7](#7-event-and-receipt)).

${given("stream", { stream_id })}

${given("event-1", event)}

The payload with its salt; once more in hex, so that no byte is left to guess.

${hashed("event-1", "payload_hash", "payload", { payload, salt }, record.payload_hash)}

${plain("event-1.payload_hash.preimage_hex", hex(bytes(preimage("payload", { payload, salt }))))}

The event, the head of the stream after it, and the receipt's signature. \`previous_event_hash\` is Z, since this is event 1.

${chained(record, "event-1")}

The receipt record, as J of it:

${canonical("event-1.record", record)}`;
}

function laterEvents({ records }: Example): string {
  const events = EVENTS.slice(1).map((event, index) => {
    const record = records[index + 1];
    if (record === undefined) throw new Error(`event ${event.seq_no} has no record`);
    const label = `event-${event.seq_no}`;
    const { payload, payload_salt: salt } = event;
    return `${given(label, event)}

${hashed(label, "payload_hash", "payload", { payload, salt }, record.payload_hash)}

${chained(record, label)}`;
  });
  return `### A.4 The events after it

Each names the event hash of the one before it, and so commits to all of them.

${events.join("\n\n")}`;
}

/** Returns the blocks from an event's members to its receipt's signature. */
function chained(record: ReceiptRecord, label: string): string {
  const { stream_id, stream_event_id, seq_no, event_hash, previous_event_hash, stream_head_hash, receipt } = record;
  const { source_ref, event_type, occurred_at, received_at, payload_hash } = record;
  const described = { source_ref, event_type, occurred_at, received_at, payload_hash };
  const event = { stream_id, stream_event_id, seq_no, previous_event_hash, ...described };
  const receiptBody = { stream_id, stream_event_id, seq_no, event_hash, previous_event_hash, stream_head_hash };
  return [
    hashed(label, "event_hash", "event", event, event_hash),
    hashed(label, "stream_head_hash", "head", { stream_id, seq_no, event_hash }, stream_head_hash),
    sealed(label, "receipt", receiptBody, receipt),
  ].join("\n\n");
}

function windows({ windows: [first, second], records, inclusion }: Example): string {
  if (first === undefined || second === undefined) throw new Error("the example has too few windows");
  const [one = "", two = "", three = ""] = records.map(({ event_hash }) => event_hash);
  return `### A.5 Windows

Window 1 holds events 1 and 2, window 2 holds event 3 ([section 8](#8-window)).

${given("windows", WINDOWS)}

A leaf is SHA-256 of the byte 00 and the raw event hash, a node SHA-256 of the byte 01, the left hash and the right one
([section 1](#1-notation)).

${merkle("window-1.leaf-0", `00${one}`)}

${merkle("window-1.leaf-1", `00${two}`)}

${merkle("window-1.window_root", `01${hashOf(`00${one}`)}${hashOf(`00${two}`)}`, first.window_root)}

The window's hash covers its body; so does its seal, with three members more.

${committed(first, "window-1")}

The inclusion proof of event 2 is the one leaf beside it:

${canonical("window-1.inclusion", inclusion)}

In a tree of one leaf the leaf is the root.

${merkle("window-2.window_root", `00${three}`, second.window_root)}

${committed(second, "window-2")}`;
}

function committed(window: Window, label: string): string {
  const { seal, ...body } = window;
  const hash = hashOf(hex(bytes(preimage("window", body))));
  return `${hashed(label, "window_hash", "window", body, hash)}\n\n${sealed(label, "window", body, seal)}`;
}

function checkpointTree({ checkpoint }: Example): string {
  const [one = "", two = ""] = checkpoint.window_roots.map(({ window_hash }) => window_hash);
  return `### A.6 The checkpoint's tree

Its leaves are the raw window hashes ([section 9](#9-checkpoint)).

${merkle("checkpoint.leaf-0", `00${one}`)}

${merkle("checkpoint.leaf-1", `00${two}`)}

${merkle("checkpoint.checkpoint_root", `01${hashOf(`00${one}`)}${hashOf(`00${two}`)}`, checkpoint.checkpoint_root)}`;
}

function checkpointSeal({ checkpoint }: Example): string {
  const { seal, note, ...body } = checkpoint;
  const hash = hashOf(hex(bytes(preimage("checkpoint", body))));
  const { origin } = checkpoint;
  const { publicKeyHex } = signerOf(SEEDS.service);
  const text = note.slice(0, note.indexOf("\n\n") + 1);
  return `### A.7 The checkpoint, its seal and its note

${given("checkpoint", CHECKPOINT)}

${hashed("checkpoint", "checkpoint_hash", "checkpoint", body, hash)}

${sealed("checkpoint", "checkpoint", body, seal)}

The text that the note signs is three lines: origin, number of windows, root.

${lines("checkpoint.note.text", text)}

The key id is the start of the SHA-256 of the origin, a newline, the byte 01 and the raw key:

${plain("checkpoint.note.key_id.preimage", hex(bytes(`${origin}\n\u0001`)) + publicKeyHex)}

${plain("checkpoint.note.key_id", noteKeyId(kernel, origin, ED25519_LINE, publicKeyHex))}

The same key signs the text. The signature line holds key id and signature together, in base64. The whole note:

${lines("checkpoint.note", note)}

The checkpoint, as J of it:

${canonical("checkpoint.object", checkpoint)}`;
}

function witness({ checkpoint, statement, witnessPolicy }: Example): string {
  const [key] = witnessPolicy.witnessKeys;
  if (key === undefined) throw new Error("the example has no witness");
  const text = checkpoint.note.slice(0, checkpoint.note.indexOf("\n\n") + 1);
  return `### A.8 The witness's cosignature

It signs the note's text behind a header with its time ([section 10](#10-witness-statement)).

${given("cosigned_at", { cosigned_at: COSIGNED_AT })}

${lines("statement.preimage", `cosignature/v1\ntime ${COSIGNED_AT}\n${text}`)}

${plain("statement.signature", statement.signature)}

${canonical("statement.object", statement)}

The same cosignature as a line of the note: key id (of type 04), time and signature in base64. The bundle below does not carry it.

${lines("statement.line", cosignatureLineOf(statement.signature, key.name, key.public_key_hex))}`;
}

function cosignatureLineOf(signature: string, name: string, publicKeyHex: string): string {
  const keyId = hashOf(hex(bytes(`${name}\n\u0004`)) + publicKeyHex).slice(0, 8);
  const time = COSIGNED_AT.toString(16).padStart(16, "0");
  return `— ${name} ${Buffer.from(keyId + time + signature, "hex").toString("base64")}\n`;
}

function bundle({ bundle: { manifest, artifacts, seal, ...rest } }: Example): string {
  const hashes = Object.entries(manifest.artifact_hashes).map(([name, hash]) => {
    const own = hashOf(hex(bytes(canonicalText(artifacts[name as keyof typeof artifacts] as object))));
    if (own !== hash) throw new Error(`${name}: core says ${hash}, and J of it gives ${own}`);
    return plain(`artifact.${name}`, own);
  });
  const whole = bytes(canonicalText({ manifest, artifacts, ...rest, seal }));
  return `### A.9 The bundle

The manifest names each artifact by the plain SHA-256 of its J ([section 14](#14-bundle)). In \`receipts.json\` the records stand without
payload and salt; \`anchors.json\` is the empty array.

${given("bundle", BUNDLE)}

${hashes.join("\n\n")}

${canonical("bundle.manifest", manifest)}

${sealed("bundle", "bundle", manifest, seal)}

The bundle carries all three payloads and the service's key as a hint. Its J is ${whole.length} bytes with this SHA-256:

${plain("bundle.sha256", hex(kernel.sha256(whole)))}`;
}

function verdict({ bundle: whole, trust }: Example): string {
  const { kind, verdict: said, subject, assurance, checks } = verify(bytes(canonicalText(whole)), { trust, kernel });
  if (said !== "verified") throw new Error(`the example's bundle is ${said}`);
  const counted = checks.map(({ id, status, count }) => ({ id, status, ...(count === undefined ? {} : { count }) }));
  return `### A.10 The verdict

Under this trust policy the bundle is \`verified\` ([section 16](#16-verdict-and-report)):

${given("trust", trust)}

What every verifier's report then says, but for the members and texts that may differ:

${canonical("report", { kind, verdict: said, subject, assurance, checks: counted })}`;
}
