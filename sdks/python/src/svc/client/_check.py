"""The part of a client that needs the verifier. It knows nothing of requests, or of what was seen before."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timezone
from typing import Any, NamedTuple

from .._errors import ProducerError
from .._kernel.canonical import canonicalize
from .._kernel.select import kernel_for
from .._produce.find_fork import found
from .._report.model import Report
from .._trust.policy import NOBODY, TrustPolicy, read_trust
from .._verify.batched import Batched
from .._verify.examine import examine_value

Record = dict[str, Any]
_GIVEN = ("source_ref", "event_type", "occurred_at")
_CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz"
_SHOWN_CHARACTERS = 60
# About the bytes of a record: from so many on, the compiled kernel is sooner done.
_RECORD_BYTES = 1_000


class Untruth(NamedTuple):
    """The fault of an answer."""

    code: str
    message: str
    report: Report | None = None


def signers_of(trust: Mapping[str, Any]) -> TrustPolicy:
    """Return the part of a trust policy about signers of receipts. Raises ValueError for a malformed policy.

    A new receipt can meet no other demand yet: windows, checkpoints and cosignatures come later.
    """
    if isinstance(trust, (str, bytes)) or not isinstance(trust, Mapping):
        raise TypeError("trust is a policy as pin_keys or parse_trust_policy returns it")
    # Numbers as strict parsing reads them, and no object of the caller's.
    policy, faults = read_trust(kernel_for("reference", 0).parse(json.dumps(dict(trust)).encode()))
    if faults:
        fault = faults[0]
        raise ValueError(f"the trust policy is not well formed: {fault.code} at {fault.path}: {fault.message}")
    own: dict[str, Any] = {name: policy.value[name] for name in ("signers", "revoked") if name in policy.value}
    return replace(policy, value=own, witnesses=(), quorum=None, text=None)


def examine_run(
    stream_id: str, records: Sequence[Any], trust: TrustPolicy | None, endorsements: Sequence[Any]
) -> Report:
    """Return the verifier's report on a run of consecutive records (protocol section 7). `trust`: None for nobody."""
    run: Record = {"stream_id": stream_id, "records": list(records)}
    if endorsements:
        run["key_endorsements"] = list(endorsements)
    policy = NOBODY if trust is None else trust
    batched = Batched(kernel_for("auto", _RECORD_BYTES * len(records)))
    examine_value(run, "stream", policy, batched)
    batched.settle()
    return examine_value(run, "stream", policy, batched).report()


def mismatch(event: Mapping[str, Any], record: Record) -> Untruth | None:
    """Return how a record differs from the event that was sent; None if it does not. `event`: parsed from the text."""
    number = record["seq_no"]
    for name in _GIVEN:
        if record[name] != event.get(name):
            sent = _quoted(event.get(name))
            message = f"The receipt of event {number} says {name} {_quoted(record[name])}, and {sent} was sent."
            return Untruth("receipt_mismatch", message)
    if "payload" not in record:
        message = f"The receipt of event {number} came without its payload, and cannot be held against what was sent."
        return Untruth("receipt_redacted", message)
    if canonicalize(record["payload"]) == canonicalize(event.get("payload")):
        return None
    return Untruth("receipt_mismatch", f"The receipt of event {number} has another payload than was sent.")


def fork_of(one: Record, other: Record, trust: TrustPolicy) -> Record | None:
    """Return evidence that two records contradict each other; None if none holds under the policy."""
    fork_id = "frk_0" + "".join(_CROCKFORD[byte % 32] for byte in os.urandom(25))
    detected_at = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    kernel = kernel_for("auto", 0)
    try:
        fork = found(kernel, canonicalize(one), canonicalize(other), fork_id, detected_at)
    except ProducerError:
        return None
    if fork is None or examine_value(fork, "fork", trust, kernel).report().verdict != "verified":
        return None
    return fork


def _quoted(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}…"
