"""Whether the evidence of a mined anchor leads from the block's hash to the epoch's (section 12)."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..._keccak import keccak256
from ..._report.examination import Examination, Finding
from .rlp import Item, RlpFault, decode, integer
from .trie import TrieFault, value_at

CHECK = "anchor"
_LENGTHS = (32, 32, 20, 32, 32, 32, 256)


class Mined(NamedTuple):
    """What evidence shows: the block's time in Unix seconds, and the contract's code hash."""

    time: int
    code_hash: str


class _Header(NamedTuple):
    state_root: bytes
    number: int
    time: int


def check_evidence(ex: Examination, anchor: dict[str, Any], epoch_hash: str, path: str) -> Mined | None:
    """Check the evidence of a mined anchor. Returns what it shows; None where it does not hold."""
    evidence = anchor["evidence"]
    raw = bytes.fromhex(evidence["block_header_rlp"])
    try:
        header = _header(raw)
    except RlpFault:
        message = "The block header is malformed."
        ex.reject(CHECK, Finding("anchor_evidence_invalid", f"{path}/evidence/block_header_rlp", message))
        return None
    actual = f"0x{keccak256(raw).hex()}"
    message = "The block header is that of another block."
    holds = ex.equal(CHECK, "anchor_does_not_bind", f"{path}/block_hash", anchor["block_hash"], actual, message)
    where = f"{path}/block_number"
    holds &= ex.equal(CHECK, "anchor_does_not_bind", where, anchor["block_number"], header.number, message)
    account = _account(ex, anchor, header.state_root, f"{path}/evidence/account_proof")
    if account is None:
        return None
    storage_root, code_hash = account
    holds &= _is_stored(ex, anchor, storage_root, epoch_hash, f"{path}/evidence/storage_proof")
    return Mined(header.time, f"0x{code_hash.hex()}") if holds else None


def _header(raw: bytes) -> _Header:
    items = decode(raw)
    if not isinstance(items, list) or len(items) < 15:
        raise RlpFault
    members = [_bytes(item) for item in items]
    if tuple(map(len, members[:7])) != _LENGTHS:
        raise RlpFault
    numbers = [integer(item) for item in members[7:12]]
    number, time = numbers[1], numbers[4]
    if time > 2**53 - 1:
        raise RlpFault
    return _Header(members[3], number, time)


def _bytes(item: Item) -> bytes:
    if not isinstance(item, bytes):
        raise RlpFault
    return item


def _proven(ex: Examination, nodes: list[str], root: bytes, key: bytes, path: str) -> bytes | None:
    """Return the value that a proof leads to; None, and a problem, where it leads to none."""
    try:
        item = value_at([bytes.fromhex(one) for one in nodes], root, keccak256(key))
    except TrieFault as fault:
        ex.reject(CHECK, Finding(fault.code, f"{path}/{fault.index}", "The node of the proof does not hold."))
        return None
    if isinstance(item, bytes):
        return item
    _undecodable(ex, path)
    return None


def _undecodable(ex: Examination, path: str) -> None:
    message = "The value that the proof leads to cannot be decoded."
    ex.reject(CHECK, Finding("anchor_evidence_invalid", path, message))


def _account(ex: Examination, anchor: dict[str, Any], root: bytes, path: str) -> tuple[bytes, bytes] | None:
    """Return storage root and code hash of the contract's account."""
    nodes = anchor["evidence"]["account_proof"]
    value = _proven(ex, nodes, root, bytes.fromhex(anchor["contract"][2:]), path)
    if value is None:
        return None
    try:
        items = decode(value)
        if not isinstance(items, list) or len(items) != 4:
            raise RlpFault
        for number in items[:2]:
            integer(number)
        storage_root, code_hash = _bytes(items[2]), _bytes(items[3])
        if len(storage_root) != 32 or len(code_hash) != 32:
            raise RlpFault
    except RlpFault:
        _undecodable(ex, path)
        return None
    return storage_root, code_hash


def _is_stored(ex: Examination, anchor: dict[str, Any], root: bytes, epoch_hash: str, path: str) -> bool:
    """Check that the contract holds the epoch's hash under its number."""
    slot = keccak256(anchor["epoch_no"].to_bytes(32, "big") + bytes(32))
    value = _proven(ex, anchor["evidence"]["storage_proof"], root, slot, path)
    if value is None:
        return False
    try:
        stored = integer(decode(value))
    except RlpFault:
        _undecodable(ex, path)
        return False
    actual = stored.to_bytes(32, "big").hex()
    message = "The contract holds another hash under the number of the epoch."
    return ex.equal(CHECK, "anchor_does_not_bind", path, epoch_hash, actual, message)
