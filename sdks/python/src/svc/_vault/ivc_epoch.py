"""IVC epochs (section 32): a run of checkpoints, folded again step by step."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from .._generated.limits import VERIFIER
from .._kernel.canonical import canonicalize
from .._objects.checkpoint import (
    Checkpoint,
    check_checkpoint_note,
    check_checkpoint_seal,
    check_list,
    check_note_cosignatures,
    checkpoint_hash,
    frontier_before,
    roots_of,
    service_origin,
)
from .._objects.consistency import check_successor
from .._objects.hashing import ZEROS, digest, tagged, without
from .._objects.seal import Use, check_seal
from .._objects.travelling_keys import read_keys
from .._report.examination import Examination, Finding
from .._report.model import Subject
from .._trust.key_ring import Scope

CHECK = "ivc"
MAX_STEPS: int = VERIFIER["max_ivc_steps"]
PROGRAM, CONSTRUCTION = "svc-checkpoint-chain/1", "transparent-recompute/1"
NOTE = "recomputed by this verifier; not succinct, hides nothing, construction not reviewed"
_UNSEALED = ("seal", "checkpoints", "proof", "key_hints", "key_endorsements")
Epoch = dict[str, Any]


def first_state(epoch: Epoch) -> str:
    """Return S(0) of a stream."""
    return tagged("genesis", canonicalize({"stream_id": epoch["stream_id"], "origin": epoch["origin"]})).hex()


def next_state(state: str, checkpoint: Checkpoint) -> str:
    """Return the state after a checkpoint."""
    numbers = b"".join(checkpoint[name].to_bytes(8, "big") for name in ("checkpoint_no", "window_count", "to_seq_no"))
    hashes = [
        checkpoint["checkpoint_root"],
        checkpoint["stream_head_hash"],
        checkpoint_hash(checkpoint),
        checkpoint["policy_digest"],
        checkpoint["witness_policy_digest"],
    ]
    return sha256(b"\x02" + bytes.fromhex(state) + numbers + bytes.fromhex("".join(hashes))).hexdigest()


def epoch_hash(epoch: Epoch) -> str:
    """Return the hash of an epoch."""
    return digest("ivc-epoch", without(epoch, *_UNSEALED))


def examine_epoch(ex: Examination, epoch: Epoch) -> None:
    """Examine an epoch, by folding its checkpoints again."""
    stream, origin = epoch["stream_id"], epoch["origin"]
    checkpoints = epoch.get("checkpoints")
    ex.subject = Subject(
        id=epoch["ivc_epoch_id"],
        stream_id=stream,
        to_seq_no=checkpoints[-1]["to_seq_no"] if checkpoints else None,
        origin=service_origin(epoch, stream),
    )
    read_keys(ex, epoch)
    ex.looked(CHECK)
    ex.note("witness", "an epoch raises no assurance, so cosignatures are checked and not counted")
    is_known = _check_program(ex, epoch)
    what = f"IVC epoch {epoch['ivc_epoch_no']}"
    use = Use(CHECK, "ivc-epoch", "/seal", what, Scope(stream, origin), epoch["created_at"])
    check_seal(ex, "ivc-epoch", without(epoch, *_UNSEALED), epoch["seal"], use)
    if not is_known:
        return
    _check_place(ex, epoch)
    count = epoch["to_checkpoint_no"] - epoch["from_checkpoint_no"] + 1
    message = f"An epoch folds 1 to {MAX_STEPS} checkpoints, and counts each of its range once."
    fits = epoch["step_count"] == count and 1 <= count <= MAX_STEPS
    if not ex.expect(CHECK, fits, "ivc_steps_incomplete", "/step_count", message):
        return
    if checkpoints is None:
        message = "The checkpoints of the epoch are not here, so nothing was recomputed."
        ex.distrust(Finding("ivc_steps_absent", "", message), "", CHECK)
        for check in ("checkpoint_root", "checkpoint_chain", "known_checkpoint"):
            ex.note(check, "no checkpoint here")
        return
    message = "The epoch counts another number of checkpoints than are here."
    if not ex.expect(CHECK, len(checkpoints) == count, "ivc_steps_incomplete", "/checkpoints", message):
        return
    for index, one in enumerate(checkpoints):
        due = epoch["from_checkpoint_no"] + index
        message = f"Expected checkpoint {due} here, found checkpoint {one['checkpoint_no']}."
        where = f"/checkpoints/{index}/checkpoint_no"
        if not ex.expect(CHECK, one["checkpoint_no"] == due, "ivc_steps_incomplete", where, message):
            return
    ex.note(CHECK, NOTE)
    _fold(ex, epoch, checkpoints)


def _check_program(ex: Examination, epoch: Epoch) -> bool:
    origin, stream = epoch["origin"], epoch["stream_id"]
    message = "The origin does not end in / and the stream id."
    is_own = origin.endswith(f"/{stream}") and len(origin) > len(stream) + 1
    ex.expect(CHECK, is_own, "malformed", "/origin", message)
    message = "This verifier does not know the program, so it cannot compute it again."
    is_known = ex.expect(CHECK, epoch["program"] == PROGRAM, "ivc_program_unknown", "/program", message)
    message = "No construction but recomputation is admitted."
    is_own = epoch["construction"] == CONSTRUCTION
    return ex.expect(CHECK, is_own, "ivc_construction_not_reviewed", "/construction", message) and is_known


def _check_place(ex: Examination, epoch: Epoch) -> None:
    number, code = epoch["ivc_epoch_no"], "ivc_epoch_chain_broken"
    is_first = {number == 1, epoch["from_checkpoint_no"] == 1, epoch["previous_ivc_epoch_hash"] == ZEROS}
    message = "Epoch 1, checkpoint 1 and a previous hash of zeros come together or not at all."
    ex.expect(CHECK, len(is_first) == 1, code, "/previous_ivc_epoch_hash", message)
    message = "There is no room for the epochs before: each folds a checkpoint at least."
    ex.expect(CHECK, number <= epoch["from_checkpoint_no"], code, "/ivc_epoch_no", message)
    if number == 1:
        message = "Epoch 1 does not start at the first state of its stream."
        ex.equal(CHECK, code, "/initial_state", first_state(epoch), epoch["initial_state"], message)


def _fold(ex: Examination, epoch: Epoch, checkpoints: list[Checkpoint]) -> None:
    before = _epoch_before(ex, epoch)
    if before is None:
        if epoch["ivc_epoch_no"] > 1:
            ex.tally(CHECK).note = f"{NOTE}; the first state is the epoch's own word: the epoch before is not here"
    else:
        _check_goes_on(ex, epoch, before)
        check_successor(ex, before["checkpoints"][-1], checkpoints[0], "/checkpoints/0", is_next_only=True)
        ex.tally("checkpoint_chain").count -= 2
    _check_roots(ex, checkpoints)
    state = epoch["initial_state"]
    for index, checkpoint in enumerate(checkpoints):
        path = f"/checkpoints/{index}"
        check_list(ex, checkpoint, path)
        check_checkpoint_seal(ex, checkpoint, path, epoch["origin"])
        note = check_checkpoint_note(ex, checkpoint, path)
        check_note_cosignatures(ex, checkpoint, note, path, None)
        _check_chain(ex, epoch, checkpoints, index, path)
        state = next_state(state, checkpoint)
    message = "The checkpoints do not lead from the initial state to the final one."
    ex.equal(CHECK, "ivc_state_mismatch", "/final_state", epoch["final_state"], state, message)


def _check_roots(ex: Examination, checkpoints: list[Checkpoint]) -> None:
    """Check every root, from the frontier of the first checkpoint on."""
    size = checkpoints[0]["window_roots"][0]["window_no"] - 1
    frontier = frontier_before(checkpoints[0]) or []
    hashes = [one["window_hash"] for checkpoint in checkpoints for one in checkpoint["window_roots"]]
    roots = roots_of(ex, size, frontier, hashes)
    ends = [len(checkpoint["window_roots"]) for checkpoint in checkpoints]
    at = size
    ex.recomputed_roots |= roots
    for index, (checkpoint, count) in enumerate(zip(checkpoints, ends, strict=True)):
        at += count
        message = f"The windows do not give the root of checkpoint {checkpoint['checkpoint_no']}."
        where = f"/checkpoints/{index}/checkpoint_root"
        expected = checkpoint["checkpoint_root"]
        ex.equal("checkpoint_root", "checkpoint_root_mismatch", where, expected, roots[at], message)
    ex.newest_size = checkpoints[-1]["window_count"]


def _check_chain(ex: Examination, epoch: Epoch, checkpoints: list[Checkpoint], index: int, path: str) -> None:
    checkpoint, check = checkpoints[index], "checkpoint_chain"
    ex.looked(check)
    message = "The checkpoint is of another stream."
    ex.equal(check, "stream_mismatch", f"{path}/stream_id", epoch["stream_id"], checkpoint["stream_id"], message)
    message = "The checkpoint is of another origin."
    ex.equal(check, "origin_changed", f"{path}/origin", epoch["origin"], checkpoint["origin"], message)
    if index == 0:
        return
    before = checkpoints[index - 1]
    message = "The policy id is another than that of the checkpoint before."
    ex.equal(check, "policy_changed", f"{path}/policy_id", before["policy_id"], checkpoint["policy_id"], message)
    first = checkpoint["window_roots"][0]
    goes_on = first["window_no"] == before["window_count"] + 1 and first["from_seq_no"] == before["to_seq_no"] + 1
    message = "Its list does not go on where the one before ends."
    ex.expect(check, goes_on, "checkpoint_window_mismatch", f"{path}/window_roots", message)
    message = "It does not name the hash of the checkpoint before."
    expected, actual = checkpoint_hash(before), checkpoint["previous_checkpoint_hash"]
    where = f"{path}/previous_checkpoint_hash"
    ex.equal(check, "previous_checkpoint_mismatch", where, expected, actual, message)


def _epoch_before(ex: Examination, epoch: Epoch) -> Epoch | None:
    """Return the epoch before, with its checkpoints, where it was handed in and is not rejected by itself."""
    from .._schema.check import faults_of
    from .._verify.examine import examine_value
    from .._verify.known_checkpoints import pins_alone

    for link in ex.links:
        if not isinstance(link, dict) or "ivc_epoch_id" not in link or faults_of("ivc-epoch.json", link):
            continue
        if epoch_hash(link) != epoch["previous_ivc_epoch_hash"] or not link.get("checkpoints"):
            continue
        if (
            examine_value(link, "ivc-epoch", pins_alone(ex.trust), ex.kernel, ex.links_without(link)).report().verdict
            != "rejected"
        ):
            return link
    return None


def _check_goes_on(ex: Examination, epoch: Epoch, before: Epoch) -> None:
    goes_on = (
        epoch["ivc_epoch_no"] == before["ivc_epoch_no"] + 1
        and epoch["from_checkpoint_no"] == before["to_checkpoint_no"] + 1
        and epoch["stream_id"] == before["stream_id"]
        and epoch["origin"] == before["origin"]
        and epoch["initial_state"] == before["final_state"]
    )
    message = "The epoch does not go on from the one before."
    ex.expect(CHECK, goes_on, "ivc_epoch_chain_broken", "/initial_state", message)
