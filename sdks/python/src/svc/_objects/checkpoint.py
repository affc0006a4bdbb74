"""Checkpoints (section 9): a lone one, and what holds of each wherever it stands."""

from __future__ import annotations

from typing import Any

from .._kernel.interface import Kernel
from .._notes.checkpoint_text import checkpoint_text
from .._notes.signed_note import SignedNote
from .._report.examination import Examination
from .._report.model import Subject
from .._trust.key_ring import Scope
from .._trust.policy import Witness
from .cosignatures import Cosignatures, check_lines, judge_newest, policy_witness
from .hashing import ZEROS, digest, without
from .own_note import check_note
from .receipt import head_hash
from .seal import Use, check_seal

Checkpoint = dict[str, Any]
_UNSEALED = ("seal", "note", "frontier")


def checkpoint_hash(checkpoint: Checkpoint) -> str:
    """Return the hash of a checkpoint: that of its body."""
    return digest("checkpoint", without(checkpoint, *_UNSEALED))


def service_origin(checkpoint: Checkpoint, stream_id: str) -> str:
    """Return the origin of the service: the checkpoint's without the stream that the object is about."""
    return str(checkpoint["origin"]).removesuffix(f"/{stream_id}")


def check_list(ex: Examination, checkpoint: Checkpoint, path: str) -> None:
    """Check the listed windows, the beginning of the chain and the head: all but the root."""
    number = checkpoint["checkpoint_no"]
    ex.looked("checkpoint_root")
    message = f"The windows that checkpoint {number} lists are no run that ends where it ends."
    where = f"{path}/window_roots"
    ex.expect("checkpoint_root", _is_run(checkpoint), "checkpoint_window_mismatch", where, message)
    starts = {number == 1, checkpoint["window_roots"][0]["window_no"] == 1, _follows_nothing(checkpoint)}
    message = "Checkpoint 1, a list from window 1 on and a previous hash of zeros come together."
    where = f"{path}/previous_checkpoint_hash"
    ex.expect("checkpoint_root", len(starts) == 1, "previous_checkpoint_mismatch", where, message)
    actual = head_hash(checkpoint["stream_id"], checkpoint["to_seq_no"], checkpoint["latest_event_hash"])
    message = f"The stream head of checkpoint {number} is not that of its latest event."
    where = f"{path}/stream_head_hash"
    ex.equal("checkpoint_root", "head_hash_mismatch", where, checkpoint["stream_head_hash"], actual, message)


def _follows_nothing(checkpoint: Checkpoint) -> bool:
    return bool(checkpoint["previous_checkpoint_hash"] == ZEROS)


def _is_run(checkpoint: Checkpoint) -> bool:
    listed = checkpoint["window_roots"]
    first, last = listed[0], listed[-1]
    if (first["from_seq_no"] == 1) != (first["window_no"] == 1) or first["from_seq_no"] < first["window_no"]:
        return False
    if any(one["to_seq_no"] < one["from_seq_no"] for one in listed):
        return False
    for before, after in zip(listed, listed[1:], strict=False):
        if after["window_no"] != before["window_no"] + 1 or after["from_seq_no"] != before["to_seq_no"] + 1:
            return False
    return bool(
        last["window_no"] == checkpoint["window_count"]
        and last["to_seq_no"] == checkpoint["to_seq_no"]
        and checkpoint["checkpoint_no"] <= first["window_no"]
    )


def frontier_before(checkpoint: Checkpoint) -> list[str] | None:
    """Return the frontier of the tree before the first listed window; None where nobody told it."""
    if checkpoint["window_roots"][0]["window_no"] == 1:
        return []
    frontier: list[str] | None = checkpoint.get("frontier")
    return frontier


def roots_of(ex: Examination, size: int, frontier: list[str], hashes: list[str]) -> dict[int, str]:
    """Return the roots at every size from a frontier on, while window hashes are appended to it."""
    return roots_of_hashes(ex.kernel, size, frontier, hashes)


def roots_of_hashes(kernel: Kernel, size: int, frontier: list[str], hashes: list[str]) -> dict[int, str]:
    """Return the roots as `roots_of` does, with a kernel alone."""
    hashed = [bytes.fromhex(one) for one in frontier]
    roots = {size: kernel.root_from_frontier(hashed).hex()} if size else {}
    for leaf in kernel.leaf_hashes([bytes.fromhex(one) for one in hashes]):
        hashed = kernel.append_to_frontier(size, hashed, [leaf])
        size += 1
        roots[size] = kernel.root_from_frontier(hashed).hex()
    return roots


def own_roots(ex: Examination, checkpoint: Checkpoint) -> dict[int, str] | None:
    """Return the roots that a checkpoint's list gives from its frontier; None without one, or for one of no use."""
    frontier = frontier_before(checkpoint)
    listed = checkpoint["window_roots"]
    if frontier is None:
        return None
    size = listed[0]["window_no"] - 1
    if bin(size).count("1") != len(frontier):
        return None
    return roots_of(ex, size, frontier, [one["window_hash"] for one in listed])


def check_root(ex: Examination, checkpoint: Checkpoint, path: str) -> dict[int, str]:
    """Check the root of a checkpoint by itself. Returns the roots, by size, that it lets recompute."""
    number = checkpoint["checkpoint_no"]
    roots = own_roots(ex, checkpoint)
    if roots is None:
        ex.note("checkpoint_root", "the root was not recomputed: no frontier of the windows before is here")
        return {}
    actual = roots.get(checkpoint["window_count"])
    message = f"The windows that checkpoint {number} lists do not give its root."
    where = f"{path}/checkpoint_root"
    ex.equal("checkpoint_root", "checkpoint_root_mismatch", where, checkpoint["checkpoint_root"], actual, message)
    return roots


def check_checkpoint_seal(ex: Examination, checkpoint: Checkpoint, path: str, origin: str | None = None) -> None:
    """Check the seal of a checkpoint."""
    use = Use(
        "checkpoint_seal",
        "checkpoint",
        f"{path}/seal",
        f"checkpoint {checkpoint['checkpoint_no']}",
        Scope(checkpoint["stream_id"], origin or checkpoint["origin"]),
        checkpoint["created_at"],
        checkpoint["to_seq_no"],
    )
    check_seal(ex, "checkpoint", without(checkpoint, *_UNSEALED), checkpoint["seal"], use)


def check_checkpoint_note(ex: Examination, checkpoint: Checkpoint, path: str) -> SignedNote | None:
    """Check the note of a checkpoint."""
    return check_note(
        ex,
        checkpoint["note"],
        checkpoint["origin"],
        checkpoint["window_count"],
        checkpoint["checkpoint_root"],
        checkpoint["seal"]["kid"],
        f"{path}/note",
    )


def known_witnesses(ex: Examination, policy: dict[str, Any] | None) -> dict[Witness, dict[str, Any] | None]:
    """Return the known witness keys: the pinned ones, and those of a policy with their entries."""
    known: dict[Witness, dict[str, Any] | None] = dict.fromkeys(ex.trust.witnesses)
    for one in policy["witnessKeys"] if policy is not None else ():
        known[policy_witness(one)] = one
    return known


def check_note_cosignatures(
    ex: Examination, checkpoint: Checkpoint, note: SignedNote | None, path: str, policy: dict[str, Any] | None
) -> Cosignatures:
    """Check the cosignature lines of a checkpoint's note. Returns those that hold."""
    found = Cosignatures(policy)
    if note is not None:
        known = known_witnesses(ex, policy)
        root = bytes.fromhex(checkpoint["checkpoint_root"])
        text = checkpoint_text(checkpoint["origin"], checkpoint["window_count"], root)
        check_lines(ex, found, note, f"{path}/note", known, checkpoint["created_at"], text)
    return found


def add_time_proof(ex: Examination, found: Cosignatures, checkpoint: Checkpoint) -> None:
    """Note when a pinned witness saw a checkpoint, and with it everything under it."""
    time = found.earliest(ex.trust.witnesses)
    if time is not None:
        ex.time_proofs.append((time, checkpoint["to_seq_no"]))


def establish(ex: Examination, checkpoint: Checkpoint, roots: dict[int, str]) -> None:
    """Note the roots that a checkpoint establishes: its own, and those that it lets recompute."""
    ex.recomputed_roots |= roots
    ex.stated_roots[checkpoint["window_count"]] = checkpoint["checkpoint_root"]
    ex.newest_size, ex.newest_stream = checkpoint["window_count"], checkpoint["stream_id"]


def check_alone(ex: Examination, checkpoint: Checkpoint, path: str, origin: str | None = None) -> Cosignatures:
    """Check a checkpoint as a lone one, but for demands on its cosignatures."""
    check_list(ex, checkpoint, path)
    establish(ex, checkpoint, check_root(ex, checkpoint, path))
    check_checkpoint_seal(ex, checkpoint, path, origin)
    note = check_checkpoint_note(ex, checkpoint, path)
    found = check_note_cosignatures(ex, checkpoint, note, path, None)
    add_time_proof(ex, found, checkpoint)
    return found


def examine_checkpoint(ex: Examination, checkpoint: Checkpoint) -> None:
    """Examine a lone checkpoint."""
    ex.subject = Subject(
        id=checkpoint["checkpoint_id"],
        stream_id=checkpoint["stream_id"],
        to_seq_no=checkpoint["to_seq_no"],
        origin=service_origin(checkpoint, checkpoint["stream_id"]),
    )
    found = check_alone(ex, checkpoint, "")
    judge_newest(ex, found, "/note", None)
