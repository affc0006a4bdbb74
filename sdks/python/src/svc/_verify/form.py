"""Faults of form between members: those that the sections name with `malformed`, `missing_member`, `unknown_member`.

They are looked for only where every member has its form by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .._schema.check import Fault, faults_of
from .._schema.pointer import below
from .._trust.policy import status_faults

Value = dict[str, Any]


def faults_between(kind: str, schema: str, value: Any) -> list[Fault]:
    """Return the faults between members of a value, whose members have their forms."""
    return list(_FAULTS.get(schema, _FAULTS.get(kind, _none))(value, ""))


def _none(value: Value, path: str) -> Iterable[Fault]:
    return ()


def of_window(window: Value, path: str) -> Iterator[Fault]:
    """Yield the faults of a window."""
    if window["to_seq_no"] < window["from_seq_no"]:
        yield Fault("malformed", f"{path}/to_seq_no", "The window ends before it starts.")


def of_checkpoint(checkpoint: Value, path: str) -> Iterator[Fault]:
    """Yield the faults of a checkpoint."""
    origin, stream = checkpoint["origin"], checkpoint["stream_id"]
    if not origin.endswith(f"/{stream}") or len(origin) == len(stream) + 1:
        yield Fault("malformed", f"{path}/origin", "The origin does not end in / and the stream id.")
    frontier, listed = checkpoint.get("frontier"), checkpoint["window_roots"]
    if listed[0]["window_no"] - 1 + len(listed) > 2**53 - 1:
        yield Fault("malformed", f"{path}/window_roots", "No tree has more than 2^53-1 leaves.")
    before = checkpoint["window_roots"][0]["window_no"] - 1
    if frontier is not None and len(frontier) != bin(before).count("1"):
        message = f"The frontier of {before} windows has another number of hashes."
        yield Fault("malformed", f"{path}/frontier", message)


def of_consistency(evidence: Value, path: str) -> Iterator[Fault]:
    """Yield the faults of consistency evidence over checkpoints."""
    for name in ("from_checkpoint", "to_checkpoint"):
        yield from of_checkpoint(evidence[name], f"{path}/{name}")


def of_witness_policy(policy: Value, path: str) -> Iterator[Fault]:
    """Yield the faults of a witness policy."""
    keys = policy["witnessKeys"]
    if len({one["public_key_hex"] for one in keys}) < len(keys):
        yield Fault("malformed", path, "A public key appears twice in the witness policy.")
    elif policy["threshold"] > len({one["witness_id"] for one in keys}):
        yield Fault("malformed", path, "The witness policy asks for more witnesses than it lists.")


def of_witnesses(witnesses: Value, path: str) -> Iterator[Fault]:
    """Yield the faults of policies that are shown."""
    for index, policy in enumerate(witnesses["witness_policies"]):
        yield from of_witness_policy(policy, f"{path}/witness_policies/{index}")


def of_portable_receipt(portable: Value, path: str) -> Iterator[Fault]:
    """Yield the faults of a portable receipt."""
    window, checkpoint, last = portable.get("window"), portable.get("checkpoint"), portable.get("last_window")
    if window is not None:
        yield from of_window(window, f"{path}/window")
    if checkpoint is not None and window is not None:
        yield from of_checkpoint(checkpoint, f"{path}/checkpoint")
        is_last = window["window_no"] == checkpoint["window_count"]
        if is_last and last is not None:
            message = "The event's window is the checkpoint's last itself, so no other may be beside it."
            yield Fault("unknown_member", f"{path}/last_window", message)
        if not is_last and last is None:
            message = "The checkpoint's last window is missing: only it binds the checkpoint's policy."
            yield Fault("missing_member", f"{path}/last_window", message)
    if last is not None:
        yield from of_window(last["window"], f"{path}/last_window/window")
    if "witnesses" in portable:
        yield from of_witnesses(portable["witnesses"], f"{path}/witnesses")


def of_fork(evidence: Value, path: str) -> Iterator[Fault]:
    """Yield the faults of fork evidence, whose sides have their forms."""
    is_omission = evidence["kind"] == "omission"
    if is_omission and "policy" not in evidence:
        yield Fault("missing_member", f"{path}/policy", "An omission is judged by a policy, and none is here.")
    if not is_omission and "policy" in evidence:
        message = f"Evidence of the kind {evidence['kind']} has no policy."
        yield Fault("unknown_member", f"{path}/policy", message)
    for name in ("left", "right"):
        yield from _of_side(evidence[name], f"{path}/{name}")


def _of_side(side: Any, path: str) -> Iterator[Fault]:
    """Yield the faults of form of a side, and only where it has none those between its members."""
    from .._objects.fork.side import type_of

    found = type_of(side)
    if found is None:
        message = "A side is a receipt record, a window, a checkpoint, an anchor or the text of a note."
        yield Fault("malformed", path, message)
        return
    if found[0] == "note":
        return
    own = faults_of(found[1], side, path)
    yield from own
    if not own and found[0] in ("window", "checkpoint"):
        yield from (of_window if found[0] == "window" else of_checkpoint)(side, path)


def of_manifest(manifest: Value, path: str) -> Iterator[Fault]:
    """Yield the faults of the manifest of a bundle."""
    yield from of_range(manifest, path)
    yield from of_lifecycle(manifest, path)


def of_range(manifest: Value, path: str) -> Iterator[Fault]:
    """Yield the faults of a manifest's range, and of the windows before it."""
    if manifest["to_seq_no"] < manifest["from_seq_no"]:
        yield Fault("malformed", f"{path}/to_seq_no", "The range ends before it starts.")
    prior = manifest["prior_windows"]
    if len(prior["frontier"]) != bin(prior["window_count"]).count("1"):
        message = f"The frontier of {prior['window_count']} windows has another number of hashes."
        yield Fault("malformed", f"{path}/prior_windows/frontier", message)


def of_lifecycle(manifest: Value, path: str) -> Iterator[Fault]:
    """Yield the faults of the key statuses of a manifest."""
    for index, status in enumerate(manifest.get("vault_key_lifecycle", ())):
        yield from status_faults(status, f"{path}/vault_key_lifecycle/{index}")


def of_shown_manifest(manifest: Value, path: str) -> Iterator[Fault]:
    """Yield the faults of a manifest beside an inclusion."""
    yield from of_lifecycle(manifest, path)
    yield from of_range(manifest, path)


def of_bundle(bundle: Value, path: str) -> Iterator[Fault]:
    """Yield the faults of a bundle."""
    manifest, artifacts = bundle["manifest"], bundle["artifacts"]
    if manifest["prior_windows"]["window_count"] + len(artifacts["windows.json"]) > 2**53 - 1:
        yield Fault("malformed", f"{path}/manifest/prior_windows/window_count", "No tree has room for so many windows.")
    yield from of_manifest(manifest, f"{path}/manifest")
    hashes = manifest["artifact_hashes"]
    for where, names in (("artifacts", artifacts), ("manifest/artifact_hashes", hashes)):
        if ("forks.json" in artifacts) != ("forks.json" in hashes) and "forks.json" not in names:
            message = "Fork evidence and its hash come together or not at all."
            yield Fault("missing_member", f"{path}/{where}/forks.json", message)
    for index, window in enumerate(artifacts["windows.json"]):
        yield from of_window(window, f"{path}/artifacts/windows.json/{index}")
    for index, checkpoint in enumerate(artifacts["checkpoints.json"]):
        yield from of_checkpoint(checkpoint, f"{path}/artifacts/checkpoints.json/{index}")
    yield from of_witnesses(artifacts["witnesses.json"], f"{path}/artifacts/witnesses.json")
    yield from of_provenance_part(bundle, path)
    for index, evidence in enumerate(artifacts.get("forks.json", ())):
        yield from of_fork(evidence, f"{path}/artifacts/forks.json/{index}")


def of_content(content: Value, path: str) -> Iterator[Fault]:
    """Yield the faults of the content of an envelope."""
    claim = content["assurance"]
    named = (claim["attestationRef"] is not None, claim["startId"] is not None)
    if named != {"L0": (False, False), "L1": (True, False), "L2": (False, True)}[claim["level"]]:
        yield Fault("malformed", f"{path}/assurance", "L0 names nothing, L1 an attestation, L2 a start.")
    metadata = content["metadata"]
    if (metadata["providerId"] is None) != (metadata["providerPolicyDigest"] is None):
        message = "A provider and the policy that allows it come together or not at all."
        yield Fault("provenance_metadata_not_permitted", f"{path}/metadata/providerPolicyDigest", message)


def of_envelope(envelope: Value, path: str) -> Iterator[Fault]:
    """Yield the faults of an envelope with its content."""
    if "content" in envelope:
        yield from of_content(envelope["content"], f"{path}/content")
        yield from of_start_seal(envelope, envelope["content"], path)


def of_start_seal(envelope: Value, content: Value, path: str) -> Iterator[Fault]:
    """Yield the fault of a start seal that is missing, or does not belong."""
    is_measured = content["assurance"]["level"] == "L2"
    if is_measured and "startSeal" not in envelope:
        yield Fault("missing_member", f"{path}/startSeal", "An envelope of level L2 has a start seal.")
    if not is_measured and "startSeal" in envelope:
        yield Fault("unknown_member", f"{path}/startSeal", "Only an envelope of level L2 has a start seal.")


_EVIDENCE = {"pkcs11-key-custody": "custody-evidence.json", "tpm2-quote": "quote-evidence.json"}


def of_attestation(value: Value, path: str) -> Iterator[Fault]:
    """Yield the faults of an attestation."""
    record = value["record"]
    if (record["challengeId"] is None) != (record["nonce"] is None):
        yield Fault("malformed", f"{path}/record/nonce", "A challenge and its nonce come together or not at all.")
    if "evidence" not in record:
        return
    evidence, where = record["evidence"], f"{path}/record/evidence"
    own = faults_of(_EVIDENCE[record["attestationKind"]], evidence, where)
    yield from own
    if own or record["attestationKind"] != "pkcs11-key-custody":
        return
    if evidence["basis"] != "x509" and evidence["chain"]:
        yield Fault("malformed", f"{where}/chain", "Only the basis x509 has a chain.")
    if evidence["basis"] != "ceremony" and evidence["ceremony"]:
        yield Fault("malformed", f"{where}/ceremony", "Only the basis ceremony has statements.")


def of_provider_policy(policy: Value, path: str) -> Iterator[Fault]:
    """Yield the faults of a provider policy."""
    names = [one["providerId"] for one in policy["providers"]]
    for index in range(1, len(names)):
        if names[index] <= names[index - 1]:
            message = "The providers ascend by their ids, each once."
            yield Fault("malformed", f"{path}/providers/{index}/providerId", message)
            return


def of_disclosure(disclosure: Value, path: str) -> Iterator[Fault]:
    """Yield the faults of a disclosure."""
    if disclosure["seal"] is None:
        for name in ("audience", "nonce"):
            if disclosure[name] is not None:
                message = "Without a seal nothing binds a disclosure to a reader."
                yield Fault("malformed", f"{path}/{name}", message)
    if (disclosure["fields"] or disclosure["attestations"]) and "content" not in disclosure["envelope"]:
        message = "Without the content of the envelope nothing can be opened, and no level is claimed."
        yield Fault("missing_member", f"{path}/envelope/content", message)
    yield from of_envelope(disclosure["envelope"], f"{path}/envelope")
    if disclosure["receipt"] is not None:
        yield from of_portable_receipt(disclosure["receipt"], f"{path}/receipt")
    if disclosure["keyStatus"] is not None:
        yield from status_faults(disclosure["keyStatus"], f"{path}/keyStatus")
    for index, one in enumerate(disclosure["attestations"]):
        yield from of_attestation(one, f"{path}/attestations/{index}")


def of_epoch(epoch: Value, path: str) -> Iterator[Fault]:
    """Yield the faults of an IVC epoch."""
    if epoch["proof"] is not None and epoch["construction"] == "transparent-recompute/1":
        yield Fault("malformed", f"{path}/proof", "An epoch that is recomputed has no proof.")
    for index, checkpoint in enumerate(epoch.get("checkpoints", ())):
        where = f"{path}/checkpoints/{index}"
        yield from of_checkpoint(checkpoint, where)
        if index == 0 and checkpoint["window_roots"][0]["window_no"] > 1 and "frontier" not in checkpoint:
            message = "Without the frontier before the first checkpoint no root can be recomputed."
            yield Fault("missing_member", f"{where}/frontier", message)
    listed = [one for checkpoint in epoch.get("checkpoints", ()) for one in checkpoint["window_roots"]]
    if listed and listed[0]["window_no"] - 1 + len(listed) > 2**53 - 1:
        yield Fault("malformed", f"{path}/checkpoints", "No tree has room for so many windows.")


def of_provenance_part(bundle: Value, path: str) -> Iterator[Fault]:
    """Yield the faults of what a bundle of envelopes has beside every bundle."""
    manifest, artifacts = bundle["manifest"], bundle["artifacts"]
    places = (
        *((f"manifest/{name}", name in manifest) for name in _OF_MANIFEST),
        ("manifest/artifact_hashes/provenance.json", "provenance.json" in manifest["artifact_hashes"]),
        ("artifacts/provenance.json", "provenance.json" in artifacts),
    )
    if any(is_there for _, is_there in places):
        for where, is_there in places:
            if not is_there:
                message = "The provenance part of a bundle is there whole or not at all."
                yield Fault("missing_member", f"{path}/{where}", message)
    elif "contents" in bundle:
        yield Fault("unknown_member", f"{path}/contents", "Only a bundle of envelopes has contents.")
    for event_id, content in bundle.get("contents", {}).items():
        yield from of_content(content, below(f"{path}/contents", event_id))
    part = artifacts.get("provenance.json", {})
    for index, one in enumerate(part.get("attestations", ())):
        yield from of_attestation(one, f"{path}/artifacts/provenance.json/attestations/{index}")
    for index, policy in enumerate(part.get("provider_policies", ())):
        yield from of_provider_policy(policy, f"{path}/artifacts/provenance.json/provider_policies/{index}")


_OF_MANIFEST = ("provenance_root", "provenance_event_count", "vault_key_lifecycle")


_FAULTS: dict[str, Callable[[Value, str], Iterable[Fault]]] = {
    "window": of_window,
    "checkpoint": of_checkpoint,
    "consistency.json": of_consistency,
    "portable-receipt": of_portable_receipt,
    "bundle": of_bundle,
    "fork": of_fork,
    "envelope": of_envelope,
    "key-status": status_faults,
    "vault-attestation": of_attestation,
    "disclosure": of_disclosure,
    "ivc-epoch": of_epoch,
    "shown-provenance-inclusion.json": lambda value, path: of_shown_manifest(value["manifest"], f"{path}/manifest"),
}
