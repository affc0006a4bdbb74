"""From bytes to a report, with one kernel (section 16, the order of work)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._kernel.interface import JsonFault, Kernel, TooLarge
from .._report.examination import Examination, Finding
from .._report.model import Report
from .._trust.policy import TrustPolicy, read_trust
from .batched import Batched
from .examine import examine_value

_PACKAGE = "truth-package"
# From this size on a bundle is read in bulk.
LARGE_BYTES = 256_000


def verify_bytes(
    data: bytes,
    kernel: Kernel,
    trust: Any = None,
    links: tuple[Any, ...] = (),
    kind: str | None = None,
    jobs: int = 1,
) -> Report:
    """Return the report on bytes. `trust`: a trust policy as JSON value; None trusts nobody. `jobs`: threads."""
    policy, faults = read_trust({"signers": []} if trust is None else trust)
    ex = _bulk(data, kind, policy, kernel, links, jobs)
    if ex is None:
        ex = _as_ever(data, kind, policy, kernel, links)
    for fault in reversed(faults):
        finding = Finding(fault.code, fault.path, f"In the trust policy: {fault.message}")
        ex.tally("trust").failed = True
        ex.rejections.insert(0, ("trust", finding, {}))
    return ex.report()


def _bulk(
    data: bytes, kind: str | None, policy: TrustPolicy, kernel: Kernel, links: tuple[Any, ...], jobs: int
) -> Examination | None:
    """Examine a large bundle whose records are read as columns; None where that does not say everything."""
    if kernel.name != "wasm" or len(data) < LARGE_BYTES:
        return None
    from .bulk import is_enough, read_in_bulk

    found = read_in_bulk(data, kind, policy, kernel, jobs)
    if found is None:
        return None
    value, records = found
    ex = _batched(lambda one: examine_value(value, "bundle", policy, one, links, records), kernel)
    return ex if is_enough(ex) else None


def _batched(examine: Callable[[Kernel], Examination], kernel: Kernel) -> Examination:
    """Examine twice: first to see which signatures are asked for, which are then checked together."""
    batched = Batched(kernel)
    examine(batched)
    batched.settle()
    return examine(batched)


def _as_ever(data: bytes, kind: str | None, policy: TrustPolicy, kernel: Kernel, links: tuple[Any, ...]) -> Examination:
    """Examine bytes, which are read once."""
    if kind == _PACKAGE or (kind is None and data[:2] == b"PK"):
        return _package(data, policy, kernel, links)
    try:
        value = kernel.parse(data)
    except JsonFault as fault:
        ex = Examination(kernel, policy)
        ex.kind = kind
        ex.reject("json", Finding(fault.code, "", f"At byte {fault.offset}.", actual=str(fault.offset)))
        return ex
    except TooLarge as error:
        ex = Examination(kernel, policy)
        ex.kind = kind
        ex.reject("shape", Finding("unsupported_object", "", f"The object is too large: {error}."))
        return ex
    return _batched(lambda one: examine_value(value, kind, policy, one, links), kernel)


def _package(data: bytes, policy: TrustPolicy, kernel: Kernel, links: tuple[Any, ...]) -> Examination:
    """Examine a truth package, its bundles in bulk where that says everything."""
    from .package_contents import PackageContents
    from .truth_package import examine_package

    contents = PackageContents(data, kernel, reads_in_bulk=len(data) >= LARGE_BYTES)
    ex = _batched(lambda one: examine_package(contents, policy, one, links), kernel)
    if contents.is_bulk_enough:
        return ex
    contents.reads_in_bulk = False
    return _batched(lambda one: examine_package(contents, policy, one, links), kernel)
