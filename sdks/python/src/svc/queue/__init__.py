"""Append queues: events that are recorded later, in order, and wait in a spool until then (docs/append-queue.md).

`stream.open_queue(spool=FileSpool("spool"))` opens one. Needs `svc-sdk[client]`.
"""

from __future__ import annotations

from ._append_queue import AppendQueue, OnReceipts, OnStopped, Waiting
from ._errors import QueueError, QueueErrorCode
from ._file_spool import FileSpool
from ._memory_spool import MemorySpool
from ._receipts_due import Queued
from ._spool import KEPT_KEYS, Spool, SpooledBatch, SpooledEvent, SpoolState
from ._stop import LastError, QueueStop

__all__ = [
    "KEPT_KEYS",
    "AppendQueue",
    "FileSpool",
    "LastError",
    "MemorySpool",
    "OnReceipts",
    "OnStopped",
    "QueueError",
    "QueueErrorCode",
    "QueueStop",
    "Queued",
    "Spool",
    "SpoolState",
    "SpooledBatch",
    "SpooledEvent",
    "Waiting",
]
