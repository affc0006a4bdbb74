"""Bundles (section 14): everything about a range of one stream that a verifier needs, without the service."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from .._kernel.canonical import canonicalize
from .._report.examination import Examination, Finding
from .._report.history import History, joined
from .._report.model import Subject
from .._schema.pointer import below
from .._trust.key_ring import Scope
from .bundle_checkpoints import Tree, check_checkpoints
from .bundle_evidence import check_anchors, check_policies, check_witnesses
from .bundle_forks import check_forks
from .bundle_windows import check_windows
from .checkpoint import checkpoint_hash, service_origin
from .policies import shown_policies
from .records import RECEIPTS, PlainRecords, Records
from .seal import Use, check_seal
from .travelling_keys import read_keys

Bundle = dict[str, Any]
_OF_INCLUDED = (
    "event_hash", "window_root", "window_seal", "window_tiling", "checkpoint_root", "checkpoint_chain",
    "checkpoint_seal", "note",
)  # fmt: skip
_OF_COMPLETE = ("sequence", "completeness", "bundle_seal")


def examine_bundle(ex: Examination, bundle: Bundle) -> bool:
    """Examine a bundle, but for what one of envelopes has besides. Returns whether its seal holds."""
    manifest, artifacts = bundle["manifest"], bundle["artifacts"]
    checkpoints = artifacts["checkpoints.json"]
    records: Records = PlainRecords(bundle) if ex.records is None else ex.records
    stream = manifest["stream_id"]
    origin = checkpoints[-1]["origin"] if checkpoints else None
    ex.subject = Subject(
        id=manifest["bundle_id"],
        stream_id=stream,
        from_seq_no=manifest["from_seq_no"],
        to_seq_no=manifest["to_seq_no"],
        from_received_at=None if records.first is None else records.first["received_at"],
        to_received_at=None if records.last is None else records.last["received_at"],
        origin=None if origin is None else service_origin(checkpoints[-1], stream),
    )
    read_keys(ex, bundle)
    check_manifest(ex, bundle, records)
    records.check(ex, stream, origin)
    check_completeness(ex, bundle, records)
    tree = Tree(ex, manifest["prior_windows"], check_windows(ex, bundle, records, origin))
    hashes = [checkpoint_hash(one) for one in checkpoints]
    shown = shown_policies(artifacts["witnesses.json"])
    notes = check_checkpoints(ex, bundle, tree, hashes, origin)
    check_policies(ex, bundle, shown)
    check_witnesses(ex, bundle, shown, notes, hashes)
    check_anchors(ex, bundle, shown, hashes)
    what = "the manifest of the bundle"
    use = Use("bundle_seal", "bundle", "/seal", what, Scope(stream, origin), manifest["created_at"])
    is_sealed = check_seal(ex, "bundle", manifest, bundle["seal"], use)
    check_forks(ex, bundle, shown)
    if records.first is not None:
        events = joined(records.event_hashes(0, records.count))
        ex.histories.append(History(stream, records.first["seq_no"], events, tree.hashes, tree.roots))
    if records.count:
        ex.shown.included = ex.is_clean(*_OF_INCLUDED)
        ex.shown.complete = ex.shown.included and ex.is_clean(*_OF_COMPLETE)
    _note_what_is_missing(ex, bundle)
    return is_sealed


def check_manifest(ex: Examination, bundle: Bundle, records: Records) -> None:
    """Check the hash of every artifact."""
    for name, expected in bundle["manifest"]["artifact_hashes"].items():
        ex.looked("manifest")
        own = records.artifact_hash if name == "receipts.json" else None
        actual = own or sha256(canonicalize(bundle["artifacts"][name])).hexdigest()
        message = f"The artifact {name} is not the one that the manifest names."
        ex.equal("manifest", "artifact_hash_mismatch", below("/artifacts", name), expected, actual, message)


def check_completeness(ex: Examination, bundle: Bundle, records: Records) -> None:
    """Check that records and windows are those of the manifest's range, from its first to its last event."""
    manifest, windows = bundle["manifest"], bundle["artifacts"]["windows.json"]
    ex.looked("completeness", records.count)
    last_place = f"/artifacts/windows.json/{len(windows) - 1}/to_seq_no"
    # The windows are named where both are missing, and nothing is compared with what is there.
    if not windows or records.first is None or records.last is None:
        path = RECEIPTS if windows else "/artifacts/windows.json"
        ex.reject("completeness", Finding("range_incomplete", path, "Nothing of the range is here."))
        return
    start, end = manifest["from_seq_no"], manifest["to_seq_no"]
    _check_end(ex, records.first["seq_no"], start, f"{RECEIPTS}/0/seq_no", is_first=True)
    _check_end(ex, records.last["seq_no"], end, f"{RECEIPTS}/{records.count - 1}/seq_no", is_first=False)
    _check_end(ex, windows[-1]["to_seq_no"], end, last_place, is_first=False)


def _check_end(ex: Examination, number: int, due: int, path: str, *, is_first: bool) -> None:
    if number == due:
        return
    is_gap = (number > due) == is_first
    code = "range_incomplete" if is_gap else "sequence_broken"
    message = f"The range {'begins' if is_first else 'ends'} with event {due}, and what is here with event {number}."
    ex.reject("completeness", Finding(code, path, message, str(due), str(number)))


def _note_what_is_missing(ex: Examination, bundle: Bundle) -> None:
    if not bundle["artifacts"]["anchors.json"]:
        ex.note("anchor", "no anchor in the bundle")
    if "forks.json" not in bundle["artifacts"]:
        ex.note("fork", "no fork evidence in the bundle")
