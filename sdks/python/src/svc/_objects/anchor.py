"""Anchors: epochs of the service log (section 12), alone and beside checkpoints."""

from __future__ import annotations

from typing import Any, NamedTuple

from .._report.examination import Examination, Finding
from .._report.model import Subject
from .._trust.key_ring import Scope
from .._trust.policy import Witness
from .chain.evidence import check_evidence
from .cosignatures import Cosignatures, check_lines, unchecked_lines
from .hashing import digest, without
from .own_note import check_note
from .seal import Use, check_seal
from .travelling_keys import read_keys

CHECK = "anchor"
Anchor = dict[str, Any]
_UNSEALED = ("seal", "note", "members", "evidence")
_OF_TRANSACTION = ("network", "contract", "tx_hash")
_OF_BLOCK = ("block_number", "block_hash", "evidence")
_RANK = ("none", "pending", "unpinned", "pinned")


class Epoch(NamedTuple):
    """What an anchor shows. `time`: what dates it, in Unix seconds; None where nothing does."""

    anchored: str
    is_witnessed: bool
    time: int | None
    # The members whose paths hold, as (checkpoint_id, checkpoint_hash).
    members: frozenset[tuple[str, str]] = frozenset()


def epoch_hash(anchor: Anchor) -> str:
    """Return the hash of an epoch."""
    return digest("epoch", {name: anchor[name] for name in ("origin", "epoch_no", "log_size", "epoch_root")})


def check_anchor(
    ex: Examination, anchor: Anchor, path: str, known: dict[Witness, Any], dated: int | None = None
) -> Epoch:
    """Check an anchor by itself. `known`: the known witness keys; `dated`: what else dates its seal."""
    note = check_note(
        ex, anchor["note"], anchor["origin"], anchor["log_size"], anchor["epoch_root"], anchor["seal"]["kid"],
        f"{path}/note",
    )  # fmt: skip
    found = Cosignatures(None)
    if note is not None:
        check_lines(ex, found, note, f"{path}/note", known, None, note.text, check="note")
    for text in unchecked_lines(found):
        ex.note("note", text)
    members = _check_members(ex, anchor, path)
    anchored, block_time = _check_state(ex, anchor, path)
    witness_time = found.earliest(ex.trust.witnesses)
    times = [time for time in (block_time, witness_time) if time is not None]
    time = None if anchored == "pending" else min(times, default=None)
    both = [one for one in (time, dated) if one is not None]
    use = Use(
        CHECK,
        "anchor",
        f"{path}/seal",
        f"epoch {anchor['epoch_no']} of the service log",
        Scope(None, anchor["origin"], is_service_origin=True),
        anchor["anchored_at"],
        dated=min(both, default=None),
    )
    check_seal(ex, "anchor", without(anchor, *_UNSEALED), anchor["seal"], use)
    return Epoch(anchored, witness_time is not None, time, members)


def _check_members(ex: Examination, anchor: Anchor, path: str) -> frozenset[tuple[str, str]]:
    root = bytes.fromhex(anchor["epoch_root"])
    members = set()
    for index, member in enumerate(anchor["members"]):
        ex.looked(CHECK)
        leaf = ex.kernel.leaf_hashes([bytes.fromhex(member["checkpoint_hash"])])[0]
        nodes = [bytes.fromhex(one) for one in member["inclusion_path"]]
        holds = ex.kernel.verify_inclusion(leaf, member["leaf_index"], anchor["log_size"], nodes, root)
        message = "The path of the member does not lead to the root of the epoch."
        if ex.expect(CHECK, holds, "anchor_does_not_bind", f"{path}/members/{index}", message):
            members.add((member["checkpoint_id"], member["checkpoint_hash"]))
    return frozenset(members)


def _check_state(ex: Examination, anchor: Anchor, path: str) -> tuple[str, int | None]:
    """Return how it is anchored, and the time of a pinned block."""
    odd = _odd_member(anchor)
    if odd is not None:
        message = "The members that are null fit none of the three states of an anchor."
        ex.reject(CHECK, Finding("anchor_evidence_invalid", f"{path}/{odd}", message))
        return "none", None
    if anchor["network"] is None:
        ex.note(CHECK, "an anchor is published in the service log only")
        return "none", None
    if anchor["evidence"] is None:
        ex.note(CHECK, "an anchor is pending: it dates nothing")
        return "pending", None
    mined = check_evidence(ex, anchor, epoch_hash(anchor), path)
    if mined is None:
        return "none", None
    if not _has_pin(ex, "contracts", anchor, address=anchor["contract"], code_hash=mined.code_hash):
        ex.note(CHECK, "nothing shows that the contract writes once: you do not pin it")
    if not _has_pin(ex, "blocks", anchor, number=anchor["block_number"], hash=anchor["block_hash"]):
        ex.note(CHECK, "nothing shows that the block is in the chain: you do not pin it")
        return "unpinned", None
    return "pinned", mined.time


def _has_pin(ex: Examination, name: str, anchor: Anchor, **members: Any) -> bool:
    return {"network": anchor["network"], **members} in ex.trust.get(name, ())


def _odd_member(anchor: Anchor) -> str | None:
    """Return the first member that is null although the state asks for it; None where the nulls fit one state.

    The state is the furthest one that any member speaks of.
    """
    is_mined = any(anchor[name] is not None for name in _OF_BLOCK)
    is_sent = is_mined or any(anchor[name] is not None for name in _OF_TRANSACTION)
    wanted = (*(_OF_TRANSACTION if is_sent else ()), *(_OF_BLOCK if is_mined else ()))
    return next((name for name in wanted if anchor[name] is None), None)


def show(ex: Examination, epoch: Epoch) -> None:
    """Note what an epoch shows of the newest checkpoint, or of itself; the best of several counts."""
    shown = ex.shown
    if not ex.is_clean(CHECK, "note"):
        shown.published, shown.anchored = "none", "none"
        return
    if epoch.is_witnessed:
        shown.published = "witnessed"
    elif shown.published == "none":
        shown.published = "included"
    shown.anchored = max(shown.anchored, epoch.anchored, key=_RANK.index)


def check_beside(
    ex: Examination, anchor: Anchor, epoch: Epoch, path: str, checkpoints: list[tuple[dict[str, Any], str]]
) -> bool:
    """Check an anchor beside checkpoints, each given with its hash. Returns whether it covers the last of them.

    What dates the epoch dates those of its members that are checkpoints here.
    """
    hashes = {checkpoint["checkpoint_id"]: own for checkpoint, own in checkpoints}
    covered: list[dict[str, Any]] = []
    by_id = {checkpoint["checkpoint_id"]: checkpoint for checkpoint, _ in checkpoints}
    for index, member in enumerate(anchor["members"]):
        own_id, own_hash = member["checkpoint_id"], member["checkpoint_hash"]
        if own_id in hashes and hashes[own_id] != own_hash:
            where, message = (
                f"{path}/members/{index}/checkpoint_hash",
                "The member has another hash than its checkpoint.",
            )
            ex.reject(CHECK, Finding("anchor_does_not_bind", where, message, hashes[own_id], own_hash))
        elif own_id not in hashes and own_hash in hashes.values():
            where, message = f"{path}/members/{index}/checkpoint_id", "The member has another id than its checkpoint."
            ex.reject(CHECK, Finding("anchor_does_not_bind", where, message))
        elif own_id in hashes:
            covered.append(by_id[own_id])
    origin = anchor["origin"]
    message = "It covers a checkpoint of another service."
    is_own = all(one["origin"] == f"{origin}/{one['stream_id']}" for one in covered)
    ex.expect(CHECK, is_own, "anchor_does_not_bind", f"{path}/origin", message)
    message = "It covers no checkpoint that is here."
    ex.expect(CHECK, bool(covered), "anchor_does_not_bind", f"{path}/members", message)
    for one in covered:
        if epoch.time is not None and (one["checkpoint_id"], hashes[one["checkpoint_id"]]) in epoch.members:
            ex.anchor_proofs.append((epoch.time, one["to_seq_no"]))
    return any(one is checkpoints[-1][0] for one in covered)


def examine_anchor(ex: Examination, anchor: Anchor) -> None:
    """Examine a lone anchor."""
    ex.subject = Subject(id=anchor["anchor_epoch_id"], origin=anchor["origin"])
    epoch = check_anchor(ex, anchor, "", dict.fromkeys(ex.trust.witnesses))
    show(ex, epoch)


def examine_anchor_consistency(ex: Examination, evidence: dict[str, Any]) -> None:
    """Examine consistency evidence over two epochs of the service log."""
    earlier, later = evidence["from_anchor"], evidence["to_anchor"]
    ex.subject = Subject(id=None, origin=later["origin"])
    read_keys(ex, evidence)
    known = dict.fromkeys(ex.trust.witnesses)
    holds = ex.equal(
        "consistency", "origin_changed", "/to_anchor/origin", earlier["origin"], later["origin"],
        "The later epoch is of another origin.",
    )  # fmt: skip
    ex.looked("consistency")
    numbers, size = later["epoch_no"] - earlier["epoch_no"], later["log_size"] - earlier["log_size"]
    message = "The later epoch does not grow: numbers and sizes rise together."
    holds &= ex.expect("consistency", 1 <= numbers <= size, "consistency_invalid", "/to_anchor", message)
    is_consistent = ex.kernel.verify_consistency(
        earlier["log_size"],
        bytes.fromhex(earlier["epoch_root"]),
        later["log_size"],
        bytes.fromhex(later["epoch_root"]),
        [bytes.fromhex(one) for one in evidence["consistency_path"]],
    )
    message = "The path does not lead from the one root to the other."
    holds &= ex.expect("consistency", is_consistent, "consistency_invalid", "/consistency_path", message)
    epoch = check_anchor(ex, later, "/to_anchor", known)
    # The later one is checked first, since it dates the earlier one, whose signer comes first in the report.
    of_later = ex.sealed.pop()
    check_anchor(ex, earlier, "/from_anchor", known, epoch.time if holds else None)
    ex.sealed.append(of_later)
    show(ex, epoch)
