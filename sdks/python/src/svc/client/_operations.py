"""The operations of a client: streams, receipts, evidence and audit packs.

Receipts are returned only if they hold, and all other evidence unchecked: `svc.verify` checks that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import quote

from .._generated.limits import CLIENT
from .._generated.service import (
    AuditPackInput,
    Bundle,
    Checkpoint,
    Consistency,
    Health,
    ListedStream,
    OnlineReport,
    ReceiptRecord,
    RedactedRecord,
    ServiceKeys,
    StreamInfo,
    StreamInput,
    Window,
    WitnessPolicy,
)
from ._errors import VerificationError
from ._json import json_of
from ._operation import Fetch, listing, operation, pages_of
from ._receipts import Expected, Receipts, Verdict
from ._steps import Flow
from ._transport import Transport, parse_answer, with_query

# A pack holds up to 128 MiB of payloads, and up to 100,000 records.
_MAX_PACK_BYTES: int = CLIENT["max_pack_bytes"]


class ClientOperations:
    """The operations on a service."""

    _transport: Transport
    _receipts: Receipts

    @property
    def receipt_verdict(self) -> Verdict:
        """The verdict of the receipts that are returned: `verified` under a trust policy, `untrusted` without one.

        An `untrusted` receipt says what was sent, and agrees with itself and with everything that the client saw; its
        signer is unknown.
        """
        return self._receipts.verdict

    @operation
    def create_stream(self, stream: StreamInput, *, idempotency_key: str | None = None) -> Flow[StreamInfo]:
        """Make a stream, and only one if the request is repeated. Returns its id and settings.

        Raises SvcError (`system_forbidden`, `legacy_stream_creation_disabled`, `idempotency_conflict`, ...).
        """
        whole: Mapping[str, Any] = stream
        if isinstance(stream, dict) and "metadata" not in stream:
            whole = {**stream, "metadata": {}}
        made = yield from self._transport.write("/v2/streams", whole, idempotency_key)
        # Under a key of the caller's the stream may be old, and have events.
        if made.get("created") is True and idempotency_key is None and isinstance(made.get("stream_id"), str):
            self._receipts.is_new(made["stream_id"])
        return cast(StreamInfo, made)

    @listing
    def streams(
        self,
        *,
        use_case: str | None = None,
        stream_class: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> tuple[str | None, Fetch[ListedStream]]:
        """List the streams that the key may see, in the order in which they were made."""
        query = {"use_case": use_case, "class": stream_class, "limit": limit, "cursor": cursor}
        return pages_of(self._transport, "/v2/streams", query)

    @operation
    def receipt(self, event_id: str) -> Flow[ReceiptRecord | RedactedRecord]:
        """Return a stored receipt record, with payload and salt; without both if they have been erased.

        `event_id`: its `stream_event_id`. Raises SvcError `receipt_not_found`, `stream_forbidden`, `evidence_missing`,
        and VerificationError for a record that does not hold, `receipt_mismatch` for that of another event.
        """
        answer = yield from self._transport.get(f"/v2/receipts/{quote(event_id, safe='')}")
        record = (yield from self._receipts.check([answer], Expected(), answer))[0]
        if record["stream_event_id"] != event_id:
            message = f"{event_id} was asked for, and the receipt of {record['stream_event_id']} came."
            raise VerificationError("receipt_mismatch", message, answer)
        return cast(ReceiptRecord, record)

    @operation
    def window(self, window_id: str) -> Flow[Window]:
        """Return a window (protocol section 8), unchecked. Needs no key."""
        return cast(Window, (yield from self._transport.get(f"/v2/windows/{quote(window_id, safe='')}")))

    @operation
    def checkpoint(self, checkpoint_id: str) -> Flow[Checkpoint]:
        """Return a checkpoint (protocol section 9), unchecked. Needs no key."""
        return cast(Checkpoint, (yield from self._transport.get(f"/v2/checkpoints/{quote(checkpoint_id, safe='')}")))

    @operation
    def consistency(self, checkpoint_id: str, from_checkpoint_id: str) -> Flow[Consistency]:
        """Return proof that a checkpoint extends an earlier one (protocol section 12), unchecked. Needs no key.

        Raises SvcError `checkpoint_not_found`, `checkpoint_not_earlier`.
        """
        path = f"/v2/checkpoints/{quote(checkpoint_id, safe='')}/consistency"
        return cast(Consistency, (yield from self._transport.get(with_query(path, {"from": from_checkpoint_id}))))

    @operation
    def witness_policy(self, policy_id: str, *, digest: str | None = None) -> Flow[WitnessPolicy]:
        """Return a witness policy (protocol section 6), unchecked. Needs no key.

        `digest`: the `witness_policy_digest` of a window or checkpoint, which finds a declared policy; a built-in one
        needs none.
        """
        path = with_query(f"/v2/witness/policies/{quote(policy_id, safe='')}", {"digest": digest})
        return cast(WitnessPolicy, (yield from self._transport.get(path)))

    @operation
    def audit_pack_bytes(self, pack: AuditPackInput, *, idempotency_key: str | None = None) -> Flow[bytes]:
        """Return the bundle over a range, as the exact bytes that the service sent: save these.

        The service seals the events that are not sealed yet. Raises SvcError (`stream_forbidden`, `stream_not_found`,
        `evidence_missing`, `range_too_large`, `key_busy`, `idempotency_conflict`, ...).
        """
        return (yield from self._pack(pack, idempotency_key))

    @operation
    def audit_pack(self, pack: AuditPackInput, *, idempotency_key: str | None = None) -> Flow[Bundle]:
        """Return the bundle over a range, as a value. Save the bytes of `audit_pack_bytes`, not this value."""
        return cast(Bundle, parse_answer("/v2/audit/packs", (yield from self._pack(pack, idempotency_key))))

    def _pack(self, pack: AuditPackInput, key: str | None) -> Flow[bytes]:
        return self._transport.write_text("/v2/audit/packs", json_of(pack), key, _MAX_PACK_BYTES)

    @operation
    def verify_online(self, evidence: Mapping[str, Any]) -> Flow[OnlineReport]:
        """Return the service's own verdict on an object of any kind, under its own keys; `svc.verify` gives yours.

        Needs no key. Raises SvcError `unsupported_object`, `object_too_complex`, `verifier_busy`, `body_too_large`.
        """
        return cast(OnlineReport, (yield from self._transport.post("/v2/verify", evidence)))

    @operation
    def keys(self) -> Flow[ServiceKeys]:
        """Return the service's keys and endorsements, as it states them: compare a fingerprint before you pin one."""
        return cast(ServiceKeys, (yield from self._transport.get("/v2/keys")))

    @operation
    def health(self) -> Flow[Health]:
        """Return the service's status and version, if it answers. Needs no key."""
        return cast(Health, (yield from self._transport.get("/health")))


def note_head(receipts: Receipts, stream_id: str, head: ReceiptRecord | None) -> None:
    """Take the newest receipt that a program kept for seen. Raises ValueError."""
    if not stream_id:
        raise ValueError("the stream has no name: give its stream_id, as create_stream or svc-server init told it")
    if head is not None:
        if head["stream_id"] != stream_id:
            raise ValueError(f"the head is of {head['stream_id']}")
        receipts.note(stream_id, [dict(head)])
