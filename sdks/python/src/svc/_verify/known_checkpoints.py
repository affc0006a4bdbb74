"""Known checkpoints (section 16): heads that the verifier saved earlier, held against the roots of an object."""

from __future__ import annotations

from typing import Any

from .._generated.codes import OWN_ACTIONS
from .._report.examination import Examination, Finding
from .._schema.check import faults_of
from .._trust.policy import TrustPolicy
from .kinds import find_kind, schema_of

CHECK = "known_checkpoint"


def check_known(ex: Examination) -> None:
    """Hold an object with checkpoints against the known ones of its stream."""
    if CHECK not in ex.checks_of_kind() or ex.newest_size is None:
        return
    largest, stream = 0, ex.tree_stream
    for index, known in enumerate(ex.trust.get("known_checkpoints", ())):
        if known["stream_id"] != stream:
            continue
        ex.looked(CHECK)
        size, root = known["window_count"], known["checkpoint_root"]
        if size > ex.newest_size:
            if _is_part(ex, size, root):
                largest = max(largest, size)
            else:
                message = f"The checkpoint over {size} windows that you know is newer, and nothing links this to it."
                path = f"trust:/known_checkpoints/{index}"
                ex.distrust(Finding("known_checkpoint_newer", path, message), path, CHECK)
            continue
        code = _fault(ex, size, root)
        if code is not None:
            message = f"The checkpoint over {known['window_count']} windows that you know: {_MESSAGES[code]}."
            action = OWN_ACTIONS["keep_both_histories"] if code == "fork_detected" else None
            ex.reject(CHECK, Finding(code, f"trust:/known_checkpoints/{index}", message, action=action))
    if largest:
        ex.found(CHECK, f"older than the checkpoint over {largest} windows that you know, and part of it")
    if CHECK not in ex.tallies:
        ex.note(CHECK, "you know no checkpoint of this stream, so a rewritten past would not be noticed")


_MESSAGES = {
    "fork_detected": "here is another root, and both cannot be of one history",
    "known_checkpoint_unlinked": "nothing here links it to this object",
}


def _fault(ex: Examination, size: int, root: str) -> str | None:
    established = ex.roots.get(size)
    if established is not None:
        return None if established == root else "fork_detected"
    return None if _is_linked(ex, size, root) else "known_checkpoint_unlinked"


def _is_part(ex: Examination, size: int, root: str) -> bool:
    """Return whether the newest root is known too, or evidence that was handed in leads from it to a known one."""
    newest = (ex.newest_size, ex.roots.get(ex.newest_size or 0))
    for known in ex.trust.get("known_checkpoints", ()):
        if known["stream_id"] == ex.tree_stream and (known["window_count"], known["checkpoint_root"]) == newest:
            return True
    links = [link for link in (_link(ex, one) for one in ex.links) if link is not None]
    reached = {newest}
    grows = True
    while grows:
        grows = False
        for later, earlier in links:
            if earlier in reached and later not in reached:
                reached.add(later)
                grows = True
    return (size, root) in reached


def _is_linked(ex: Examination, size: int, root: str) -> bool:
    """Return whether evidence that was handed in leads from an established root to this one."""
    links = [link for link in (_link(ex, one) for one in ex.links) if link is not None]
    reached = set(ex.roots.items())
    grows = True
    while grows:
        grows = False
        for later, earlier in links:
            if later in reached and earlier not in reached:
                reached.add(earlier)
                grows = True
    return (size, root) in reached


Place = tuple[int, str]


def _link(ex: Examination, value: Any) -> tuple[Place, Place] | None:
    """Return the later and the earlier size and root of consistency evidence; None for what does not hold."""
    from .examine import examine_value

    if not isinstance(value, dict) or find_kind(value) != "consistency":
        return None
    if schema_of("consistency", value) != "consistency.json" or faults_of("consistency.json", value):
        return None
    if value["stream_id"] != ex.tree_stream:
        return None
    report = examine_value(value, "consistency", pins_alone(ex.trust), ex.kernel).report()
    if report.verdict == "rejected":
        return None
    later, earlier = value["to_checkpoint"], value["from_checkpoint"]
    return (
        (later["window_count"], later["checkpoint_root"]),
        (earlier["window_count"], earlier["checkpoint_root"]),
    )


def pins_alone(trust: TrustPolicy) -> TrustPolicy:
    """Return a policy with the pinned signers and witnesses of another, and nothing else."""
    return TrustPolicy({"signers": []}, trust.pins, trust.revoked, trust.witnesses)
