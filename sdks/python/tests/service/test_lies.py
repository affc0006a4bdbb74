"""A service that lies is noticed at once: the real one, whose answers are changed in each member, also sealed anew."""

from __future__ import annotations

import base64
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import pytest

import svc
from svc.client import Client, SvcError, VerificationError
from svc.client import Stream as StreamOfClient

from .malicious_server import MaliciousServer, honest
from .running import Service, build

OTHER_HASH = "ab" * 32
OTHER_KEY = {"kid": "ed25519-0123456789abcdef", "signature": "cd" * 64}
Record = dict[str, Any]
Change = Callable[[Record], Record]


class Begun(NamedTuple):
    client: Client
    stream: StreamOfClient
    first: Any
    # Another writer, to whom the service tells the truth.
    other: StreamOfClient


@pytest.fixture
def liar(service: Service) -> MaliciousServer:
    return MaliciousServer(service.data_folder)


@pytest.fixture
def begin(service: Service, liar: MaliciousServer) -> Callable[..., Begun]:
    def begin(**options: Any) -> Begun:
        liar.tell(honest)
        client = service.client(transport=liar, **options)
        made = client.create_stream({"system_id": service.system_id, "use_case": "builds", "policy_id": "default"})
        stream = client.stream(made["stream_id"])
        return Begun(client, stream, stream.append(build(1)), service.client().stream(stream.stream_id))

    return begin


def of_receipts(change: Change) -> Callable[[Any, str], Any]:
    """Change receipts in answers to appends, one or several."""

    def lie(body: Any, path: str) -> Any:
        if not path.endswith(("/events", "/events/batch")) or "items" in body:
            return body
        if "receipts" not in body:
            return change(body)
        return {"receipts": list(map(change, body["receipts"]))}

    return lie


def of_batches(change: Callable[[list[Any]], Any]) -> Callable[[Any, str], Any]:
    """Change the lists of receipts in answers to batches."""
    return lambda body, path: {"receipts": change(body["receipts"])} if "/batch" in path else body


def changed(change: Change) -> Change:
    return lambda record: {**record, **change(record)}


def without(*names: str) -> Change:
    return lambda record: {one: record[one] for one in record if one not in names}


def resealed(liar: MaliciousServer, by_a_stranger: bool = False, /, **changes: Any) -> Change:
    return lambda record: liar.resealed(record, by_a_stranger, **changes)


def always(body: Any) -> Callable[[Any, str], Any]:
    return lambda *_: body


def caught(call: Callable[[], object], code: str, what: str = "") -> VerificationError:
    with pytest.raises(VerificationError) as raised:
        call()
    error = raised.value
    assert (error.code, error.retryable) == (code, False), f"{what}: {error}"
    assert error.answer is not None
    return error


def _other_seal(**changes: str) -> Change:
    return lambda record: {"receipt": {**record["receipt"], **changes}}


# Another value of each member, and the code that catches it; in the order of protocol section 7.
CHANGES: dict[str, tuple[Change, str]] = {
    "stream_event_id": (lambda _: {"stream_event_id": "sev_01k3aaaaaaaaaaaaaaaaaaaaaa"}, "event_hash_mismatch"),
    "stream_id": (lambda _: {"stream_id": "str_01k3aaaaaaaaaaaaaaaaaaaaaa"}, "event_hash_mismatch"),
    "seq_no": (lambda record: {"seq_no": record["seq_no"] + 1}, "event_hash_mismatch"),
    "source_ref": (lambda _: {"source_ref": "build-3"}, "event_hash_mismatch"),
    "event_type": (lambda _: {"event_type": "build.failed"}, "event_hash_mismatch"),
    "occurred_at": (lambda _: {"occurred_at": "2026-03-01T08:30:00.5Z"}, "event_hash_mismatch"),
    "received_at": (lambda _: {"received_at": "2099-03-01T08:30:00.500Z"}, "event_hash_mismatch"),
    "payload_hash": (lambda _: {"payload_hash": OTHER_HASH}, "payload_hash_mismatch"),
    "payload_salt": (lambda _: {"payload_salt": "ab" * 16}, "payload_hash_mismatch"),
    "payload": (lambda _: {"payload": {"commit": "9f2c41d0", "passed": 1}}, "payload_hash_mismatch"),
    "previous_event_hash": (lambda _: {"previous_event_hash": OTHER_HASH}, "event_hash_mismatch"),
    "event_hash": (lambda _: {"event_hash": OTHER_HASH}, "event_hash_mismatch"),
    "stream_head_hash": (lambda _: {"stream_head_hash": OTHER_HASH}, "head_hash_mismatch"),
    "receipt.protocol": (_other_seal(protocol="SVC-2"), "unsupported_object"),
    "receipt.alg": (_other_seal(alg="none"), "unsupported_object"),
    "receipt.kid": (_other_seal(kid=OTHER_KEY["kid"]), "key_not_pinned"),
    "receipt.signature": (_other_seal(signature=OTHER_KEY["signature"]), "signature_invalid"),
}


def test_every_member_of_a_receipt_changed(begin: Callable[..., Begun], liar: MaliciousServer) -> None:
    _, stream, first, _ = begin()
    members = {name for name in first if name != "receipt"} | {f"receipt.{name}" for name in first["receipt"]}
    assert members == set(CHANGES), "the list has every member"
    for name, (change, code) in CHANGES.items():
        liar.tell(of_receipts(changed(change)))
        caught(lambda: stream.append(build(2)), code, name)
        caught(lambda: stream.append_batch([build(2), build(4)]), code, f"{name} in a batch")


def test_every_member_left_out_one_that_no_receipt_has_and_none_at_all(
    begin: Callable[..., Begun], liar: MaliciousServer
) -> None:
    _, stream, first, _ = begin()
    for name in first:
        liar.tell(of_receipts(without(name)))
        caught(lambda: stream.append(build(2)), "missing_member", name)
    liar.tell(of_receipts(lambda record: {**record, "verified": True}))
    caught(lambda: stream.append(build(2)), "unknown_member")
    liar.tell(of_receipts(without("payload", "payload_salt")))
    caught(lambda: stream.append(build(2)), "receipt_redacted")
    of_no_object: list[Any] = [None, [], 7, "receipt"]
    for nothing in of_no_object:
        liar.tell(always(nothing))
        for call in (lambda: stream.append(build(2)), stream.head):
            with pytest.raises(SvcError) as raised:
                call()
            assert raised.value.code == "unexpected_answer"
    liar.tell(always({}))
    caught(lambda: stream.append(build(2)), "missing_member", "an empty answer")
    caught(lambda: stream.append_batch([build(2)]), "unexpected_answer", "an empty answer")


def test_without_a_policy_all_but_the_signer_is_held_against_what_was_sent(
    begin: Callable[..., Begun], liar: MaliciousServer
) -> None:
    client, stream, _, _ = begin(trust=None)
    assert client.receipt_verdict == "untrusted"
    for name, (change, code) in CHANGES.items():
        liar.tell(of_receipts(changed(change)))
        if name in ("receipt.kid", "receipt.signature"):
            stream.append(build(2))
        else:
            caught(lambda: stream.append(build(2)), code, name)
    liar.tell(of_receipts(lambda record: liar.resealed(record, source_ref="build-3")))
    caught(lambda: stream.append(build(2)), "receipt_mismatch")


WAYS = ("one", "batch")


def append(stream: StreamOfClient, way: str, event: Any, key: str | None = None) -> Any:
    if way == "one":
        return stream.append(event, idempotency_key=key)
    return stream.append_batch([event], idempotency_key=key)[0]


@pytest.mark.parametrize("way", WAYS)
def test_a_receipt_sealed_anew_says_what_was_sent_and_where_it_stands(
    begin: Callable[..., Begun], liar: MaliciousServer, way: str
) -> None:
    begun = begin()
    others: list[Record] = [
        {"source_ref": "build-3"},
        {"event_type": "build.failed"},
        {"occurred_at": "2026-03-01T08:30:00.5Z"},
        {"payload": {"commit": "9f2c41d0", "passed": False}},
        {"payload": {"commit": "9f2c41d0", "passed": 1}},
        {"payload": {"commit": "9f2c41d0", "passed": True, "forced": True}},
    ]
    for changes in others:
        liar.tell(of_receipts(resealed(liar, **changes)))
        caught(lambda: append(begun.stream, way, build(2)), "receipt_mismatch", repr(changes))
    places: list[tuple[Record, str]] = [
        ({"stream_id": "str_01k3aaaaaaaaaaaaaaaaaaaaaa"}, "stream_mismatch"),
        ({"received_at": "2020-03-01T08:30:00.500Z"}, "sequence_broken"),
        ({"previous_event_hash": OTHER_HASH}, "previous_hash_mismatch"),
    ]
    for changes, code in places:
        fresh = begin()
        liar.tell(of_receipts(resealed(liar, **changes)))
        stream = fresh.stream
        caught(partial(append, stream, way, build(2)), code, repr(changes))


def test_an_old_receipt_and_one_of_another_stream(begin: Callable[..., Begun], liar: MaliciousServer) -> None:
    _, stream, first, _ = begin()
    elsewhere = begin().first
    liar.tell(of_receipts(lambda _: elsewhere))
    caught(lambda: stream.append(build(2)), "stream_mismatch")
    liar.tell(of_receipts(lambda _: first))
    caught(lambda: stream.append(build(1)), "receipt_repeated", "an old receipt of the same event")


def test_answers_to_batches_reordered_shortened_lengthened(begin: Callable[..., Begun], liar: MaliciousServer) -> None:
    _, stream, _, _ = begin()
    events = [build(2), build(3), build(4)]
    cases: list[tuple[Callable[[list[Any]], Any], str]] = [
        (lambda all: all[::-1], "sequence_broken"),
        (lambda all: [all[0], all[2], all[1]], "range_incomplete"),
        (lambda all: [all[0], all[1], all[1]], "sequence_broken"),
        (lambda all: all[:-1], "range_incomplete"),
        (lambda all: all[1:], "range_incomplete"),
        (lambda all: [*all, all[0]], "unexpected_answer"),
        (lambda all: None, "unexpected_answer"),
    ]
    for number, (change, code) in enumerate(cases):
        liar.tell(of_batches(change))
        caught(lambda: stream.append_batch(events), code, f"case {number}")


def test_a_number_that_is_skipped_is_caught_and_one_of_another_writer_is_not(
    begin: Callable[..., Begun], liar: MaliciousServer
) -> None:
    _, stream, _, other = begin()
    second = other.append(build(2))
    third, fourth = stream.append_batch([build(3), build(4)])
    assert (third["previous_event_hash"], fourth["seq_no"]) == (second["event_hash"], 4)
    skipping = of_receipts(lambda record: liar.resealed(record, seq_no=record["seq_no"] + 1))
    liar.tell(lambda body, path: body if "from_seq_no" in path else skipping(body, path))
    # The service shows event 5, which it has recorded under the number 6.
    caught(lambda: stream.append(build(5)), "previous_hash_mismatch")
    nothing: Record = {"items": [], "next_cursor": None}
    liar.tell(lambda body, path: nothing if "from_seq_no" in path else skipping(body, path))
    caught(lambda: stream.append(build(6)), "range_incomplete")
    for way in WAYS:
        trusting = begin(gaps="accept").stream
        liar.tell(skipping)
        assert append(trusting, way, build(2))["seq_no"] == 3


@pytest.mark.parametrize("way", WAYS)
def test_a_new_stream_that_does_not_begin_with_event_1(
    service: Service, begin: Callable[..., Begun], liar: MaliciousServer, way: str
) -> None:
    client = begin().client
    made = client.create_stream({"system_id": service.system_id, "use_case": "x", "policy_id": "default"})
    skipping = of_receipts(lambda record: liar.resealed(record, seq_no=3, previous_event_hash=OTHER_HASH))
    nothing: Record = {"items": [], "next_cursor": None}
    liar.tell(lambda body, path: nothing if "from_seq_no" in path else skipping(body, path))
    caught(lambda: append(client.stream(made["stream_id"]), way, build(1)), "range_incomplete")


@pytest.mark.parametrize("way", WAYS)
def test_two_receipts_of_an_event_are_evidence_against_the_service(
    service: Service, begin: Callable[..., Begun], liar: MaliciousServer, way: str
) -> None:
    _, stream, _, other = begin()
    key = f"build-2 of {stream.stream_id}".replace(" ", "-")
    second = append(stream, way, build(2), key)
    assert append(stream, way, build(2), key) == second, "the same key, the same receipt"
    later = {"received_at": "2099-03-01T08:30:00.500Z"}
    liar.tell(of_receipts(resealed(liar, **later)))
    error = caught(lambda: append(stream, way, build(2), key), "fork_detected")
    assert error.idempotency_key == key and error.fork is not None
    report = svc.verify(svc_bytes(error.fork), trust=service.trust)
    assert (report.verdict, report.kind) == ("verified", "fork"), report
    # A client without the service's key convicts nobody.
    liar.tell(of_receipts(resealed(liar, True, **later)))
    caught(lambda: append(stream, way, build(2), key), "key_not_pinned")
    assert other.head()["seq_no"] == 2


def svc_bytes(value: Any) -> bytes:
    from svc._kernel.canonical import canonicalize

    return canonicalize(value)


def test_a_head_that_goes_back_or_is_another_events(
    begin: Callable[..., Begun], liar: MaliciousServer, service: Service
) -> None:
    client, stream, first, _ = begin()
    old = stream.head()
    assert old["event_hash"] == first["event_hash"]
    second = stream.append(build(2))

    def tell(**changes: Any) -> None:
        liar.tell(lambda body, path: {**body, **changes} if path.endswith("/head") else body)

    tell(**old)
    caught(stream.head, "head_stale")
    wrong: Record = {
        "stream_id": "str_01k3aaaaaaaaaaaaaaaaaaaaaa",
        "event_hash": OTHER_HASH,
        "previous_event_hash": OTHER_HASH,
        "stream_head_hash": OTHER_HASH,
        "seq_no": 3,
        "receipt": {**second["receipt"], "signature": OTHER_KEY["signature"]},
        "stream_event_id": first["stream_event_id"],
    }
    for name, value in wrong.items():
        tell(**{name: value})
        caught(stream.head, "receipt_mismatch", name)
    liar.tell(honest)
    assert stream.head()["event_hash"] == second["event_hash"]
    empty = client.create_stream({"system_id": service.system_id, "use_case": "x", "policy_id": "default"})
    kept: Any = {**second, "stream_id": empty["stream_id"]}
    caught(client.stream(empty["stream_id"], head=kept).head, "head_stale", "empty again")


def test_stored_receipts_and_lists_are_held_to_the_same(begin: Callable[..., Begun], liar: MaliciousServer) -> None:
    client, stream, first, _ = begin()
    receipts = stream.append_batch([build(number) for number in range(2, 6)])
    liar.tell(lambda body, path: {**body, "source_ref": "build-9"} if "/v2/receipts/" in path else body)
    caught(lambda: client.receipt(first["stream_event_id"]), "event_hash_mismatch")
    liar.tell(lambda body, path: receipts[0] if "/v2/receipts/" in path else body)
    caught(lambda: client.receipt(first["stream_event_id"]), "receipt_mismatch")

    def in_list(change: Callable[[list[Any]], list[Any]]) -> None:
        liar.tell(lambda body, path: {**body, "items": change(body["items"])} if "items" in body else body)

    in_list(lambda items: [one for one in items if one["seq_no"] != 2])
    caught(lambda: stream.events().page(), "range_incomplete", "one of a page")
    in_list(lambda items: [one for one in items if one["seq_no"] != 1])
    caught(lambda: stream.events().page(), "range_incomplete", "the first")
    in_list(lambda items: [one for one in items if one["seq_no"] != 3])
    caught(lambda: list(stream.events(limit=2)), "range_incomplete", "the first of a page")
    in_list(lambda items: [{**one, "source_ref": "build-9"} for one in items])
    caught(lambda: list(stream.events(source_ref="build-4")), "event_hash_mismatch", "one that was chosen")
    # These records hold, but are not the ones that were asked for.
    in_list(lambda items: [first])
    caught(lambda: list(stream.events(source_ref="build-4")), "receipt_mismatch", "another source_ref")
    in_list(lambda items: items[::-1])
    caught(lambda: list(stream.events(event_type="build.finished")), "receipt_mismatch", "another order")
    in_list(lambda items: items[:-1])
    caught(lambda: list(stream.events()), "head_stale", "without the newest")
    in_list(lambda items: [])
    caught(lambda: list(stream.events()), "head_stale", "empty")
    caught(lambda: list(stream.events(from_seq_no=5)), "head_stale", "the newest alone, kept back")
    assert stream.events(from_seq_no=6).page().items == [], "behind the newest there is nothing"
    # An empty page may come before others, and hides no missing event.
    cursor = base64.urlsafe_b64encode(b"2").decode().rstrip("=")
    liar.tell(lambda body, path: body if "cursor" in path else {"items": [], "next_cursor": cursor})
    caught(lambda: list(stream.events()), "range_incomplete", "an empty page, and then event 3")
    liar.tell(lambda body, path: {**body, "next_cursor": "MQ"} if "/events?" in path else body)
    with pytest.raises(SvcError) as raised:
        list(stream.events(limit=2, cursor="MQ"))
    assert raised.value.code == "unexpected_answer"


def test_the_event_log_is_held_to_the_same(begin: Callable[..., Begun], liar: MaliciousServer) -> None:
    log = begin().client.log

    def login(number: int) -> Any:
        given = {"occurred_at": "2026-03-01T09:30:00+01:00", "source_ref": f"session-{number}"}
        return {"type": "login", "status": "granted", **given, "payload": {"attempts": number}}

    first = log.append(login(1))
    liar.tell(of_receipts(lambda _: {**first}))
    caught(lambda: log.append(login(1)), "receipt_repeated")
    for change, _ in CHANGES.values():
        liar.tell(of_receipts(changed(change)))
        with pytest.raises(VerificationError):
            log.append(login(2))
    refused = {"status": "refused", "payload": {"attempts": 3}}
    liar.tell(of_receipts(lambda record: liar.resealed(record, payload=refused)))
    caught(lambda: log.append(login(3)), "receipt_mismatch")
    liar.tell(of_batches(lambda receipts: receipts[::-1]))
    caught(lambda: log.append_batch([login(4), login(5)]), "sequence_broken")


def test_more_endorsements_than_a_service_can_have_are_not_gone_through(
    service: Service, begin: Callable[..., Begun], liar: MaliciousServer
) -> None:
    stream_id = begin().stream.stream_id
    stranger = service.client(transport=liar, trust=svc.pin_keys(OTHER_HASH)).stream(stream_id)

    def serve(count: int) -> None:
        liar.tell(lambda body, path: {**body, "endorsements": [{}] * count} if path == "/v2/keys" else body)

    serve(257)
    with pytest.raises(SvcError) as raised:
        stranger.append(build(2))
    assert raised.value.code == "unexpected_answer"
    serve(0)
    caught(lambda: stranger.append(build(2)), "key_not_pinned")
