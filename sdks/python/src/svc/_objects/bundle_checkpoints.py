"""The checkpoints of a bundle (section 14): each by itself, against the windows here, and as a chain."""

from __future__ import annotations

from typing import Any

from .._notes.signed_note import SignedNote
from .._report.examination import Examination, Finding
from .checkpoint import Checkpoint, check_checkpoint_note, check_checkpoint_seal, check_list, own_roots, roots_of
from .policies import check_ascending
from .portable_receipt import is_listed
from .window import Window, window_hash

PATH = "/artifacts/checkpoints.json"
_OF_LAST_WINDOW = ("to_seq_no", "stream_head_hash", "policy_digest", "witness_policy_digest")


class Tree:
    """The tree of window hashes as the bundle gives it: the frontier before, and every window here appended."""

    def __init__(self, ex: Examination, prior: dict[str, Any], windows: list[Window]) -> None:
        self.windows = windows
        self.prior_count: int = prior["window_count"]
        self.frontier: list[str] = prior["frontier"]
        hashes = [window_hash(window) for window in windows]
        self.roots = roots_of(ex, self.prior_count, self.frontier, hashes)
        # By number.
        self.hashes = {window["window_no"]: own for window, own in zip(windows, hashes, strict=True)}

    def window(self, number: int) -> Window | None:
        """Return the window at the place of a number, as the frontier before the bundle has it."""
        index = number - self.prior_count - 1
        return self.windows[index] if 0 <= index < len(self.windows) else None


def check_checkpoints(
    ex: Examination, bundle: dict[str, Any], tree: Tree, hashes: list[str], origin: str | None
) -> list[SignedNote | None]:
    """Check the checkpoints of a bundle. `hashes`: theirs. Returns their notes."""
    checkpoints: list[Checkpoint] = bundle["artifacts"]["checkpoints.json"]
    ex.recomputed_roots |= tree.roots
    notes = []
    for index, checkpoint in enumerate(checkpoints):
        path = f"{PATH}/{index}"
        check_list(ex, checkpoint, path)
        _check_windows(ex, checkpoint, tree, path)
        _check_root(ex, checkpoint, tree, path)
        check_checkpoint_seal(ex, checkpoint, path, origin)
        notes.append(check_checkpoint_note(ex, checkpoint, path))
    ex.newest_size = checkpoints[-1]["window_count"] if checkpoints else 0
    _check_chain(ex, bundle["manifest"], checkpoints, hashes)
    if checkpoints:
        _check_first(ex, checkpoints[0], tree)
        _check_last(ex, bundle["manifest"], checkpoints[-1], tree, f"{PATH}/{len(checkpoints) - 1}")
    else:
        ex.reject("checkpoint_chain", Finding("checkpoint_stale", f"{PATH}/0", "No checkpoint covers the range."))
    return notes


def _check_windows(ex: Examination, checkpoint: Checkpoint, tree: Tree, path: str) -> None:
    """Check that what a checkpoint says of windows here is what they say themselves."""
    check, code = "checkpoint_root", "checkpoint_window_mismatch"
    for index, entry in enumerate(checkpoint["window_roots"]):
        window = tree.window(entry["window_no"])
        if window is not None:
            message = f"Window {entry['window_no']} is not the one that the checkpoint lists."
            ex.expect(check, is_listed(entry, window), code, f"{path}/window_roots/{index}", message)
    last = tree.window(checkpoint["window_count"])
    if last is not None:
        for name in _OF_LAST_WINDOW:
            message = f"The checkpoint has another {name} than its last window."
            ex.equal(check, code, f"{path}/{name}", last[name], checkpoint[name], message)


def _check_root(ex: Examination, checkpoint: Checkpoint, tree: Tree, path: str) -> None:
    """Check the root of a checkpoint, by the windows here and by its own frontier."""
    expected = checkpoint["checkpoint_root"]
    message = f"The windows here do not give the root of checkpoint {checkpoint['checkpoint_no']}."
    actual = tree.roots.get(checkpoint["window_count"])
    if actual is not None:
        where = f"{path}/checkpoint_root"
        ex.equal("checkpoint_root", "checkpoint_root_mismatch", where, expected, actual, message)
    if "frontier" in checkpoint:
        roots = own_roots(ex, checkpoint)
        actual = None if roots is None else roots.get(checkpoint["window_count"])
        message = "Its own frontier and the windows that it lists do not give its root."
        ex.equal("checkpoint_root", "checkpoint_root_mismatch", f"{path}/frontier", expected, actual, message)


def _check_chain(ex: Examination, manifest: dict[str, Any], checkpoints: list[Checkpoint], hashes: list[str]) -> None:
    check = "checkpoint_chain"
    check_ascending(ex, check, checkpoints, lambda one: one["checkpoint_no"], PATH)
    for index, checkpoint in enumerate(checkpoints):
        path = f"{PATH}/{index}"
        ex.looked(check)
        message = f"Checkpoint {checkpoint['checkpoint_no']} is of another stream."
        expected, actual = manifest["stream_id"], checkpoint["stream_id"]
        ex.equal(check, "stream_mismatch", f"{path}/stream_id", expected, actual, message)
        if index == 0:
            continue
        before = checkpoints[index - 1]
        message = "The origin is another than that of the checkpoint before."
        ex.equal(check, "origin_changed", f"{path}/origin", before["origin"], checkpoint["origin"], message)
        is_next = checkpoint["checkpoint_no"] == before["checkpoint_no"] + 1
        holds = is_next and checkpoint["previous_checkpoint_hash"] == hashes[index - 1]
        message = "It has not the next number, or does not name the hash of the checkpoint before."
        where = f"{path}/previous_checkpoint_hash"
        ex.expect(check, holds, "previous_checkpoint_mismatch", where, message)
        goes_on = checkpoint["window_roots"][0]["window_no"] == before["window_count"] + 1
        message = "Its list does not go on where the one of the checkpoint before ends."
        ex.expect(check, goes_on, "checkpoint_window_mismatch", f"{path}/window_roots", message)


def _check_first(ex: Examination, checkpoint: Checkpoint, tree: Tree) -> None:
    """Check that the first checkpoint covers the bundle's first window, and fits the frontier before it."""
    check, path = "checkpoint_chain", f"{PATH}/0"
    first = tree.prior_count + 1
    if checkpoint["window_roots"][0]["window_no"] > first:
        message = "The checkpoint of the first window is missing."
        ex.reject(check, Finding("range_incomplete", path, message))
    if checkpoint["window_count"] < first:
        message = "The first checkpoint covers none of the windows here."
        ex.reject(check, Finding("checkpoint_window_mismatch", path, message))
    message = "Windows that it lists do not give the frontier before the bundle's first window."
    ex.expect(check, _fits(ex, checkpoint, tree), "checkpoint_root_mismatch", f"{path}/window_roots", message)


def _fits(ex: Examination, checkpoint: Checkpoint, tree: Tree) -> bool:
    """Return whether the listed windows before the bundle give those subtrees of the frontier that they fill."""
    listed = checkpoint["window_roots"]
    # Places in the list, which is checked by itself to be one of consecutive windows.
    end = 1 - listed[0]["window_no"]
    for power in range(tree.prior_count.bit_length() - 1, -1, -1):
        size = 1 << power
        if not tree.prior_count & size:
            continue
        index = bin(tree.prior_count >> power).count("1") - 1
        start, end = end, end + size
        if start < 0 or end > len(listed):
            continue
        leaves = ex.kernel.leaf_hashes([bytes.fromhex(one["window_hash"]) for one in listed[start:end]])
        if ex.kernel.root_from_leaf_hashes(leaves).hex() != tree.frontier[index]:
            return False
    return True


def _check_last(ex: Examination, manifest: dict[str, Any], checkpoint: Checkpoint, tree: Tree, path: str) -> None:
    windows = tree.windows
    is_last = bool(windows) and checkpoint["window_count"] == windows[-1]["window_no"]
    holds = is_last and checkpoint["to_seq_no"] == manifest["to_seq_no"]
    message = "The last checkpoint does not end with the last window, at the end of the range."
    ex.expect("checkpoint_chain", holds, "checkpoint_stale", path, message)
