"""The operations over archives and whole evidence (levels 4 to 6)."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from .._archive.read import read_archive, unpack
from .._generated.kinds import KINDS
from .._kernel.interface import Kernel
from .._verify.verify import verify_bytes
from .request import Refused, base64_bytes, items, malformed, text

Answer = dict[str, Any]


def archive_check(kernel: Kernel, request: Answer) -> Answer:
    """Return the entries of an archive, or the first reason to refuse it."""
    entries, faults = read_archive(base64_bytes(request["bytes"], "bytes"))
    if faults:
        raise Refused(faults[0].code, faults[0].message)
    found = []
    for entry in entries:
        hashed = sha256()
        if not unpack(kernel, entry, hashed.update):
            raise Refused("archive_malformed", f"the content of {entry.path} is not as declared")
        found.append({"path": entry.path, "size": entry.size, "sha256": hashed.hexdigest()})
    return {"entries": found}


def verify(kernel: Kernel, request: Answer) -> Answer:
    """Return the report on bytes."""
    if "trust" in request and request["trust"] is None:
        raise malformed("trust")
    kind = text(request["kind"], "kind") if "kind" in request else None
    if kind is not None and kind not in KINDS:
        raise Refused("unsupported_object", f"{kind} is no kind that is verified here")
    data = base64_bytes(request["bytes"], "bytes")
    links = tuple(items(request["links"], "links")) if "links" in request else ()
    report = verify_bytes(data, kernel, request.get("trust"), links, kind)
    return {"ok": report.ok, "report": report.to_dict()}
