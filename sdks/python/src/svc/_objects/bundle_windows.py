"""The windows of a bundle (section 14): seals, leaves, their records, and how they tile the range."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Any

from .._report.examination import Examination, Finding
from .receipt import head_hash
from .window import Window, check_inclusions, check_leaves, check_window_seal, root_of_hashes

PATH = "/artifacts/windows.json"


def check_windows(ex: Examination, bundle: dict[str, Any], origin: str | None) -> list[Window]:
    """Check the windows of a bundle. Returns them."""
    windows: list[Window] = bundle["artifacts"]["windows.json"]
    records = bundle["artifacts"]["receipts.json"]
    hashes = RecordHashes([record["seq_no"] for record in records], [record["event_hash"] for record in records])
    for index, window in enumerate(windows):
        path = f"{PATH}/{index}"
        check_leaves(ex, window, path)
        check_window_seal(ex, window, path, origin)
        check_inclusions(ex, window, path)
        check_records(ex, window, hashes, path)
    check_tiling(ex, bundle["manifest"], windows)
    return windows


class RecordHashes:
    """The event hashes of records by their numbers."""

    def __init__(self, numbers: list[int], hashes: list[str]) -> None:
        self.numbers = numbers
        self.hashes = hashes
        self.ascends = all(before < after for before, after in zip(numbers, numbers[1:], strict=False))

    def of_range(self, first: int, last: int) -> list[str]:
        """Return the event hashes of the records of a range, in the order in which they stand."""
        if self.ascends:
            return self.hashes[bisect_left(self.numbers, first) : bisect_right(self.numbers, last)]
        return [own for number, own in zip(self.numbers, self.hashes, strict=True) if first <= number <= last]


def check_records(ex: Examination, window: Window, records: RecordHashes, path: str) -> None:
    """Check that the records of a window's range give its root and head."""
    ex.looked("window_root")
    size = window["to_seq_no"] - window["from_seq_no"] + 1
    hashes = records.of_range(window["from_seq_no"], window["to_seq_no"])
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
        for name, due in (("window_no", due_number), ("from_seq_no", due_start)):
            if window[name] != due:
                code = "range_incomplete" if window[name] > due else "sequence_broken"
                message = f"Here {name} should be {due}, and is {window[name]}."
                ex.reject("window_tiling", Finding(code, f"{path}/{name}", message, str(due), str(window[name])))
        due_number, due_start = window["window_no"] + 1, window["to_seq_no"] + 1
