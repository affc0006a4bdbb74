"""Cuts the portable receipt of one event out of a bundle (section 13)."""

from __future__ import annotations

from typing import Any

from .._errors import ProducerError
from .._kernel.interface import Kernel
from .._kernel.reference.merkle import append, leaf_hash
from .._objects.checkpoint import checkpoint_hash
from .._objects.hashing import without
from .._objects.policies import DIGESTS, policy_digest
from .._objects.window import window_hash
from .proofs import frontier_parts, path_from
from .read import kind_of, parse, require_form, require_holds

Bundle = dict[str, Any]


def cut_out(kernel: Kernel, data: bytes, seq_no: int) -> Any:
    """Return the portable receipt of an event, up to the bundle's last checkpoint. Raises ProducerError."""
    bundle = parse(kernel, data)
    if kind_of(bundle) != "bundle":
        raise ProducerError("unsupported_object", "a portable receipt is cut out of a bundle")
    require_form("bundle", bundle)
    # Of several records of one number the first counts.
    record = next((one for one in bundle["artifacts"]["receipts.json"] if one["seq_no"] == seq_no), None)
    if record is None:
        raise ProducerError("event_missing", f"event {seq_no} is not here")
    portable = _portable(bundle, record)
    if portable is None:
        raise ProducerError("rejected", "the bundle has no window over the event, or no checkpoint")
    require_holds(kernel, "portable-receipt", portable)
    return portable


def _portable(bundle: Bundle, record: Any) -> Any:
    artifacts, number = bundle["artifacts"], record["seq_no"]
    windows, checkpoints = artifacts["windows.json"], artifacts["checkpoints.json"]
    window = next((one for one in windows if one["from_seq_no"] <= number <= one["to_seq_no"]), None)
    if window is None or not checkpoints:
        return None
    checkpoint = checkpoints[-1]
    payload = bundle.get("payloads", {}).get(record["stream_event_id"], {})
    last = next((one for one in windows if one["window_no"] == checkpoint["window_count"]), None)
    if last is None:
        return None
    portable = {
        "format": "svc-portable-receipt",
        "version": 1,
        "receipt": {**record, **payload},
        "inclusion": _inclusion(artifacts["receipts.json"], record, window),
        "window": without(window, "leaves", "inclusions"),
        "checkpoint_inclusion": {
            "window_no": window["window_no"],
            "window_count": checkpoint["window_count"],
            "path": _tree_path(bundle, window, checkpoint),
        },
        "checkpoint": _with_frontier(bundle, checkpoint),
        "witnesses": _witnesses(artifacts["witnesses.json"], checkpoint, window),
        **{name: bundle[name] for name in ("key_hints", "key_endorsements") if bundle[name]},
    }
    if window["window_no"] != last["window_no"]:
        portable["last_window"] = {
            "window": without(last, "leaves", "inclusions"),
            "path": _tree_path(bundle, last, checkpoint),
        }
    anchor = _anchor(artifacts["anchors.json"], checkpoint)
    return portable if anchor is None else {**portable, "anchor": anchor}


def _inclusion(records: list[Any], record: Any, window: Any) -> Any:
    start, end = window["from_seq_no"], window["to_seq_no"]
    hashes = [bytes.fromhex(one["event_hash"]) for one in records if start <= one["seq_no"] <= end]
    index = record["seq_no"] - start
    parts = frontier_parts(0, [], hashes)
    return {
        "window_id": window["window_id"],
        "seq_no": record["seq_no"],
        "event_hash": record["event_hash"],
        "leaf_hash": parts[index : index + 1][0].hash.hex() if index < len(parts) else "0" * 64,
        "leaf_index": index,
        "tree_size": end - start + 1,
        "inclusion_path": path_from(parts, index),
        "window_root": window["window_root"],
    }


def _tree_path(bundle: Bundle, window: Any, checkpoint: Any) -> list[str]:
    """Return the path of a window in the checkpoint's tree, whose first part is a frontier."""
    prior = bundle["manifest"]["prior_windows"]
    count = checkpoint["window_count"] - prior["window_count"]
    hashes = [bytes.fromhex(window_hash(one)) for one in bundle["artifacts"]["windows.json"][:count]]
    frontier = [bytes.fromhex(one) for one in prior["frontier"]]
    return path_from(frontier_parts(prior["window_count"], frontier, hashes), window["window_no"] - 1)


def _with_frontier(bundle: Bundle, checkpoint: Any) -> Any:
    """Return a checkpoint with the frontier before its list, so that its root can be recomputed."""
    before = checkpoint["window_roots"][0]["window_no"] - 1
    prior = bundle["manifest"]["prior_windows"]
    windows = bundle["artifacts"]["windows.json"][: before - prior["window_count"]]
    if "frontier" in checkpoint or before == 0 or before < prior["window_count"]:
        return checkpoint
    leaves = [leaf_hash(bytes.fromhex(window_hash(one))) for one in windows]
    frontier = append(prior["window_count"], [bytes.fromhex(one) for one in prior["frontier"]], leaves)
    return {**checkpoint, "frontier": [one.hex() for one in frontier]}


def _witnesses(witnesses: Any, checkpoint: Any, window: Any) -> Any:
    found: dict[str, Any] = {}
    for name, member in DIGESTS.items():
        named = {checkpoint[member], window[member]}
        found[name] = [one for one in witnesses[name] if policy_digest(name, one) in named]
    own_id = checkpoint["checkpoint_id"]
    found["statements"] = [one for one in witnesses["statements"] if one["checkpoint_id"] == own_id]
    return found


def _anchor(anchors: list[Any], checkpoint: Any) -> Any:
    """Return the first mined anchor that covers a checkpoint, otherwise the first one; of it the member about that."""
    own = checkpoint_hash(checkpoint)
    covering = [
        {**anchor, "members": members}
        for anchor in anchors
        if (members := [one for one in anchor["members"] if one["checkpoint_hash"] == own])
    ]
    return next((one for one in covering if one["evidence"] is not None), covering[0] if covering else None)
