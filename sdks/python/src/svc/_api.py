"""The functions of `svc`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

from ._errors import TrustPolicyError
from ._generated.codes import CODES
from ._generated.kinds import KINDS, Kind
from ._input import Evidence, read_evidence
from ._kernel.canonical import canonicalize
from ._kernel.interface import JsonFault
from ._kernel.select import KernelChoice, kernel_for
from ._report.model import Report
from ._schema.formats import has_format
from ._trust.policy import kid_of, read_trust, require_format
from ._verify.verify import verify_bytes
from ._words.forks import fork_shown
from ._words.reader import Reader

Trust = Mapping[str, Any]
_BOTH: tuple[KernelChoice, ...] = ("wasm", "reference")


def verify(
    evidence: Evidence,
    *,
    trust: Trust | None = None,
    links: Sequence[Evidence] = (),
    kind: Kind | None = None,
    kernel: KernelChoice = "auto",
    jobs: int = 1,
) -> Report:
    """Verify evidence, and return the report (protocol section 16).

    `evidence`: bytes, a path, or a file that is open for reading bytes. `trust`: a trust policy, as `pin_keys` and
    `parse_trust_policy` return one; None trusts nobody, so that nothing is `verified`. `links`: consistency evidence
    that links known checkpoints, in the forms of `evidence`. `kind`: as which kind to verify it; found from the bytes
    if None.
    `kernel`: `auto`, `wasm` or `reference`; the report says which one computed. `jobs`: how many threads may share a
    large bundle, at least 1; more than one needs the compiled kernel.

    Bytes never raise. Raises TypeError and ValueError for a caller's mistake, OSError for a file that cannot be read,
    KernelUnavailable and KernelDamaged.
    """
    if kind is not None and kind not in KINDS:
        raise ValueError(f"{kind!r} is no kind of evidence: there are {', '.join(KINDS)}")
    _require_jobs(jobs)
    value, read = _trust_value(trust), _read_links(links)
    data = read_evidence(evidence)
    started = perf_counter()
    report = verify_bytes(data, kernel_for(kernel, len(data)), value, read, kind, jobs)
    return _for_reader(report, data, evidence, kind, value, perf_counter() - started)


def _for_reader(report: Report, data: bytes, evidence: Any, kind: str | None, trust: Any, seconds: float) -> Report:
    """Return a report that knows the call that it answers, so that it can be printed as `svc` prints it."""
    fault: tuple[str, ...] = ()
    first = report.problems[0] if report.problems else None
    if first is not None and first.path == "" and CODES[first.code]["check"] == "json":
        from ._words.problem import json_fault_at

        fault = json_fault_at(data, int(first.actual or 0))
    file = os.fspath(evidence) if isinstance(evidence, (str, os.PathLike)) else "-"
    fork = fork_shown(report, kind, data)
    reader = Reader(file=file, kind=kind, trust=trust, seconds=seconds, json_fault=fault, fork=fork)
    return replace(report, _reader=reader)


def verify_all(
    evidence: Iterable[Evidence],
    *,
    trust: Trust | None = None,
    links: Sequence[Evidence] = (),
    kernel: KernelChoice = "auto",
    jobs: int = 1,
) -> list[Report]:
    """Verify many, and return their reports in order. `jobs`: how many threads, at least 1. Raises as `verify` does."""
    _require_jobs(jobs)
    items = list(evidence)
    if jobs == 1:
        return [verify(one, trust=trust, links=links, kernel=kernel) for one in items]
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(lambda one: verify(one, trust=trust, links=links, kernel=kernel), items))


@dataclass(frozen=True, kw_only=True, slots=True)
class CrossCheck:
    """A report that both kernels gave, or one that rejects because they did not. `agrees` says which."""

    report: Report
    agrees: bool


def cross_check(
    evidence: Evidence, *, trust: Trust | None = None, links: Sequence[Evidence] = (), kind: Kind | None = None
) -> CrossCheck:
    """Verify the same bytes with both kernels (section 16, cross-check). Raises as `verify` does."""
    from ._verify.cross_check import compared

    data = read_evidence(evidence)
    value, read = _trust_value(trust), _read_links(links)
    kernels = [kernel_for(name, len(data)) for name in _BOTH]
    started = perf_counter()
    reports = [verify_bytes(data, one, value, read, kind) for one in kernels]
    report, agrees = compared(reports[0], reports[1])
    seconds = perf_counter() - started
    return CrossCheck(report=_for_reader(report, data, evidence, kind, value, seconds), agrees=agrees)


def decode(evidence: Evidence, *, kernel: KernelChoice = "auto") -> Any:
    """Return the value of JSON evidence WITHOUT verifying it: nothing of it is known to be true.

    Raises ValueError for what is not the JSON of protocol section 2.
    """
    data = read_evidence(evidence)
    try:
        return kernel_for(kernel, len(data)).parse(data)
    except JsonFault as fault:
        raise ValueError(f"{fault.code} at byte {fault.offset}") from None


def pin_keys(*keys: str, origin: str | None = None) -> dict[str, Any]:
    """Return a trust policy that pins public keys. `keys`: 64 lowercase hex characters each, at least one.

    `origin`: the service whose streams they are trusted for; any if None. Raises ValueError.
    """
    if not keys:
        raise ValueError("a trust policy that pins nobody trusts nobody: name a key")
    for key in keys:
        if not has_format("hash", key):
            # The text is not repeated: it may be a private key.
            message = f"a public key is 64 lowercase hex characters, and this has {len(key)}. Give the service's "
            raise ValueError(
                message + "public_key_hex, as the operator of the service told you: svc-server init prints it"
            )
    if origin is not None:
        require_format("origin", origin)
    limit = {} if origin is None else {"origin": origin}
    return {"signers": [{"kid": kid_of(bytes.fromhex(key)), "public_key_hex": key, **limit} for key in keys]}


def parse_trust_policy(text: Evidence) -> dict[str, Any]:
    """Return a trust policy that is well formed, from a file's bytes or path. Raises TrustPolicyError."""
    data = read_evidence(text)
    try:
        value = kernel_for("reference", len(data)).parse(data)
    except JsonFault as fault:
        raise TrustPolicyError(fault.code, "", f"at byte {fault.offset}") from None
    faults = read_trust(value)[1]
    if faults:
        raise TrustPolicyError(*faults[0])
    policy: dict[str, Any] = value
    return policy


def redact(evidence: Evidence, seq_nos: Iterable[int], *, kernel: KernelChoice = "auto") -> bytes:
    """Return evidence without payload and salt of these events: the canonical bytes of what is left.

    `evidence`: a bundle, a portable receipt, a run of records or a receipt. Raises ProducerError.
    """
    from ._produce.redact import redacted

    data = read_evidence(evidence)
    return canonicalize(redacted(kernel_for(kernel, len(data)), data, list(seq_nos)))


def portable_receipt_of(bundle: Evidence, seq_no: int, *, kernel: KernelChoice = "auto") -> bytes:
    """Return the portable receipt of one event of a bundle, as canonical bytes. Raises ProducerError."""
    from ._produce.portable_receipt import cut_out

    data = read_evidence(bundle)
    return canonicalize(cut_out(kernel_for(kernel, len(data)), data, seq_no))


def find_fork(
    left: Evidence,
    right: Evidence,
    *,
    fork_id: str = "frk_00000000000000000000000000",
    detected_at: str = "1970-01-01T00:00:00.000Z",
    kernel: KernelChoice = "auto",
) -> bytes | None:
    """Return evidence that two objects contradict each other, as canonical bytes; None where nothing is found.

    Nobody is trusted for it, and keys are those that travel with the sides. Raises ProducerError.
    """
    from ._produce.find_fork import found

    sides = [read_evidence(one) for one in (left, right)]
    evidence = found(kernel_for(kernel, sum(map(len, sides))), sides[0], sides[1], fork_id, detected_at)
    return None if evidence is None else canonicalize(evidence)


def _trust_value(trust: Trust | None) -> Any:
    if trust is None:
        return None
    if isinstance(trust, (str, bytes)):
        raise TypeError("trust is a policy as parse_trust_policy returns it, and no text")
    # Numbers as strict parsing reads them, and no object of the caller's.
    return kernel_for("reference", 0).parse(json.dumps(dict(trust)).encode())


def _require_jobs(jobs: int) -> None:
    if jobs < 1:
        raise ValueError("jobs is at least 1")


def _read_links(links: Sequence[Evidence]) -> tuple[Any, ...]:
    if isinstance(links, (str, bytes)):
        raise TypeError("links is a list of evidence")
    return tuple(decode(link) for link in links)
