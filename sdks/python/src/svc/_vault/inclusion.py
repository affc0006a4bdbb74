"""Inclusions of envelopes (section 27): bare, or beside the sealed manifest of a bundle."""

from __future__ import annotations

from typing import Any

from .._generated.codes import OWN_ACTIONS
from .._objects.hashing import digest
from .._objects.seal import Use, check_seal
from .._objects.travelling_keys import read_keys
from .._report.examination import Examination, Finding
from .._report.model import Subject
from .._trust.key_ring import Scope
from .._trust.policy import kid_of
from .known_keys import KnownKeys
from .statuses import Placed, from_trust, is_in_time

CHECK = "provenance"
Inclusion = dict[str, Any]


def examine_inclusion(ex: Examination, value: dict[str, Any]) -> None:
    """Examine an inclusion of an envelope."""
    inclusion = value.get("inclusion", value)
    number = inclusion["seq_no"]
    ex.subject = Subject(
        id=inclusion["source_ref"], stream_id=inclusion["stream_id"], from_seq_no=number, to_seq_no=number
    )
    is_shown = "inclusion" in value
    _check_path(ex, inclusion, "/inclusion" if is_shown else "")
    if is_shown:
        read_keys(ex, value)
        _check_manifest(ex, value, inclusion)
    else:
        ex.note("bundle_seal", "no manifest here")
        message = "A bare proof has nothing signed around it: it needs the manifest of its range."
        ex.distrust(Finding("key_not_pinned", "", message, action=OWN_ACTIONS["ask_manifest"]), "")


def _check_path(ex: Examination, inclusion: Inclusion, path: str) -> None:
    ex.looked(CHECK)
    names = ("stream_id", "seq_no", "event_hash", "source_ref", "installation_id", "envelope_hash", "capsule_root")
    data = bytes.fromhex(digest("leaf", {name: inclusion[name] for name in names}))
    leaf = ex.kernel.leaf_hashes([data])[0]
    size = inclusion["to_seq_no"] - inclusion["from_seq_no"] + 1
    holds = (
        leaf.hex() == inclusion["leaf_hash"]
        and inclusion["leaf_index"] == inclusion["seq_no"] - inclusion["from_seq_no"]
        and inclusion["tree_size"] == size
        and ex.kernel.verify_inclusion(
            leaf,
            inclusion["leaf_index"],
            inclusion["tree_size"],
            [bytes.fromhex(one) for one in inclusion["inclusion_path"]],
            bytes.fromhex(inclusion["provenance_root"]),
        )
    )
    message = "The inclusion of the envelope does not hold."
    ex.expect(CHECK, holds, "inclusion_invalid", f"{path}/inclusion_path", message)


def _check_manifest(ex: Examination, value: dict[str, Any], inclusion: Inclusion) -> None:
    manifest, seal = value["manifest"], value["seal"]
    own = [(one["stream_id"], one["from_seq_no"], one["to_seq_no"]) for one in (manifest, inclusion)]
    message = "The proof is about another stream or range than the manifest."
    ex.expect(CHECK, own[0] == own[1], "provenance_range_mismatch", "/inclusion", message)
    message = "The proof leads to another root than the manifest's."
    expected, actual = manifest["provenance_root"], inclusion["provenance_root"]
    ex.equal(CHECK, "provenance_root_mismatch", "/inclusion/provenance_root", expected, actual, message)
    count = manifest["to_seq_no"] - manifest["from_seq_no"] + 1
    message = "The range has another number of events than the manifest counts."
    where = "/manifest/provenance_event_count"
    ex.equal(CHECK, "provenance_count_mismatch", where, manifest["provenance_event_count"], count, message)
    scope = Scope(manifest["stream_id"], None)
    use = Use("bundle_seal", "bundle", "/seal", "the manifest of the bundle", scope, manifest["created_at"])
    holds = check_seal(ex, "bundle", manifest, seal, use)
    counts = holds and is_in_time(ex, seal["kid"], scope, manifest["created_at"])
    lifecycle = [
        Placed(one, f"/manifest/vault_key_lifecycle/{index}")
        for index, one in enumerate(manifest["vault_key_lifecycle"])
    ]
    for one in lifecycle:
        message = "The status names its key by an identifier that is not that key's."
        is_named = kid_of(bytes.fromhex(one.status["publicKeyHex"])) == one.status["keyId"]
        ex.expect(CHECK, is_named, "kid_mismatch", f"{one.path}/keyId", message)
    installation = inclusion["installation_id"]
    message = "The installation is not in the lifecycle of the manifest."
    is_listed = any(one.status["installationId"] == installation for one in lifecycle)
    where = "/manifest/vault_key_lifecycle"
    ex.expect(CHECK, is_listed, "vault_lifecycle_mismatch", where, message)
    statuses = [*(lifecycle if counts else ()), *from_trust(ex, scope)]
    KnownKeys(ex, statuses).check(installation, "/inclusion/installation_id", CHECK)
