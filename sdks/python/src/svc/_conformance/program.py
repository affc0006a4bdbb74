"""The program: reads a request, answers it, and only then reads the next one.

A bad case is an answer, never an exit. Exit codes: 0 at the end of the input, 66 where it cannot be read.
"""

from __future__ import annotations

import sys
from typing import IO, Any

from .._kernel.canonical import canonicalize
from .._kernel.interface import JsonFault, Kernel
from .._version import VERSION
from .operations import OPERATIONS, Operation
from .request import Refused, malformed

MAX_LINE_BYTES = 32 * 2**20
Answer = dict[str, Any]


def run(kernel: Kernel, source: IO[bytes], target: IO[bytes]) -> int:
    """Answer line by line. Returns the exit code."""
    while True:
        try:
            line = source.readline(MAX_LINE_BYTES + 1)
        except OSError as error:
            print(f"svc: the input cannot be read: {error}", file=sys.stderr)
            return 66
        if not line:
            return 0
        if len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
            while line and not line.endswith(b"\n"):
                line = source.readline(MAX_LINE_BYTES)
            answer: Answer = {"id": None, "ok": False, "code": "request_too_large", "message": "at most 32 MiB a line"}
        else:
            answer = answer_to(kernel, line.removesuffix(b"\n"))
        target.write(canonicalize(answer) + b"\n")
        target.flush()


def answer_to(kernel: Kernel, line: bytes) -> Answer:
    """Return the answer to one line."""
    try:
        request = kernel.parse(line)
    except JsonFault as fault:
        return {"id": None, "ok": False, "code": fault.code, "offset": fault.offset, "message": str(fault)}
    identifier = request.get("id") if isinstance(request, dict) else None
    try:
        return {"id": identifier, "ok": True, **_outcome(kernel, request)}
    except Refused as refused:
        return {"id": identifier, "ok": False, "code": refused.code, "message": str(refused), **refused.members}
    except Exception as error:  # the program goes on with the next line
        message = f"{type(error).__name__}: {error}"
        return {"id": identifier, "ok": False, "code": "internal_error", "message": message}


def _outcome(kernel: Kernel, request: Any) -> Answer:
    if not isinstance(request, dict) or "id" not in request or not isinstance(request.get("op"), str):
        raise malformed("the request")
    name = request["op"]
    operation = _HELLO if name == "hello" else OPERATIONS.get(name)
    if operation is None:
        raise Refused("unsupported_op", f"no operation is called {name}")
    members = request.keys() - {"id", "op"}
    if not set(operation.required) <= members <= {*operation.required, *operation.optional}:
        raise malformed("the request, by its members,")
    return operation.run(kernel, request)


def _hello(kernel: Kernel, _: Answer) -> Answer:
    return {
        "implementation": f"svc-sdk ({kernel.name})",
        "version": VERSION,
        "kernel_sha256": kernel.sha256_hex,
        "protocol": "SVC-PROOFSTREAM-001",
        "ops": ["hello", *OPERATIONS],
    }


_HELLO = Operation(_hello, ())
