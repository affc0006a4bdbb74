"""The windows of a bundle (section 14): seals, leaves, their records, and how they tile the range."""

from __future__ import annotations

from typing import Any

from .._report.examination import Examination, Finding
from .receipt import head_hash
from .records import Records
from .window import Window, check_inclusions, check_leaves, check_place, check_window_seal, root_of_hashes

PATH = "/artifacts/windows.json"


def check_windows(ex: Examination, bundle: dict[str, Any], records: Records, origin: str | None) -> list[Window]:
    """Check the windows of a bundle. Returns them."""
    windows: list[Window] = bundle["artifacts"]["windows.json"]
    # Each window takes the records from where the one before ended, up to the first one past its range.
    at = 0
    for index, window in enumerate(windows):
        path = f"{PATH}/{index}"
        check_leaves(ex, window, path)
        check_window_seal(ex, window, path, origin)
        check_inclusions(ex, window, path)
        end = records.end_of(at, window["to_seq_no"])
        check_records(ex, window, records.event_hashes(at, end), path)
        at = end
    if not any("inclusions" in window for window in windows):
        ex.note("inclusion", "no inclusion proofs: the events themselves are here, and give each window's root")
    check_tiling(ex, bundle["manifest"], windows)
    return windows


def check_records(ex: Examination, window: Window, hashes: list[str], path: str) -> None:
    """Check that records give a window's root and head. `hashes`: their event hashes, as many as are left for it."""
    ex.looked("window_root")
    size = window["to_seq_no"] - window["from_seq_no"] + 1
    fits = len(hashes) == size
    holds = fits and root_of_hashes(ex, hashes) == window["window_root"]
    message = f"The records of window {window['window_no']} do not give its root."
    ex.expect("window_root", holds, "window_root_mismatch", f"{path}/window_root", message)
    if fits:
        actual = head_hash(window["stream_id"], window["to_seq_no"], hashes[-1])
        message = f"The last record of window {window['window_no']} does not give its head."
        where = f"{path}/window_root"
        ex.equal("window_root", "head_hash_mismatch", where, window["stream_head_hash"], actual, message)


def check_tiling(ex: Examination, manifest: dict[str, Any], windows: list[Window]) -> None:
    """Check that windows follow one another, in number and in events."""
    due_number, due_start = manifest["prior_windows"]["window_count"] + 1, manifest["from_seq_no"]
    for index, window in enumerate(windows):
        path = f"{PATH}/{index}"
        ex.looked("window_tiling")
        message = f"Window {window['window_no']} is of another stream."
        expected, actual = manifest["stream_id"], window["stream_id"]
        ex.equal("window_tiling", "stream_mismatch", f"{path}/stream_id", expected, actual, message)
        check_place(ex, window, path, "window_tiling")
        for name, due in (("window_no", due_number), ("from_seq_no", due_start)):
            if window[name] != due:
                code = "range_incomplete" if window[name] > due else "sequence_broken"
                message = f"Here {name} should be {due}, and is {window[name]}."
                ex.reject("window_tiling", Finding(code, f"{path}/{name}", message, str(due), str(window[name])))
        due_number, due_start = window["window_no"] + 1, window["to_seq_no"] + 1
