"""A client behind a network that drops, cuts, delays, repeats and reorders: every event once, and no lie passes."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from svc.client import Client, SvcError

from .running import Service, build

ROUNDS = int(os.environ.get("SVC_ROUNDS", "8"))
_MOST_TRIES = 200

if "SVC_TEST_PROXY" not in os.environ:
    pytest.skip("no proxy was given", allow_module_level=True)


def insisting(call: Callable[[], Any], codes: dict[str, int]) -> Any:
    """Make a call until it is answered in truth. Counts why it was not."""
    for _ in range(_MOST_TRIES):
        try:
            return call()
        except SvcError as error:
            assert error.code not in ("fork_detected", "idempotency_conflict"), error
            codes[error.code] = codes.get(error.code, 0) + 1
    raise AssertionError(f"no answer that holds in {_MOST_TRIES} tries: {codes}")


def test_every_event_stands_once_and_no_lie_passes(service: Service, new_stream: Callable[[], str]) -> None:
    stream_id, codes, number = new_stream(), dict[str, int](), 0
    with Client(
        os.environ["SVC_TEST_PROXY"],
        api_key=service.api_key,
        trust=service.trust,
        timeout_seconds=0.15,
        max_attempts=2,
    ) as client:
        stream = client.stream(stream_id)
        for _ in range(ROUNDS):
            number += 1
            sent = partial(stream.append, build(number), idempotency_key=f"one-{number}")
            one = insisting(sent, codes)
            assert one["source_ref"] == f"build-{number}"
            batch = [build(number + more) for more in range(1, 4)]
            number += 3
            several = insisting(partial(stream.append_batch, batch, idempotency_key=f"some-{number}"), codes)
            assert [each["source_ref"] for each in several] == [each["source_ref"] for each in batch]
            assert insisting(stream.head, codes)["seq_no"] == several[-1]["seq_no"]
            shown = insisting(partial(list, stream.events(from_seq_no=one["seq_no"])), codes)
            assert [each["seq_no"] for each in shown] == list(range(one["seq_no"], several[-1]["seq_no"] + 1))
    with service.client() as direct:
        recorded = [each["source_ref"] for each in direct.stream(stream_id).events(limit=500)]
    assert recorded == [f"build-{each}" for each in range(1, number + 1)]
    print(f"{number} events in {ROUNDS} rounds; refused on the way: {codes}")
