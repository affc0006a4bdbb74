"""Windows and inclusions (section 8)."""

from __future__ import annotations

from typing import Any

from .._generated.codes import OWN_ACTIONS
from .._report.examination import Examination, Finding
from .._report.history import History
from .._report.model import Subject
from .._trust.key_ring import Scope
from .hashing import digest, without
from .receipt import head_hash
from .seal import Use, check_seal

Window = dict[str, Any]
_UNSEALED = ("seal", "leaves", "inclusions")


def window_hash(window: Window) -> str:
    """Return the hash of a window: that of its body."""
    return digest("window", without(window, *_UNSEALED))


def root_of_hashes(ex: Examination, hashes: list[str]) -> str:
    """Return the root hash over raw hashes as leaf data, at least one."""
    leaves = ex.kernel.leaf_hashes([bytes.fromhex(one) for one in hashes])
    return ex.kernel.root_from_leaf_hashes(leaves).hex()


def check_window_seal(ex: Examination, window: Window, path: str, origin: str | None = None) -> None:
    """Check the seal of a window."""
    use = Use(
        "window_seal",
        "window",
        f"{path}/seal",
        f"window {window['window_no']}",
        Scope(window["stream_id"], origin),
        window["closed_at"],
        window["to_seq_no"],
    )
    check_seal(ex, "window", without(window, *_UNSEALED), window["seal"], use)


def check_leaves(ex: Examination, window: Window, path: str, check: str = "window_root") -> None:
    """Check the leaves that a window carries, where it does."""
    leaves = window.get("leaves")
    if leaves is None:
        return
    ex.looked(check)
    where = f"{path}/leaves"
    size = window["to_seq_no"] - window["from_seq_no"] + 1
    fits = len(leaves) == size
    message = f"The leaves of window {window['window_no']} do not give its root."
    holds = fits and root_of_hashes(ex, leaves) == window["window_root"]
    ex.expect(check, holds, "window_root_mismatch", where, message)
    if fits:
        actual = head_hash(window["stream_id"], window["to_seq_no"], leaves[-1])
        message = f"The last leaf of window {window['window_no']} does not give its head."
        ex.equal(check, "head_hash_mismatch", where, window["stream_head_hash"], actual, message)


def check_place(ex: Examination, window: Window, path: str, check: str = "window_root") -> None:
    """Check that a window by itself starts where one can."""
    number, start = window["window_no"], window["from_seq_no"]
    where = f"{path}/from_seq_no"
    if number == 1:
        message = f"Window 1 starts at event {start}: what comes before it is missing."
        ex.expect(check, start == 1, "range_incomplete", where, message)
    message = f"Window {number} starts at event {start}, and each window before it holds an event."
    ex.expect(check, start >= number, "sequence_broken", where, message)


def check_inclusions(ex: Examination, window: Window, path: str) -> None:
    """Check the inclusions that a window carries."""
    for index, inclusion in enumerate(window.get("inclusions", ())):
        check_inclusion(ex, inclusion, f"{path}/inclusions/{index}", window)


def check_inclusion(ex: Examination, inclusion: dict[str, Any], path: str, window: Window | None) -> bool:
    """Check an inclusion, inside of a window where one is given. Problem: `inclusion_invalid`."""
    ex.looked("inclusion")
    holds = _holds(ex, inclusion) and (window is None or _is_in(inclusion, window))
    message = f"The inclusion of event {inclusion['seq_no']} does not hold."
    return ex.expect("inclusion", holds, "inclusion_invalid", f"{path}/inclusion_path", message)


def _holds(ex: Examination, inclusion: dict[str, Any]) -> bool:
    leaf = ex.kernel.leaf_hashes([bytes.fromhex(inclusion["event_hash"])])[0]
    return leaf.hex() == inclusion["leaf_hash"] and ex.kernel.verify_inclusion(
        leaf,
        inclusion["leaf_index"],
        inclusion["tree_size"],
        [bytes.fromhex(one) for one in inclusion["inclusion_path"]],
        bytes.fromhex(inclusion["window_root"]),
    )


def _is_in(inclusion: dict[str, Any], window: Window) -> bool:
    return bool(
        inclusion["window_id"] == window["window_id"]
        and inclusion["window_root"] == window["window_root"]
        and inclusion["tree_size"] == window["to_seq_no"] - window["from_seq_no"] + 1
        and inclusion["leaf_index"] == inclusion["seq_no"] - window["from_seq_no"]
    )


def examine_window(ex: Examination, window: Window) -> None:
    """Examine a lone window."""
    ex.subject = Subject(
        id=window["window_id"],
        stream_id=window["stream_id"],
        from_seq_no=window["from_seq_no"],
        to_seq_no=window["to_seq_no"],
    )
    if "leaves" not in window:
        ex.note("window_root", "the window carries no leaves")
    if "inclusions" not in window:
        ex.note("inclusion", "the window carries no inclusion proofs")
    check_leaves(ex, window, "")
    check_place(ex, window, "")
    check_window_seal(ex, window, "")
    check_inclusions(ex, window, "")
    ex.histories.append(shown_window(window))


def shown_window(window: Window) -> History:
    """Return what a window shows of its stream."""
    return History(window["stream_id"], windows={window["window_no"]: window_hash(window)})


def examine_inclusion(ex: Examination, inclusion: dict[str, Any]) -> None:
    """Examine a bare inclusion. Nobody signed it."""
    number = inclusion["seq_no"]
    ex.subject = Subject(id=None, from_seq_no=number, to_seq_no=number)
    check_inclusion(ex, inclusion, "", None)
    message = "Nobody signed a bare inclusion: it needs the window around it."
    ex.distrust(Finding("key_not_pinned", "", message, action=OWN_ACTIONS["ask_window"]), "")
