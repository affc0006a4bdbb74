"""The operations that make evidence of evidence (level 7). Results are canonical bytes."""

from __future__ import annotations

import base64
from typing import Any

from .._errors import ProducerError
from .._kernel.canonical import canonicalize
from .._kernel.interface import Kernel
from .._produce.find_fork import found
from .._produce.portable_receipt import cut_out
from .._produce.redact import redacted
from .._schema.formats import has_format
from .request import Refused, base64_bytes, items, malformed, size

Answer = dict[str, Any]


def redact(kernel: Kernel, request: Answer) -> Answer:
    """Return evidence without the payloads of events."""
    data = base64_bytes(request["bytes"], "bytes")
    numbers = [size(one, f"seq_nos/{index}") for index, one in enumerate(items(request["seq_nos"], "seq_nos"))]
    return _made(lambda: redacted(kernel, data, numbers))


def portable_receipt(kernel: Kernel, request: Answer) -> Answer:
    """Return the portable receipt of an event of a bundle."""
    data = base64_bytes(request["bytes"], "bytes")
    number = size(request["seq_no"], "seq_no")
    return _made(lambda: cut_out(kernel, data, number))


def find_fork(kernel: Kernel, request: Answer) -> Answer:
    """Return evidence that two objects contradict each other."""
    left, right = (base64_bytes(request[name], name) for name in ("left", "right"))
    fork_id = request.get("fork_id", "frk_00000000000000000000000000")
    detected_at = request.get("detected_at", "1970-01-01T00:00:00.000Z")
    for value, form, name in ((fork_id, "fork-id", "fork_id"), (detected_at, "service-time", "detected_at")):
        if not isinstance(value, str) or not has_format(form, value):
            raise malformed(name)
    return _made(lambda: found(kernel, left, right, fork_id, detected_at))


def _made(make: Any) -> Answer:
    try:
        value = make()
    except ProducerError as error:
        raise Refused(error.code, str(error)) from None
    return {"result": None if value is None else base64.b64encode(canonicalize(value)).decode()}
