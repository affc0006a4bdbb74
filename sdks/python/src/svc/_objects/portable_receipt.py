"""Portable receipts (section 13): one event with as much of its evidence as there is."""

from __future__ import annotations

from typing import Any

from .._report.examination import Examination, Finding
from .._report.model import Subject
from .anchor import check_anchor, check_beside, show
from .checkpoint import (
    add_time_proof,
    check_checkpoint_note,
    check_checkpoint_seal,
    check_list,
    check_note_cosignatures,
    check_root,
    checkpoint_hash,
    establish,
    known_witnesses,
    service_origin,
)
from .cosignatures import Cosignatures, judge_newest
from .policies import DIGESTS, Shown, check_independence, check_orders, shown_policies
from .receipt import check_record, count_redacted, shown_records
from .statements import check_statement
from .travelling_keys import read_keys
from .window import (
    check_inclusion,
    check_inclusions,
    check_leaves,
    check_place,
    check_window_seal,
    shown_window,
    window_hash,
)

Portable = dict[str, Any]
_OF_INCLUDED = (
    "payload_hash", "event_hash", "inclusion", "window_seal", "checkpoint_root", "checkpoint_seal", "note",
)  # fmt: skip
_OF_LAST_WINDOW = ("to_seq_no", "stream_head_hash", "policy_digest", "witness_policy_digest")


def examine_portable_receipt(ex: Examination, portable: Portable) -> None:
    """Examine a portable receipt."""
    read_keys(ex, portable)
    check_portable(ex, portable, "")
    ex.histories.append(shown_records(portable["receipt"]["stream_id"], [portable["receipt"]]))
    if "window" in portable:
        ex.histories.append(shown_window(portable["window"]))


def check_portable(ex: Examination, portable: Portable, path: str) -> None:
    """Check all parts of a portable receipt, its keys being read. `path`: that of the whole."""
    record = portable["receipt"]
    checkpoint = portable.get("checkpoint")
    origin = None if checkpoint is None else checkpoint["origin"]
    number = record["seq_no"]
    ex.subject = Subject(
        id=record["stream_event_id"],
        stream_id=record["stream_id"],
        from_seq_no=number,
        to_seq_no=number,
        from_received_at=record["received_at"],
        to_received_at=record["received_at"],
        origin=None if checkpoint is None else service_origin(checkpoint, record["stream_id"]),
    )
    count_redacted(ex, [record])
    check_record(ex, record, f"{path}/receipt", origin)
    if "window" in portable:
        _check_window(ex, portable, path, origin)
    else:
        ex.note("inclusion", "no window here: nothing shows that the event is in one")
    if checkpoint is not None:
        _check_checkpoint(ex, portable, path)
    else:
        for check in ("checkpoint_root", "witness", "anchor", "known_checkpoint"):
            ex.note(check, "no checkpoint here")


def _check_window(ex: Examination, portable: Portable, path: str, origin: str | None) -> None:
    record, window, inclusion = portable["receipt"], portable["window"], portable["inclusion"]
    _check_any_window(ex, window, record["stream_id"], f"{path}/window", origin)
    if window["to_seq_no"] == record["seq_no"]:
        message = "The window ends with the event, and states another head than the receipt."
        expected, actual = record["stream_head_hash"], window["stream_head_hash"]
        ex.equal("window_seal", "head_hash_mismatch", f"{path}/window/stream_head_hash", expected, actual, message)
    check_inclusion(ex, inclusion, f"{path}/inclusion", window)
    is_own = inclusion["seq_no"] == record["seq_no"] and inclusion["event_hash"] == record["event_hash"]
    message = f"The inclusion proof is about another event than event {record['seq_no']} of the receipt."
    ex.expect("inclusion", is_own, "inclusion_invalid", f"{path}/inclusion/event_hash", message)


def _check_any_window(ex: Examination, window: dict[str, Any], stream: str, path: str, origin: str | None) -> None:
    message = f"Window {window['window_no']} is of another stream."
    ex.equal("window_seal", "stream_mismatch", f"{path}/stream_id", stream, window["stream_id"], message)
    check_place(ex, window, path, "window_seal")
    check_window_seal(ex, window, path, origin)
    check_leaves(ex, window, path, "inclusion")
    check_inclusions(ex, window, path)


def _check_checkpoint(ex: Examination, portable: Portable, path: str) -> None:
    checkpoint, stream = portable["checkpoint"], portable["receipt"]["stream_id"]
    where = f"{path}/checkpoint"
    check_list(ex, checkpoint, where)
    establish(ex, checkpoint, check_root(ex, checkpoint, where))
    message = "The checkpoint is of another stream."
    ex.equal("checkpoint_root", "stream_mismatch", f"{where}/stream_id", stream, checkpoint["stream_id"], message)
    _check_tree(ex, portable, path)
    check_checkpoint_seal(ex, checkpoint, where)
    note = check_checkpoint_note(ex, checkpoint, where)
    witnesses = portable.get("witnesses")
    shown = Shown({}, {}) if witnesses is None else shown_policies(witnesses)
    policy = shown.witness_policies.get(checkpoint["witness_policy_digest"])
    found = check_note_cosignatures(ex, checkpoint, note, where, policy)
    own_hash = checkpoint_hash(checkpoint)
    if witnesses is None:
        ex.note("policy", "no policies here")
        add_time_proof(ex, found, checkpoint)
        judge_newest(ex, found, f"{where}/note", None)
    else:
        _check_witnesses(ex, portable, shown, found, own_hash, path)
    if "anchor" in portable:
        _check_anchor(ex, portable, shown, own_hash, path)
    ex.shown.included = ex.is_clean(*_OF_INCLUDED)


def _check_tree(ex: Examination, portable: Portable, path: str) -> None:
    """Check the way from the event's window, and from the last one, to the checkpoint's root."""
    checkpoint, window = portable["checkpoint"], portable["window"]
    proof, last = portable["checkpoint_inclusion"], portable.get("last_window")
    ex.looked("inclusion")
    is_named = proof["window_no"] == window["window_no"] and proof["window_count"] == checkpoint["window_count"]
    holds = is_named and _is_leaf(ex, window, proof["path"], checkpoint)
    message = f"The path of window {window['window_no']} does not lead to the root of the checkpoint."
    ex.expect("inclusion", holds, "inclusion_invalid", f"{path}/checkpoint_inclusion/path", message)
    shown = [window]
    if last is not None:
        shown.append(last["window"])
        _check_last(ex, portable, path)
    numbers = [entry["window_no"] for entry in checkpoint["window_roots"]]
    for one in shown:
        if one["window_no"] in numbers:
            index = numbers.index(one["window_no"])
            entry = checkpoint["window_roots"][index]
            message = f"Window {one['window_no']} is not the one that the checkpoint lists."
            where = f"{path}/checkpoint/window_roots/{index}"
            ex.expect("checkpoint_root", is_listed(entry, one), "checkpoint_window_mismatch", where, message)
    for name in _OF_LAST_WINDOW:
        message = f"The checkpoint has another {name} than its last window."
        where = f"{path}/checkpoint/{name}"
        ex.equal("checkpoint_root", "checkpoint_window_mismatch", where, shown[-1][name], checkpoint[name], message)


def is_listed(entry: dict[str, Any], window: dict[str, Any]) -> bool:
    """Return whether a listed window is this one."""
    names = ("window_no", "from_seq_no", "to_seq_no", "window_root")
    return all(entry[name] == window[name] for name in names) and entry["window_hash"] == window_hash(window)


def _is_leaf(ex: Examination, window: dict[str, Any], path: list[str], checkpoint: dict[str, Any]) -> bool:
    leaf = ex.kernel.leaf_hashes([bytes.fromhex(window_hash(window))])[0]
    return ex.kernel.verify_inclusion(
        leaf,
        window["window_no"] - 1,
        checkpoint["window_count"],
        [bytes.fromhex(one) for one in path],
        bytes.fromhex(checkpoint["checkpoint_root"]),
    )


def _check_last(ex: Examination, portable: Portable, path: str) -> None:
    """Check the last window of the checkpoint, which is not the event's."""
    checkpoint, window, last = portable["checkpoint"], portable["window"], portable["last_window"]["window"]
    where = f"{path}/last_window"
    _check_any_window(ex, last, checkpoint["stream_id"], f"{where}/window", checkpoint["origin"])
    ex.looked("inclusion")
    message = f"The path of window {last['window_no']} does not lead to the root of the checkpoint."
    holds = _is_leaf(ex, last, portable["last_window"]["path"], checkpoint)
    ex.expect("inclusion", holds, "inclusion_invalid", f"{where}/path", message)
    message = "It is not the checkpoint's last window."
    expected, actual = checkpoint["window_count"], last["window_no"]
    ex.equal("inclusion", "inclusion_invalid", f"{where}/window/window_no", expected, actual, message)
    apart = last["window_no"] - window["window_no"]
    room = last["from_seq_no"] - window["to_seq_no"]
    at = f"{where}/window/from_seq_no"
    message = "The last window leaves no room for an event in each window between."
    ex.expect("window_seal", room >= apart, "sequence_broken", at, message)
    if apart == 1:
        message = "The last window is the next one, and does not start right after the event's window."
        ex.expect("window_seal", room <= 1, "range_incomplete", at, message)


def _check_witnesses(
    ex: Examination, portable: Portable, shown: Shown, found: Cosignatures, own_hash: str, path: str
) -> None:
    checkpoint, witnesses = portable["checkpoint"], portable["witnesses"]
    check_orders(ex, witnesses, f"{path}/witnesses")
    for name, member in DIGESTS.items():
        _check_sort(ex, name, member, portable, shown, f"{path}/witnesses/{name}")
    check_independence(ex, checkpoint, shown, f"{path}/checkpoint")
    for index, statement in enumerate(witnesses["statements"]):
        check_statement(ex, statement, checkpoint, own_hash, found, f"{path}/witnesses/statements/{index}")
    add_time_proof(ex, found, checkpoint)
    threshold = None if found.policy is None else found.policy["threshold"]
    judge_newest(ex, found, f"{path}/witnesses/statements", threshold)


def _check_sort(ex: Examination, name: str, member: str, portable: Portable, shown: Shown, path: str) -> None:
    """Check the policies of one sort."""
    check = "policy"
    checkpoint, window = portable["checkpoint"], portable["window"]
    by_digest = shown.of(name)
    ex.looked(check)
    own = by_digest.get(checkpoint[member])
    message = "The policy that the checkpoint names is not shown."
    ex.expect(check, own is not None, "policy_digest_mismatch", path, message)
    for one, policy in by_digest.items():
        is_named = one in (checkpoint[member], window[member])
        message = "Neither the checkpoint nor the window of the event names a policy that is shown."
        ex.expect(check, is_named, "policy_digest_mismatch", path, message)
        message = "A policy that is shown has another id than the checkpoint names."
        expected, actual = checkpoint["policy_id"], policy["policy_id"]
        ex.equal(check, "policy_changed", path, expected, actual, message)
    before = by_digest.get(window[member])
    if own is not None and before is not None and own["policy_version"] < before["policy_version"]:
        message = f"The checkpoint's policy has an older version than that of window {window['window_no']} before it."
        ex.reject(check, Finding("policy_version_decreased", path, message))


def _check_anchor(ex: Examination, portable: Portable, shown: Shown, own_hash: str, path: str) -> None:
    anchor, where = portable["anchor"], f"{path}/anchor"
    known = dict.fromkeys(ex.trust.witnesses)
    for policy in shown.witness_policies.values():
        known |= dict.fromkeys(known_witnesses(ex, policy))
    epoch = check_anchor(ex, anchor, where, known)
    if check_beside(ex, anchor, epoch, where, [(portable["checkpoint"], own_hash)]):
        show(ex, epoch)
