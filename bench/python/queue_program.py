"""A queueing program, for `bench python`: what bench/sdk/queue-program.ts is, in Python. Prints one JSON object."""

from __future__ import annotations

import gc
import json
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import svc
from svc.client import Client
from svc.queue import FileSpool

_PAYLOAD_BYTES = 450


def _event(number: int) -> dict[str, Any]:
    """Return the event of bench/server/event.ts."""
    payload = {"applicant": f"A-{number}", "amount": 1000.25 + number, "note": ""}
    payload["note"] = "x" * (_PAYLOAD_BYTES - len(json.dumps(payload, separators=(",", ":"))))
    return {
        "source_ref": f"loan-{number}",
        "event_type": "loan.decided",
        "occurred_at": "2026-03-01T10:15:30.5+01:00",
        "payload": payload,
    }


def _mib(name: str) -> float:
    """Return a figure of this process's memory."""
    found = re.search(rf"^{name}:\s+(\d+) kB$", Path("/proc/self/status").read_text(), re.MULTILINE)
    return int(found[1]) / 1024 if found else float("nan")


def main() -> None:
    """Do the task that the only argument states as JSON."""
    task = json.loads(sys.argv[1])
    receipts = 0

    def take(batch: Sequence[Any]) -> None:
        nonlocal receipts
        receipts += len(batch)

    client = Client(task["url"], api_key=task["apiKey"], trust=svc.pin_keys(task["publicKeyHex"]))
    spool = FileSpool(task["folder"], max_bytes=task["maxBytes"])
    queue = client.stream(task["streamId"]).open_queue(spool=spool, on_receipts=take)
    together, seconds = task["together"], task["seconds"]
    events, start = 0, time.perf_counter()
    while events < task["events"] if seconds is None else time.perf_counter() - start <= seconds:
        queue.append_all(map(_event, range(events + 1, events + together + 1)))
        events += together
    if seconds is not None:
        queue.flush()
    took = time.perf_counter() - start
    waiting = queue.waiting().events
    gc.collect()
    held = _mib("VmRSS")
    queue.close()
    print(
        json.dumps(
            {
                "events": events,
                "seconds": took,
                "receipts": receipts,
                "waiting": waiting,
                "heldMib": held,
                "peakMib": _mib("VmHWM"),
                "processorSeconds": time.process_time(),
            }
        )
    )


main()
