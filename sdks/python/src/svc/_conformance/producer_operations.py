"""The operations that make evidence of evidence (level 7). Results are canonical bytes."""

from __future__ import annotations

import base64
from typing import Any

from .._errors import ProducerError
from .._kernel.canonical import canonicalize
from .._kernel.interface import Kernel
from .._produce.portable_receipt import cut_out
from .._produce.redact import redacted
from .request import Refused, base64_bytes, items, size

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


def _made(make: Any) -> Answer:
    try:
        value = make()
    except ProducerError as error:
        raise Refused(error.code, str(error)) from None
    return {"result": None if value is None else base64.b64encode(canonicalize(value)).decode()}
