"""A queueing program, as its own process that is killed: what tools/chaos/queue/queueing.ts is, in Python.

It gives numbered events to an append queue on a file spool, and prints at once which are in the spool and which
receipts it got. It exits with 0 when it is asked to flush and all have receipts.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Sequence
from typing import Any

from svc.client import Client
from svc.queue import FileSpool, QueueStop

# Small, so that a round has many files and batches, two of them under way at a time; a chunk shares a wait.
_SEGMENT_BYTES, _BATCH, _CHUNK, _CHUNK_PAUSE_SECONDS = 4096, 4, 5, 0.008
# Short, so that delayed requests are sent again meanwhile.
_TIMEOUT_SECONDS = 0.15


def _say(what: dict[str, Any]) -> None:
    """Written before the next step, so that a kill takes nothing back."""
    os.write(1, (json.dumps(what) + "\n").encode())


def _take(receipts: Sequence[Any]) -> None:
    for one in receipts:
        receipt = {name: one[name] for name in ("source_ref", "seq_no", "event_hash")}
        _say({"receipt": receipt, "by": "batch"})


def _stopped(stop: QueueStop) -> None:
    print(f"the queue stopped: {stop.code}: {stop.message}", file=sys.stderr, flush=True)
    os._exit(1)


def _event(number: int) -> dict[str, Any]:
    return {
        "source_ref": f"reading-{number}",
        "event_type": "sensor.read",
        "occurred_at": "2026-03-01T10:15:30.5+01:00",
        "payload": {"sensor": "S-17", "number": number},
    }


def main() -> None:
    """Do the task that the only argument states as JSON."""
    task = json.loads(sys.argv[1])
    client = Client(task["url"], api_key=task["apiKey"], timeout_seconds=_TIMEOUT_SECONDS, max_attempts=2)
    queue = client.stream(task["streamId"]).open_queue(
        spool=FileSpool(task["folder"], segment_bytes=_SEGMENT_BYTES),
        max_batch_events=_BATCH,
        on_receipts=_take,
        on_stopped=_stopped,
    )
    for first in range(task["from"], task["to"] + 1, _CHUNK):
        numbers = range(first, min(first + _CHUNK, task["to"] + 1))
        queue.append_all(map(_event, numbers))
        for number in numbers:
            _say({"spooled": number})
        time.sleep(_CHUNK_PAUSE_SECONDS)
    queue.flush()
    queue.close()
    _say({"flushed": True})


main()
