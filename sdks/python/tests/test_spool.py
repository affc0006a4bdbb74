"""Every spool behaves alike; the files of one in a folder, the rest of an interrupted write, and damage."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from svc.queue import KEPT_KEYS, FileSpool, MemorySpool, QueueError, Spool, SpooledBatch, SpooledEvent, SpoolState
from svc.queue._frame import encode_record
from svc.queue._reader import EventReader
from svc.queue._recover import Segment

STREAM = "str_00000000000000000000000001"
OTHER = "str_00000000000000000000000002"


def spooled(number: int, key: str | None = None) -> SpooledEvent:
    text = json.dumps({"source_ref": f"reading-{number} ü\u2028", "payload": {"number": number}}, ensure_ascii=False)
    return SpooledEvent(text.encode(), 1000 + number, key)


def many(start: int, end: int) -> list[SpooledEvent]:
    return [spooled(number) for number in range(start, end + 1)]


def numbers_of(events: list[SpooledEvent]) -> list[int]:
    return [json.loads(event.text)["payload"]["number"] for event in events]


def read(spool: Spool, first: int, events: int = 1000, size: int | None = None) -> list[int]:
    return numbers_of(spool.read(first, events, size))


class Medium:
    """A place that a spool can be opened on again."""

    def __init__(self, make: Callable[[], Spool]) -> None:
        self._make = make
        self.spool = make()

    def again(self) -> Spool:
        self.spool.close()
        self.spool = self._make()
        return self.spool


@pytest.fixture(params=["memory", "one file", "many files"])
def medium(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Medium]:
    if request.param == "memory":
        kept = MemorySpool()
        made = Medium(lambda: kept)
    else:
        size = 1 if request.param == "many files" else None
        made = Medium(lambda: FileSpool(tmp_path / "spool", segment_bytes=size))
    yield made
    made.spool.close()


def test_gives_back_what_was_added_in_order_from_any_position(medium: Medium) -> None:
    spool = medium.spool
    assert spool.open(STREAM) == SpoolState()
    spool.add(many(1, 3))
    spool.add([spooled(4)])
    spool.add(many(5, 9))
    assert read(spool, 1) == list(range(1, 10))
    assert read(spool, 6) == [6, 7, 8, 9]
    assert read(spool, 2, events=4) == [2, 3, 4, 5]
    first, second = spool.read(1, 2, None)
    assert (first.text, first.at) == (spooled(1).text, 1001)
    two = len(first.text) + len(second.text)
    assert [read(spool, 1, size=size) for size in (two, two - 1, 1)] == [[1, 2], [1], [1]]
    spool.settle(4, 40)
    assert read(spool, 5) == list(range(5, 10))


def test_what_waits_is_there_when_it_is_opened_again(medium: Medium) -> None:
    spool = medium.spool
    spool.open(STREAM)
    spool.add(many(1, 9))
    spool.keep_batch(SpooledBatch("in place of which come two others", 1, 6, 17))
    first, second = SpooledBatch("first", 1, 4, 17), SpooledBatch("second", 5, 7, 18)
    spool.keep_batch(second)
    spool.keep_batch(first)

    def waiting(start: int) -> int:
        return sum(len(event.text) for event in many(start, 9))

    spool = medium.again()
    assert spool.open(STREAM) == SpoolState(last=9, batches=(first, second), bytes=waiting(1))
    spool.settle(4, 70)
    spool = medium.again()
    assert spool.open(STREAM) == SpoolState(last=9, done=4, done_seq_no=70, batches=(second,), bytes=waiting(5))
    spool.add([spooled(10)])
    assert read(spool, 5) == list(range(5, 11))
    spool.settle(10, 76)
    assert medium.again().open(STREAM) == SpoolState(last=10, done=10, done_seq_no=76)


def test_remembers_the_newest_keys_also_of_events_that_have_left(medium: Medium) -> None:
    def keyed(start: int, end: int) -> list[SpooledEvent]:
        return [spooled(one, f"k{one}" if one % 2 == 0 else None) for one in range(start, end + 1)]

    spool = medium.spool
    spool.open(STREAM)
    spool.add(keyed(1, 3))
    spool.add(keyed(4, 6))
    spool.settle(5, 5)
    spool = medium.again()
    assert spool.open(STREAM).keys == ("k2", "k4", "k6")
    spool.add(keyed(7, 2 * KEPT_KEYS))
    spool.add(keyed(2 * KEPT_KEYS + 1, 2 * KEPT_KEYS + 4))
    spool.settle(2 * KEPT_KEYS, 2 * KEPT_KEYS)
    spool.add([spooled(1)])
    keys = medium.again().open(STREAM).keys
    assert (len(keys), keys[0], keys[-1]) == (KEPT_KEYS, "k6", f"k{2 * KEPT_KEYS + 4}")


def test_is_of_one_stream_and_of_one_queue_at_a_time(medium: Medium) -> None:
    medium.spool.open(STREAM)
    with pytest.raises(QueueError) as caught:
        medium.spool.open(STREAM)
    assert caught.value.code == "spool_in_use"
    medium.spool.add([spooled(1)])
    again = medium.again()
    with pytest.raises(QueueError) as caught:
        again.open(OTHER)
    assert caught.value.code == "spool_foreign"
    assert again.open(STREAM).last == 1


def files_of(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.spool"))


def written(folder: Path) -> Path:
    """Make a spool with events 1 to 6 in two writes, and return its only file."""
    spool = FileSpool(folder)
    spool.open(STREAM)
    spool.add(many(1, 3))
    spool.add(many(4, 6))
    spool.close()
    (file,) = files_of(folder)
    return file


def refused(folder: Path) -> QueueError:
    with pytest.raises(QueueError) as caught:
        FileSpool(folder).open(STREAM)
    return caught.value


def test_the_bytes_are_those_of_the_page(tmp_path: Path) -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "append-queue.md").read_text("utf-8")
    lines = page.split("```spool\n")[1].split("\n```")[0].split("\n")
    wanted = b"".join(bytes.fromhex(line[:24]) + line[25:].replace("\\n", "\n").encode() for line in lines)
    spool = FileSpool(tmp_path)
    spool.open(STREAM)
    spool.add([SpooledEvent(b'{"a":1}', 1772357400000, "k1"), SpooledEvent(b"{}", 1772357400001)])
    spool.keep_batch(SpooledBatch("5f0c", 1, 2, 1772357400002))
    spool.settle(2, 7)
    spool.close()
    assert (tmp_path / "0000000001.spool").read_bytes() == wanted


def test_files_go_when_their_events_have_left_and_are_closed_to_others(tmp_path: Path) -> None:
    folder = tmp_path / "spool"
    spool = FileSpool(folder, segment_bytes=1)
    spool.open(STREAM)
    for event in many(1, 5):
        spool.add([event])
    assert len(files_of(folder)) == 5
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}
    assert folder.stat().st_mode & 0o777 == 0o700
    spool.settle(2, 2)
    assert len(files_of(folder)) == 3
    assert read(spool, 3) == [3, 4, 5]
    spool.settle(5, 5)
    assert len(files_of(folder)) == 1
    spool.add([spooled(6)])
    assert read(spool, 6) == [6]
    spool.close()


def test_a_write_that_was_cut_off_anywhere_is_cut_off_the_file(tmp_path: Path) -> None:
    file = written(tmp_path / "whole")
    whole = file.read_bytes()
    spool = FileSpool(tmp_path / "half")
    spool.open(STREAM)
    spool.add(many(1, 3))
    spool.close()
    before = files_of(tmp_path / "half")[0].stat().st_size
    for size in range(before, len(whole), 7):
        # Cut off, or cut off with its full length: pages that never reached the disk.
        for data in (whole[:size], whole[:size] + bytes(len(whole) - size)):
            file.write_bytes(data)
            torn = FileSpool(tmp_path / "whole")
            state = torn.open(STREAM)
            assert (state.last, state.cut_bytes) == (3, len(data) - before), f"cut off at {size}"
            assert file.stat().st_size == before
            torn.add([spooled(4)])
            assert read(torn, 1) == [1, 2, 3, 4]
            torn.close()


@pytest.mark.parametrize("size", [0, 5, 30])
def test_a_file_that_was_not_begun_is_taken_away(tmp_path: Path, size: int) -> None:
    folder = tmp_path / "spool"
    first = written(folder)
    beginning = first.read_bytes()[:size]
    (folder / "0000000002.spool").write_bytes(beginning)
    spool = FileSpool(folder, segment_bytes=1)
    assert (spool.open(STREAM).last, len(files_of(folder))) == (6, 1)
    spool.add([spooled(7)])
    assert (read(spool, 1), len(files_of(folder))) == (list(range(1, 8)), 2)
    spool.close()
    alone = tmp_path / "alone"
    alone.mkdir()
    (alone / "0000000001.spool").write_bytes(beginning)
    empty = FileSpool(alone)
    assert empty.open(STREAM).last == 0
    empty.close()


def test_damage_to_what_was_on_the_disk_is_refused_with_its_place(tmp_path: Path) -> None:
    file = written(tmp_path)
    whole = file.read_bytes()
    for at in range(len(whole)):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 0x11]) + whole[at + 1 :])
        error = refused(tmp_path)
        assert error.code == "spool_corrupt"
        assert "0000000001.spool, byte " in str(error), at
    # A hole in bytes that, by a later record, were on the disk.
    file.write_bytes(whole[:20] + bytes(40) + whole[60:])
    assert refused(tmp_path).code == "spool_corrupt"


@pytest.mark.parametrize("head", [{}, {"kind": "segment"}, {"kind": "else"}, [], {"kind": "segment", "version": 2}])
def test_a_record_of_another_form_is_refused_in_our_words(tmp_path: Path, head: Any) -> None:
    (tmp_path / "0000000001.spool").write_bytes(encode_record(head))
    assert refused(tmp_path).code == "spool_corrupt"


def test_a_file_that_is_missing_or_not_behind_the_one_before_it_is_noticed(tmp_path: Path) -> None:
    folder = tmp_path / "spool"
    spool = FileSpool(folder, segment_bytes=1)
    spool.open(STREAM)
    for event in many(1, 4):
        spool.add([event])
    spool.close()
    _, second, third, _ = (file.name for file in files_of(folder))
    changes: list[Callable[[Path], object]] = [
        lambda copy: (copy / second).unlink(),
        lambda copy: shutil.copy(copy / third, copy / second),
        lambda copy: os.truncate(copy / second, (copy / second).stat().st_size - 1),
        lambda copy: os.truncate(copy / second, 0),
    ]
    for number, change in enumerate(changes):
        copy = tmp_path / f"copy-{number}"
        shutil.copytree(folder, copy)
        change(copy)
        assert refused(copy).code == "spool_corrupt"


def test_a_folder_that_cannot_be_used_is_said_to_be_one(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"")
    locked_out, unreadable = tmp_path / "locked", tmp_path / "unreadable"
    (locked_out / "spool.lock").mkdir(parents=True)
    (unreadable / "0000000001.spool").mkdir(parents=True)
    for folder in (file, file / "below", locked_out, unreadable):
        error = refused(folder)
        assert error.code == "spool_failed" and str(folder) in str(error) and error.__cause__ is not None
    # The lock was released.
    (unreadable / "0000000001.spool").rmdir()
    spool = FileSpool(unreadable)
    spool.open(STREAM)
    spool.close()


def test_what_a_write_that_fails_has_left_is_never_read(tmp_path: Path) -> None:
    path = tmp_path / "1.spool"

    def record_of(first: int, text: bytes) -> bytes:
        return encode_record({"kind": "events", "first": first, "count": 1, "at": 0, "synced": 0}, [text])

    one, two, three = (record_of(number, b'{"n":%d}' % number) for number in (1, 2, 3))
    cut_off = record_of(2, b'{"text":"%s"}' % (b"x" * 500))[:400]
    complete = len(one)
    reader = EventReader(lambda: [Segment(str(path), 1, 0)], lambda _: complete)
    path.write_bytes(one + cut_off)
    assert [event.text for event in reader.from_(1)] == [b'{"n":1}']
    with pytest.raises(QueueError, match="can no longer be read"):
        reader.from_(2)
    path.write_bytes(one + two + three)
    complete = len(one + two + three)
    assert [event.text for number in (2, 3) for event in reader.from_(number)] == [b'{"n":2}', b'{"n":3}']
    reader.close()


def test_a_full_disk_leaves_room_for_what_leaves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spool = FileSpool(tmp_path)
    spool.open(STREAM)
    spool.add(many(1, 3))
    reserve = tmp_path / "spool.reserve"

    class Full:
        """A file on a disk that is full until the reserve is released."""

        def __init__(self, inner: Any) -> None:
            self._inner = inner

        def __getattr__(self, name: str) -> Any:
            return getattr(self._inner, name)

        def write(self, data: bytes) -> int:
            if reserve.exists():
                self._inner.write(bytes(data)[:5])
                raise OSError(28, "No space left on device")
            return int(self._inner.write(data))

    assert reserve.stat().st_size == 256 * 1024
    monkeypatch.setattr(spool, "_tail", Full(spool._tail))
    with pytest.raises(QueueError) as caught:
        spool.add([spooled(4)])
    assert caught.value.code == "spool_failed"
    spool.settle(3, 3)
    assert not reserve.exists()
    spool.close()
    again = FileSpool(tmp_path)
    state = again.open(STREAM)
    assert (state.last, state.done, state.cut_bytes) == (3, 3, 0)
    again.close()


def test_two_processes_do_not_use_one_spool_and_the_lock_ends_with_its_process(tmp_path: Path) -> None:
    program = f"""
import sys
from svc.queue import FileSpool
FileSpool({str(tmp_path)!r}).open({STREAM!r})
print("open", flush=True)
sys.stdin.read()
"""
    words = [sys.executable, "-c", program]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"open\n"
        spool = FileSpool(tmp_path)
        with pytest.raises(QueueError) as caught:
            spool.open(STREAM)
        assert caught.value.code == "spool_in_use"
        child.kill()
    spool.open(STREAM)
    spool.close()
