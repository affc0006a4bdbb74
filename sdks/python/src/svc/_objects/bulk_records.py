"""The records of a large bundle as columns: the compiled kernel hashes and checks all of them in a few calls.

Columns say that everything holds, or which signatures and payloads alone do not: those are named from the columns.
Where anything else does not hold, the bundle is read again record by record, which says what is wrong.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterator

from .._generated.formats import FORMATS
from .._kernel.compiled.document import Columns
from .._kernel.compiled.kernel import value_of
from .._kernel.compiled.recipe import Path, Recipe, Signature
from .._report.examination import Examination, Finding, Sealed
from .._schema.formats import has_format
from .._schema.pointer import below
from .._trust.key_ring import Scope
from .bulk_rows import Rows
from .hashing import PROOFSTREAM, ZEROS
from .records import RECEIPTS, Record, note_redacted

_PLAIN: tuple[str, ...] = (
    "stream_id", "stream_event_id", "seq_no", "source_ref", "event_type", "occurred_at", "received_at",
)  # fmt: skip
_HASHES = ("payload_hash", "previous_event_hash", "event_hash", "stream_head_hash")
_KID: Path = ("receipt", "kid")
_OF_SEAL: tuple[Path, ...] = (("receipt", "protocol"), ("receipt", "alg"), _KID)


def _line(name: str) -> str:
    pattern: str = FORMATS[name]["pattern"]
    return f'"{pattern}"\n'


# Each column as a whole: one pattern over all of its lines. No JSON string holds a raw newline.
_COLUMNS = {
    "stream_event_id": re.compile(f"(?:{_line('event-id')})*").fullmatch,
    "event_type": re.compile(f"(?:{_line('event-type')})*").fullmatch,
}


def _tag(name: str) -> bytes:
    return f"{PROOFSTREAM}/{name}\n".encode()


def _members(*names: str) -> dict[str, Path | str]:
    return {name: (name,) for name in names}


def _recipe(keys: dict[str, bytes]) -> Recipe:
    event = _members(*_PLAIN, "previous_event_hash", "payload_hash")
    head = _members("stream_id", "seq_no", "event_hash")
    signed = _members("stream_id", "stream_event_id", "seq_no", "event_hash", "previous_event_hash", "stream_head_hash")
    signed |= {"protocol": PROOFSTREAM, "alg": "Ed25519", "kid": _KID}
    return Recipe(
        digests=((_tag("event"), event), (_tag("head"), head)),
        signatures=(Signature(_tag("receipt"), signed, ("receipt", "signature"), _KID, keys),),
        hashes=tuple((name,) for name in _HASHES),
        literals=(*((name,) for name in _PLAIN), *_OF_SEAL),
        objects=(("receipt",),),
    )


_PAYLOADS = Recipe(
    digests=((_tag("payload"), {"payload": ("payload",), "salt": ("payload_salt",)}),),
    literals=(("payload_salt",),),
    objects=(("payload",),),
)


class BulkRecords:
    """Records whose hashes, order and forms hold. Signatures and payloads that do not are known by their places."""

    def __init__(self, first: Record, last: Record, artifact_hash: str, rows: Rows | None = None) -> None:
        self.count = 0
        self.first: Record | None = first
        self.last: Record | None = last
        self.artifact_hash: str | None = artifact_hash
        self.payloads = 0
        # By kid: the first and the last index of its records, and how many there are.
        self.kids: dict[str, tuple[int, int, int]] = {}
        self.received_at: list[str] = []
        # The indexes of records whose signature does not verify, each with its kid.
        self.bad_signatures: dict[int, str] = {}
        # Payloads that are not those recorded: the event's id and index, the recorded hash and the own one.
        self.bad_payloads: list[tuple[str, int, str, str]] = []
        self._first_no: int = first["seq_no"]
        self._hashes = b""
        self._payload_hashes = b""
        # By event id in canonical JSON.
        self._indexes: dict[str, int] = {}
        self._last_name = ""
        # Where the events are also due in a table.
        self._rows = rows
        # The indexes of records with a payload.
        self._shown = array("L")

    def add(self, columns: Columns, stream: str) -> bool:
        """Take over the next records. Returns False where anything but a signature does not hold."""
        if columns.length == 0 or columns.regular != b"\x01" * columns.length or not _hashes_hold(columns):
            return False
        lines = [column.decode().split("\n")[:-1] for column in columns.literals]
        plain = dict(zip(_PLAIN, lines[: len(_PLAIN)], strict=True))
        payload_hashes, previous, event_hashes, _ = columns.hashes
        if not _forms_hold(columns, plain, lines[len(_PLAIN) :], stream):
            return False
        times = [text[1:-1] for text in plain["received_at"]]
        follows = (
            int(plain["seq_no"][0]) == self._first_no + self.count
            and (self.count == 0 or previous[:32] == self._hashes[-32:])
            and (self.count == 0 or times[0] >= self.received_at[-1])
        )
        kids = [kid[1:-1] for kid in lines[-1]]
        for index, kid in enumerate(kids, start=self.count):
            before = self.kids.get(kid)
            self.kids[kid] = (index, index, 1) if before is None else (before[0], index, before[2] + 1)
        if columns.verdicts[0] != b"\x01" * columns.length:
            wrong = [index for index, verdict in enumerate(columns.verdicts[0]) if verdict != 1]
            self.bad_signatures |= {self.count + index: kids[index] for index in wrong}
        self._indexes |= {event_id: index for index, event_id in enumerate(plain["stream_event_id"], start=self.count)}
        self.received_at += times
        self._hashes += event_hashes
        self._payload_hashes += payload_hashes
        if self._rows is not None:
            self._rows.begin(plain, payload_hashes, event_hashes)
        self.count += columns.length
        return follows and len(self._indexes) == self.count

    def add_payloads(self, columns: Columns) -> bool:
        """Take over the next payloads. Returns False where anything but their hashes does not hold."""
        if columns.regular != b"\x01" * columns.length:
            return False
        names = columns.names.decode().split("\n")[:-1]
        salts = columns.literals[0].decode().split("\n")[:-1]
        digests = columns.digests[0]
        # A name that is in two parts is one that does not ascend.
        if not names or names[0] <= self._last_name:
            return False
        self._last_name = names[-1]
        indexes = [self._indexes.get(name, -1) for name in names]
        if -1 in indexes:
            return False
        self._shown.extend(indexes)
        if self._rows is not None and not self._rows.show(indexes, columns.literals[1].decode().split("\n")[:-1]):
            return False
        for row, (name, index) in enumerate(zip(names, indexes, strict=True)):
            own, recorded = digests[32 * row : 32 * row + 32], self._payload_hashes[32 * index : 32 * index + 32]
            if own != recorded:
                self.bad_payloads.append((name[1:-1], index, recorded.hex(), own.hex()))
        self.payloads += columns.length
        return all(_has_form("salt", salt) for salt in salts)

    def check(self, ex: Examination, stream: str, origin: str | None) -> None:
        for check in ("event_hash", "sequence", "receipt_signature"):
            ex.looked(check, self.count)
        if self.payloads:
            ex.looked("payload_hash", self.payloads)
        note_redacted(ex, self.count - self.payloads, self.count)
        ex.signatures_checked += self.count
        self._reject_bad(ex)
        bad = Counter(self.bad_signatures.values())
        scope = Scope(stream, origin)
        for kid, (first, last, count) in self.kids.items():
            # Times rise with the numbers, so that what holds of both ends holds of all between.
            ends = {first, last}
            for index in sorted(ends):
                number = self._first_no + index
                what, path = f"the receipt of event {number}", f"{RECEIPTS}/{index}/receipt/kid"
                has_signer = count > bad[kid]
                sealed = Sealed(kid, "receipt", path, what, scope, has_signer, self.received_at[index], number)
                ex.must_reach(sealed)
            ex.trusted_count += count - len(ends)

    def _reject_bad(self, ex: Examination) -> None:
        for index, kid in self.bad_signatures.items():
            number = self._first_no + index
            ex.seal_broken = True
            message = f"The signature on the receipt of event {number} does not verify under {kid}."
            path = f"{RECEIPTS}/{index}/receipt/signature"
            ex.reject("receipt_signature", Finding("signature_invalid", path, message, seq_no=number, kid=kid))
        for event_id, index, expected, actual in self.bad_payloads:
            number = self._first_no + index
            message = f"The payload of event {number} is not the one that was recorded."
            finding = Finding(
                "payload_hash_mismatch", below("/payloads", event_id), message, expected, actual, seq_no=number
            )
            ex.reject("payload_hash", finding)

    def end_of(self, at: int, to_seq_no: int) -> int:
        return max(at, min(self.count, to_seq_no - self._first_no + 1))

    def event_hashes(self, at: int, end: int) -> list[str]:
        data = self._hashes[32 * at : 32 * end].hex()
        return [data[index : index + 64] for index in range(0, len(data), 64)]

    def times(self, from_seq_no: int, to_seq_no: int) -> list[str]:
        return self.received_at[max(0, from_seq_no - self._first_no) : max(0, to_seq_no + 1 - self._first_no)]

    def shown(self) -> Iterator[tuple[str, int, str]]:
        names = list(self._indexes)
        for index in self._shown:
            yield "payloads", self._first_no + index, names[index][1:-1]


def _hashes_hold(columns: Columns) -> bool:
    """Return whether the digests are those stated, and each record names the event hash of the one before it."""
    _, previous, event, head = columns.hashes
    return columns.digests == [event, head] and previous[32:] == event[:-32]


def _forms_hold(columns: Columns, plain: dict[str, list[str]], of_seal: list[list[str]], stream: str) -> bool:
    """Return whether all members have their forms, and numbers and times follow one another."""
    for name, fits in _COLUMNS.items():
        if fits(columns.literals[_PLAIN.index(name)].decode()) is None:
            return False
    first = plain["seq_no"][0]
    if not first.isdecimal() or len(first) > 15 or first == "0":
        return False
    start = int(first)
    numbers = list(map(str, range(start, start + columns.length)))
    previous = columns.hashes[_HASHES.index("previous_event_hash")][:32].hex()
    times = plain["received_at"]
    return (
        plain["seq_no"] == numbers
        and (previous == ZEROS) == (start == 1)
        and set(plain["stream_id"]) == {f'"{stream}"'}
        and len(set(plain["stream_event_id"])) == columns.length
        and set(of_seal[0]) == {f'"{PROOFSTREAM}"'}
        and set(of_seal[1]) == {'"Ed25519"'}
        and all(_has_form("kid", kid) for kid in set(of_seal[2]))
        and times == sorted(times)
        and all(_has_form("service-time", time) for time in set(times))
        and all(_has_form("source-time", time) for time in set(plain["occurred_at"]))
        and all(_has_form("source-ref", text) for text in set(plain["source_ref"]))
    )


def _has_form(name: str, literal: str) -> bool:
    """Return whether a canonical JSON text has a form. An escape stands for a control character or a quote."""
    if literal[:1] != '"':
        return False
    text = literal[1:-1] if "\\" not in literal else value_of(literal.encode())
    return has_format(name, text)
