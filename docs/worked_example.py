#!/usr/bin/env python3
"""Recomputes the worked example of protocol.md (annex A) from its given values, by the text of that page alone.

It reads the labelled blocks of the annex and compares each with what it computes itself: canonical JSON, hashes, Merkle trees, Ed25519
signatures, notes. It ends with 1 where a block differs, is missing, or is there without being computed. It is no verifier: it judges
nothing, and what a verifier answers (the block `report`) it leaves out. It is long because it is all there is: only the standard library is
used, so Ed25519 is here as well, slow and not constant-time, which published test keys do not need.
"""

import argparse
import base64
import hashlib
import json
import os
import re
import sys

PROTOCOL = "SVC-PROOFSTREAM-001"
PROVENANCE_TAGS = {"commitment", "slot", "content", "leaf", "envelope", "key-status"}
IVC_TAGS = {"genesis", "ivc-epoch"}
LISTED_NAMES = ["content", "context", "output", "policy"]
ZERO_HASH = "0" * 64
NOT_COMPUTED = {"report"}


# Section 1: canonical JSON, tagged hashes, Merkle trees.


def canonical(value):
    """J(value) of RFC 8785, as a text."""
    if isinstance(value, dict):
        # Names ascend by their UTF-16 code units.
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{canonical(name)}:{canonical(value[name])}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(canonical(item) for item in value) + "]"
    if isinstance(value, float):
        if value.is_integer() and abs(value) < 2**53:
            return str(int(value))
        if not 1e-4 <= abs(value) < 1e16:
            raise ValueError(f"{value!r}: Python writes this number in another way than RFC 8785, and the example has none such")
        return repr(value)
    return json.dumps(value, ensure_ascii=False)


def sha256(data):
    return hashlib.sha256(data).digest()


def tagged(tag, body):
    """What is hashed or signed under a tag, as a text."""
    return f"{word_of(tag)}/{tag}\n{canonical(body)}"


def word_of(tag):
    """Section 17: the word that a tag is under."""
    if tag in PROVENANCE_TAGS:
        return "SVC-PROVENANCE-001"
    if tag in IVC_TAGS:
        return "SVC-IVC-RECOMPUTE-001"
    return PROTOCOL


def leaf_hash(data):
    return sha256(b"\x00" + data)


def tree_root(leaves):
    """MTH of RFC 6962 over leaf hashes."""
    if len(leaves) == 1:
        return leaves[0]
    split = largest_power_below(len(leaves))
    return sha256(b"\x01" + tree_root(leaves[:split]) + tree_root(leaves[split:]))


def inclusion_path(leaves, index):
    """The path of RFC 9162 from a leaf to the root, leaf side first."""
    if len(leaves) == 1:
        return []
    split = largest_power_below(len(leaves))
    if index < split:
        return inclusion_path(leaves[:split], index) + [tree_root(leaves[split:])]
    return inclusion_path(leaves[split:], index - split) + [tree_root(leaves[:split])]


def largest_power_below(count):
    return 1 << (count - 1).bit_length() - 1


# Section 3: Ed25519, by RFC 8032. Points are in extended coordinates (X, Y, Z, T).

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
SQRT_MINUS_ONE = pow(2, (P - 1) // 4, P)
IDENTITY = (0, 1, 1, 0)


def add(p, q):
    a = (p[1] - p[0]) * (q[1] - q[0]) % P
    b = (p[1] + p[0]) * (q[1] + q[0]) % P
    c = 2 * p[3] * q[3] * D % P
    d = 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def multiply(scalar, point):
    total = IDENTITY
    while scalar > 0:
        if scalar & 1:
            total = add(total, point)
        point = add(point, point)
        scalar >>= 1
    return total


def encode_point(point):
    inverse = pow(point[2], -1, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def decode_point(data):
    """The point of a canonical encoding, or None."""
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (1 << 255) - 1
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * SQRT_MINUS_ONE % P
    if x * x % P != square or (x == 0 and sign == 1):
        return None
    if x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


BASE = decode_point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def is_small_order(point):
    point = multiply(8, point)
    return point[0] == 0 and point[1] == point[2]


def hash_to_scalar(*parts):
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % ORDER


class Key:
    """An RFC 8032 key pair, from its seed."""

    def __init__(self, seed_hex):
        digest = hashlib.sha512(bytes.fromhex(seed_hex)).digest()
        self.secret = int.from_bytes(digest[:32], "little") & (1 << 254) - 8 | 1 << 254
        self.prefix = digest[32:]
        self.public = encode_point(multiply(self.secret, BASE))
        self.kid = "ed25519-" + sha256(self.public).hex()[:16]

    def sign(self, message):
        """The signature of a message, which must hold."""
        nonce = hash_to_scalar(self.prefix, message)
        encoded = encode_point(multiply(nonce, BASE))
        s = (nonce + hash_to_scalar(encoded, self.public, message) * self.secret) % ORDER
        signature = encoded + s.to_bytes(32, "little")
        if not verifies(self.public, message, signature):
            raise AssertionError("a signature does not verify under its own key")
        return signature


def verifies(public, message, signature):
    """Whether a signature holds by section 3: canonical encodings, S < L, A of no small order, the cofactored equation."""
    a, r = decode_point(public), decode_point(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= ORDER or is_small_order(a):
        return False
    right = add(r, multiply(hash_to_scalar(signature[:32], public, message), a))
    negated = (P - right[0], right[1], right[2], P - right[3])
    return is_small_order(add(multiply(s, BASE), negated))


# The page.


class Page:
    """The labelled blocks of the annex, and which of them have been compared."""

    def __init__(self, path):
        with open(path, encoding="utf-8", newline="\n") as file:
            _, _, annex = file.read().partition("\n## Annex A: ")
        self.blocks = {}
        self.compared = []
        self.faults = []
        for kind, label, text in re.findall(r"^```(\w+) (\S+)\n(.*?)\n```$", annex, re.MULTILINE | re.DOTALL):
            if label in self.blocks:
                self.faults.append(f"{label}: two blocks have this label")
            self.blocks[label] = read_block(kind, text)
        if not self.blocks:
            self.faults.append(f"{path}: no labelled blocks behind the heading of annex A")

    def given(self, label):
        """An input, as the value that its JSON has."""
        label = f"given.{label}"
        if label not in self.blocks:
            raise SystemExit(f"{label}: this block is missing, and without it nothing can be computed")
        self.compared.append(label)
        return json.loads(self.blocks[label])

    def compare(self, label, computed):
        """Holds a block against what was computed, a text or bytes, which are shown as hex."""
        computed = computed.hex() if isinstance(computed, bytes) else computed
        self.compared.append(label)
        if label not in self.blocks:
            self.faults.append(f"{label}: this block is missing")
        elif self.blocks[label] != computed:
            self.faults.append(f"{label}: the page says {self.blocks[label]!r}, and it is {computed!r}")
        else:
            print(f"same  {label}")

    def hashed(self, label, tag, body):
        """D(tag, body), compared together with its preimage."""
        preimage = tagged(tag, body)
        self.compare(f"{label}.preimage", preimage)
        digest = sha256(preimage.encode()).hex()
        self.compare(label, digest)
        return digest

    def sealed(self, label, tag, body, key):
        """The seal of a body (section 4), compared together with what its signature covers."""
        named = {"protocol": word_of(tag), "alg": "Ed25519", "kid": key.kid}
        preimage = tagged(tag, {**body, **named})
        self.compare(f"{label}.seal.preimage", preimage)
        signature = key.sign(preimage.encode()).hex()
        self.compare(f"{label}.seal.signature", signature)
        return {**named, "signature": signature}

    def node(self, label, preimage):
        """The hash of a leaf or node of a tree, compared together with its preimage."""
        self.compare(f"{label}.preimage", preimage)
        self.compare(label, sha256(preimage))

    def finish(self):
        """Says what is wrong; answers with the exit code."""
        for label in self.blocks:
            if label not in self.compared and label not in NOT_COMPUTED:
                self.faults.append(f"{label}: nothing here computes this block")
        for fault in self.faults:
            print(f"DIFFERS  {fault}", file=sys.stderr)
        print(f"{len(set(self.compared))} blocks read or recomputed, {len(self.faults)} differences")
        return 1 if self.faults else 0


def read_block(kind, text):
    if kind == "note":
        return text + "\n"
    if kind == "tagged":
        tag_line, _, rest = text.partition("\n")
        return tag_line + "\n" + rest.replace("\n", "")
    return text.replace("\n", "")


# The example, section by section.


def record_of(page, event, stream_id, previous_event_hash, key):
    """Section 7: an event becomes a receipt record."""
    label = f"event-{event['seq_no']}"
    salted = {"payload": event["payload"], "salt": event["payload_salt"]}
    payload_hash = page.hashed(f"{label}.payload_hash", "payload", salted)
    if event["seq_no"] == 1:
        page.compare(f"{label}.payload_hash.preimage_hex", tagged("payload", salted).encode())
    described = {name: value for name, value in event.items() if name not in ("payload", "payload_salt")}
    body = {**described, "stream_id": stream_id, "previous_event_hash": previous_event_hash, "payload_hash": payload_hash}
    event_hash = page.hashed(f"{label}.event_hash", "event", body)
    place = {"stream_id": stream_id, "seq_no": event["seq_no"], "event_hash": event_hash}
    head = page.hashed(f"{label}.stream_head_hash", "head", place)
    hashes = {"event_hash": event_hash, "stream_head_hash": head}
    signed = {name: body[name] for name in ("stream_id", "stream_event_id", "seq_no", "previous_event_hash")}
    receipt = page.sealed(label, "receipt", {**signed, **hashes}, key)
    return {**body, "payload": event["payload"], "payload_salt": event["payload_salt"], **hashes, "receipt": receipt}


def window_of(page, given, records, digests, key):
    """Section 8: records become a window; answers with it, its hash and its leaf hashes."""
    label = f"window-{given['window_no']}"
    held = [record for record in records if given["from_seq_no"] <= record["seq_no"] <= given["to_seq_no"]]
    hashes = [bytes.fromhex(record["event_hash"]) for record in held]
    leaves = [leaf_hash(data) for data in hashes]
    if len(leaves) == 2:
        page.node(f"{label}.leaf-0", b"\x00" + hashes[0])
        page.node(f"{label}.leaf-1", b"\x00" + hashes[1])
        page.node(f"{label}.window_root", b"\x01" + leaves[0] + leaves[1])
    else:
        page.node(f"{label}.window_root", b"\x00" + hashes[0])
    body = {
        **given,
        **digests,
        "stream_id": held[-1]["stream_id"],
        "window_root": tree_root(leaves).hex(),
        "stream_head_hash": held[-1]["stream_head_hash"],
    }
    window_hash = page.hashed(f"{label}.window_hash", "window", body)
    return {**body, "seal": page.sealed(label, "window", body, key)}, window_hash, leaves


def inclusion_of(window, record, leaves):
    """Section 8: that a record is a leaf of its window."""
    index = record["seq_no"] - window["from_seq_no"]
    return {
        "window_id": window["window_id"],
        "seq_no": record["seq_no"],
        "event_hash": record["event_hash"],
        "leaf_hash": leaf_hash(bytes.fromhex(record["event_hash"])).hex(),
        "leaf_index": index,
        "tree_size": len(leaves),
        "inclusion_path": [node.hex() for node in inclusion_path(leaves, index)],
        "window_root": window["window_root"],
    }


def checkpoint_of(page, given, windows, window_hashes, records, policy_id, key):
    """Section 9: windows become the first checkpoint of a stream; answers with it, its hash and the text of its note."""
    data = [bytes.fromhex(window_hash) for window_hash in window_hashes]
    leaves = [leaf_hash(one) for one in data]
    page.node("checkpoint.leaf-0", b"\x00" + data[0])
    page.node("checkpoint.leaf-1", b"\x00" + data[1])
    page.node("checkpoint.checkpoint_root", b"\x01" + leaves[0] + leaves[1])
    root, last = tree_root(leaves), windows[-1]
    listed = ("window_no", "window_root", "from_seq_no", "to_seq_no")
    origin = f"{given['service_origin']}/{last['stream_id']}"
    body = {
        "checkpoint_id": given["checkpoint_id"],
        "stream_id": last["stream_id"],
        "origin": origin,
        "checkpoint_no": 1,
        "window_count": len(windows),
        "checkpoint_root": root.hex(),
        "window_roots": [
            {**{name: window[name] for name in listed}, "window_hash": window_hash}
            for window, window_hash in zip(windows, window_hashes)
        ],
        "to_seq_no": last["to_seq_no"],
        "latest_event_hash": records[-1]["event_hash"],
        "stream_head_hash": last["stream_head_hash"],
        "previous_checkpoint_hash": ZERO_HASH,
        "policy_id": policy_id,
        "policy_digest": last["policy_digest"],
        "witness_policy_digest": last["witness_policy_digest"],
        "anchor_epoch_candidate": None,
        "created_at": given["created_at"],
    }
    checkpoint_hash = page.hashed("checkpoint.checkpoint_hash", "checkpoint", body)
    seal = page.sealed("checkpoint", "checkpoint", body, key)
    text = f"{origin}\n{len(windows)}\n{base64.b64encode(root).decode()}\n"
    page.compare("checkpoint.note.text", text)
    typed = origin.encode() + b"\n\x01" + key.public
    page.compare("checkpoint.note.key_id.preimage", typed)
    page.compare("checkpoint.note.key_id", sha256(typed)[:4])
    note = f"{text}\n{note_line(origin, sha256(typed)[:4] + key.sign(text.encode()))}"
    page.compare("checkpoint.note", note)
    checkpoint = {**body, "seal": seal, "note": note}
    page.compare("checkpoint.object", canonical(checkpoint))
    return checkpoint, checkpoint_hash, text


def note_line(name, data):
    return f"\u2014 {name} {base64.b64encode(data).decode()}\n"


def statement_of(page, checkpoint, checkpoint_hash, text, witness, key):
    """Section 10: a witness cosigns the checkpoint."""
    time = page.given("cosigned_at")["cosigned_at"]
    preimage = f"cosignature/v1\ntime {time}\n{text}"
    page.compare("statement.preimage", preimage)
    signature = key.sign(preimage.encode())
    page.compare("statement.signature", signature)
    statement = {
        **{name: witness[name] for name in ("witness_id", "key_epoch")},
        **{name: checkpoint[name] for name in ("stream_id", "checkpoint_id", "window_count", "checkpoint_root")},
        "checkpoint_hash": checkpoint_hash,
        "cosigned_at": time,
        "signature": signature.hex(),
    }
    page.compare("statement.object", canonical(statement))
    key_id = sha256(witness["name"].encode() + b"\n\x04" + key.public)[:4]
    page.compare("statement.line", note_line(witness["name"], key_id + time.to_bytes(8, "big") + signature))
    return statement


def bundle_of(page, artifacts, records, key):
    """Section 14: everything becomes a bundle."""
    hashes = {name: sha256(canonical(artifact).encode()).hex() for name, artifact in artifacts.items()}
    for name, artifact_hash in hashes.items():
        page.compare(f"artifact.{name}", artifact_hash)
    manifest = {
        **page.given("bundle"),
        "protocol": PROTOCOL,
        "stream_id": records[0]["stream_id"],
        "from_seq_no": records[0]["seq_no"],
        "to_seq_no": records[-1]["seq_no"],
        "artifact_hashes": hashes,
        "prior_windows": {"window_count": 0, "frontier": []},
    }
    page.compare("bundle.manifest", canonical(manifest))
    payloads = {
        record["stream_event_id"]: {name: record[name] for name in ("payload", "payload_salt")} for record in records
    }
    bundle = {
        "manifest": manifest,
        "artifacts": artifacts,
        "payloads": payloads,
        "key_hints": [{"kid": key.kid, "public_key_hex": key.public.hex()}],
        "key_endorsements": [],
        "seal": page.sealed("bundle", "bundle", manifest, key),
    }
    whole = canonical(bundle).encode()
    page.compare("bundle.sha256", sha256(whole))
    return whole


def slot_of(page, name, given):
    """Section 19: the only place of a name in a capsule."""
    if name in LISTED_NAMES:
        return LISTED_NAMES.index(name)
    preimage = f"{word_of('slot')}/slot\n".encode() + bytes.fromhex(given["slotSalt"]) + name.encode()
    page.node(f"capsule.{name}.slot", preimage)
    index = 4 + int.from_bytes(sha256(preimage)[:8], "big") % (given["capsuleSize"] - 4)
    page.compare(f"capsule.{name}.index", str(index))
    return index


def capsule_of(page, given):
    """Section 19: fields become a capsule; answers with what an envelope says of it."""
    owner = {name: given[name] for name in ("installationId", "sourceRef")}
    data = {int(index): bytes.fromhex(decoy) for index, decoy in given["decoys"].items()}
    for field in given["fields"]:
        name = field["name"]
        placed = {**field, "index": slot_of(page, name, given)}
        data[placed["index"]] = bytes.fromhex(page.hashed(f"capsule.{name}.commitment", "commitment", {**owner, **placed}))
    leaves = [leaf_hash(data[index]) for index in range(given["capsuleSize"])]
    page.compare("capsule.leaves", canonical([data[index].hex() for index in range(given["capsuleSize"])]))
    halves = leaves[:4], leaves[4:]
    for number, (one, two, three, four) in enumerate(halves):
        page.node(f"capsule.node-{number}", b"\x01" + sha256(b"\x01" + one + two) + sha256(b"\x01" + three + four))
    root = b"\x01" + tree_root(halves[0]) + tree_root(halves[1])
    page.node("capsule.capsuleRoot", root)
    # The last field is the one that is opened.
    path = [node.hex() for node in inclusion_path(leaves, placed["index"])]
    page.compare(f"capsule.{name}.opened", canonical({**placed, "path": path}))
    listed = {name: data[index].hex() for index, name in enumerate(LISTED_NAMES)}
    described = {"commitments": listed, "capsulePath": [tree_root(halves[1]).hex()]}
    return {**owner, "capsuleRoot": sha256(root).hex()}, {**described, **{name: given[name] for name in ("capsuleSize", "slotSalt")}}


def envelope_of(page, owned, described, key):
    """Section 20: a vault seals an envelope over a capsule; answers with it and its hash."""
    given = page.given("envelope")
    placed = {name: given.pop(name) for name in ("streamId", "vaultSeq")}
    content_hash = page.hashed("envelope.contentHash", "content", {**given, **described})
    body = {**owned, **placed, "previousEnvelopeHash": ZERO_HASH, "contentHash": content_hash}
    seal = page.sealed("envelope", "envelope", body, key)
    return {**body, "seal": seal}, page.hashed("envelope.envelopeHash", "envelope", body), given


def vault_event_of(page, envelope, envelope_hash, stated, key):
    """Sections 7 and 27: an envelope becomes an event, and a leaf under a provenance root."""
    given = page.given("vault-event")
    salt = given.pop("payload_salt")
    body = {
        **given,
        "stream_id": envelope["streamId"],
        "previous_event_hash": ZERO_HASH,
        "source_ref": envelope["sourceRef"],
        "event_type": stated["eventType"],
        "occurred_at": stated["occurredAt"],
        "payload_hash": page.hashed("vault-event.payload_hash", "payload", {"payload": envelope, "salt": salt}),
    }
    event_hash = page.hashed("vault-event.event_hash", "event", body)
    place = {"stream_id": body["stream_id"], "seq_no": body["seq_no"], "event_hash": event_hash}
    signed = {name: body[name] for name in ("stream_event_id", "previous_event_hash")}
    head = sha256(tagged("head", place).encode()).hex()
    receipt = {**place, **signed, "stream_head_hash": head, "protocol": PROTOCOL, "alg": "Ed25519", "kid": key.kid}
    page.compare("vault-event.signature", key.sign(tagged("receipt", receipt).encode()))
    leaf = {
        **place,
        "source_ref": body["source_ref"],
        "installation_id": envelope["installationId"],
        "envelope_hash": envelope_hash,
        "capsule_root": envelope["capsuleRoot"],
    }
    page.node("vault-event.provenance_root", b"\x00" + bytes.fromhex(page.hashed("vault-event.leaf", "leaf", leaf)))


def epoch_of(page, checkpoint, checkpoint_hash, key):
    """Section 32: a checkpoint becomes an epoch."""
    named = {name: checkpoint[name] for name in ("stream_id", "origin")}
    initial = page.hashed("epoch.initial_state", "genesis", named)
    numbers = [checkpoint[name].to_bytes(8, "big") for name in ("checkpoint_no", "window_count", "to_seq_no")]
    own = {**checkpoint, "checkpoint_hash": checkpoint_hash}
    hashes = ("checkpoint_root", "stream_head_hash", "checkpoint_hash", "policy_digest", "witness_policy_digest")
    step = b"\x02" + bytes.fromhex(initial) + b"".join(numbers) + b"".join(bytes.fromhex(own[name]) for name in hashes)
    page.node("epoch.final_state", step)
    body = {
        **page.given("epoch"),
        **named,
        "ivc_epoch_no": 1,
        "from_checkpoint_no": 1,
        "to_checkpoint_no": 1,
        "step_count": 1,
        "initial_state": initial,
        "final_state": sha256(step).hex(),
        "previous_ivc_epoch_hash": ZERO_HASH,
    }
    page.hashed("epoch.ivc_epoch_hash", "ivc-epoch", body)
    page.sealed("epoch", "ivc-epoch", body, key)


def recompute_vault(page, service, vault):
    """What a vault makes of one file, up to the status of its key."""
    owned, described = capsule_of(page, page.given("capsule"))
    page.compare("vault.public_key", vault.public)
    envelope, envelope_hash, stated = envelope_of(page, owned, described, vault)
    vault_event_of(page, envelope, envelope_hash, stated, service)
    status = {**page.given("key_status"), "keyId": vault.kid, "publicKeyHex": vault.public.hex()}
    page.sealed("key_status", "key-status", status, service)


def recompute(page):
    """The whole example, from the seeds to the bundle's bytes."""
    seeds = page.given("seeds")
    service, witness_key = Key(seeds["service"]), Key(seeds["witness"])
    page.compare("service.public_key", service.public)
    page.compare("service.kid", service.kid)
    page.compare("witness.public_key", witness_key.public)

    policy, witness_policy = page.given("policy"), page.given("witness_policy")
    digests = {
        "policy_digest": page.hashed("policy.digest", "policy", policy),
        "witness_policy_digest": page.hashed("witness_policy.digest", "witness-policy", witness_policy),
    }

    stream_id = page.given("stream")["stream_id"]
    records = []
    for event in [page.given("event-1"), page.given("event-2"), page.given("event-3")]:
        previous = records[-1]["event_hash"] if records else ZERO_HASH
        records.append(record_of(page, event, stream_id, previous, service))
    page.compare("event-1.record", canonical(records[0]))

    windows, window_hashes = [], []
    for given in page.given("windows"):
        window, window_hash, leaves = window_of(page, given, records, digests, service)
        windows.append(window)
        window_hashes.append(window_hash)
        if given["window_no"] == 1:
            page.compare("window-1.inclusion", canonical(inclusion_of(window, records[1], leaves)))

    checkpoint, checkpoint_hash, text = checkpoint_of(
        page, page.given("checkpoint"), windows, window_hashes, records, policy["policy_id"], service
    )
    witness = witness_policy["witnessKeys"][0]
    statement = statement_of(page, checkpoint, checkpoint_hash, text, witness, witness_key)

    redacted = [{k: v for k, v in record.items() if k not in ("payload", "payload_salt")} for record in records]
    artifacts = {
        "receipts.json": redacted,
        "windows.json": windows,
        "checkpoints.json": [checkpoint],
        "witnesses.json": {"policies": [policy], "witness_policies": [witness_policy], "statements": [statement]},
        "anchors.json": [],
    }
    whole = bundle_of(page, artifacts, records, service)
    recompute_vault(page, service, Key(seeds["vault"]))
    epoch_of(page, checkpoint, checkpoint_hash, service)

    # Section 16: the verifier pins the keys of section 3, and no others.
    trust = page.given("trust")
    pins = [(trust["signers"][0], service), (trust["witnesses"][0], witness_key), (witness, witness_key)]
    for pin, key in pins:
        if pin["public_key_hex"] != key.public.hex() or pin.get("kid", key.kid) != key.kid:
            page.faults.append(f"given.trust, given.witness_policy: {pin} is not about the key {key.public.hex()}")
    return whole


def main():
    parser = argparse.ArgumentParser(description="Recomputes the worked example of protocol.md.")
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "protocol.md")
    parser.add_argument("page", nargs="?", default=beside, help="the page to read; protocol.md beside this script by default")
    parser.add_argument("--bundle", metavar="FILE", help="where to write the bundle, as J of it; nothing is written where a block differs")
    options = parser.parse_args()
    page = Page(options.page)
    whole = recompute(page)
    code = page.finish()
    if options.bundle is not None and code == 0:
        with open(options.bundle, "wb") as file:
            file.write(whole)
    return code


if __name__ == "__main__":
    sys.exit(main())
