"""Consistency evidence between two checkpoints of a stream (section 9)."""

from __future__ import annotations

from typing import Any

from .._report.examination import Examination, Finding
from .._report.model import Subject
from .checkpoint import Checkpoint, check_alone, checkpoint_hash, service_origin
from .cosignatures import judge_newest
from .travelling_keys import read_keys


def examine_consistency(ex: Examination, evidence: dict[str, Any]) -> None:
    """Examine consistency evidence over checkpoints."""
    earlier, later = evidence["from_checkpoint"], evidence["to_checkpoint"]
    ex.subject = Subject(
        id=None,
        stream_id=evidence["stream_id"],
        to_seq_no=later["to_seq_no"],
        origin=service_origin(later, evidence["stream_id"]),
    )
    read_keys(ex, evidence)
    check_alone(ex, earlier, "/from_checkpoint", later["origin"])
    found = check_alone(ex, later, "/to_checkpoint", later["origin"])
    _check_streams(ex, evidence, earlier, later)
    check_successor(ex, earlier, later, "/to_checkpoint", is_next_only=False)
    _check_growth(ex, evidence, earlier, later)
    judge_newest(ex, found, "/to_checkpoint/note", None)


def _check_streams(ex: Examination, evidence: dict[str, Any], earlier: Checkpoint, later: Checkpoint) -> None:
    for name, checkpoint in (("from_checkpoint", earlier), ("to_checkpoint", later)):
        ex.looked("checkpoint_chain")
        expected, actual = evidence["stream_id"], checkpoint["stream_id"]
        where, message = f"/{name}/stream_id", "The checkpoint is of another stream."
        ex.equal("checkpoint_chain", "stream_mismatch", where, expected, actual, message)


def check_successor(ex: Examination, earlier: Checkpoint, later: Checkpoint, path: str, *, is_next_only: bool) -> None:
    """Check that a later checkpoint goes on from an earlier one. `is_next_only`: its number has to be the next."""
    check = "checkpoint_chain"
    ex.looked(check)
    message = "The origin is another than that of the checkpoint before."
    ex.equal(check, "origin_changed", f"{path}/origin", earlier["origin"], later["origin"], message)
    message = "The policy id is another than that of the checkpoint before."
    ex.equal(check, "policy_changed", f"{path}/policy_id", earlier["policy_id"], later["policy_id"], message)
    first = later["window_roots"][0]
    is_next = is_next_only or later["checkpoint_no"] == earlier["checkpoint_no"] + 1
    due = earlier["window_count"] + 1, earlier["to_seq_no"] + 1
    starts = first["window_no"], first["from_seq_no"]
    goes_on = starts == due if is_next else all(start >= least for start, least in zip(starts, due, strict=True))
    message = "The windows that it lists do not come after those of the checkpoint before."
    ex.expect(check, goes_on, "checkpoint_window_mismatch", f"{path}/window_roots", message)
    if is_next:
        ex.looked(check)
        expected, actual = checkpoint_hash(earlier), later["previous_checkpoint_hash"]
        message = "It does not name the hash of the checkpoint before."
        where = f"{path}/previous_checkpoint_hash"
        ex.equal(check, "previous_checkpoint_mismatch", where, expected, actual, message)


def _check_growth(ex: Examination, evidence: dict[str, Any], earlier: Checkpoint, later: Checkpoint) -> None:
    ex.looked("consistency")
    numbers, windows, events = (later[name] - earlier[name] for name in ("checkpoint_no", "window_count", "to_seq_no"))
    message = "The later checkpoint does not grow: numbers, windows and events rise together."
    if numbers < 1 or windows < numbers or events < windows:
        ex.reject("consistency", Finding("consistency_invalid", "/to_checkpoint", message))
    holds = ex.kernel.verify_consistency(
        earlier["window_count"],
        bytes.fromhex(earlier["checkpoint_root"]),
        later["window_count"],
        bytes.fromhex(later["checkpoint_root"]),
        [bytes.fromhex(one) for one in evidence["consistency_path"]],
    )
    message = "The path does not lead from the one root to the other."
    ex.expect("consistency", holds, "consistency_invalid", "/consistency_path", message)
