"""An implementation for the conformance kit to grow from. Python 3.10 or newer, the standard library alone.

It answers one JSON object a line, in order, until the input ends. README.md says how it grows to level 1.
"""

import base64
import hashlib
import json
import re
import sys

PROTOCOL = "SVC-PROOFSTREAM-001"


class Refused(Exception):
    """A request without an answer of its operation; its text is the code."""


def hex_bytes(text):
    """Bytes from lowercase hex."""
    if not isinstance(text, str) or not re.fullmatch("([0-9a-f]{2})*", text):
        raise Refused("malformed_request")
    return bytes.fromhex(text)


def base64_bytes(text):
    """Bytes from standard base64 with its padding, in its one spelling."""
    try:
        data = base64.b64decode(text, validate=True)
    except (TypeError, ValueError):
        raise Refused("malformed_request") from None
    if base64.b64encode(data).decode() != text:
        raise Refused("malformed_request")
    return data


def list_of(items, parse):
    if not isinstance(items, list):
        raise Refused("malformed_request")
    return [parse(item) for item in items]


# Operations: from here
def merkle_root(leaves):
    """The worked example, not complete yet: the root of one leaf (RFC 6962: a zero byte before its data)."""
    leaves = list_of(leaves, hex_bytes)
    if len(leaves) != 1:
        raise Refused("unsupported_op")
    root = hashlib.sha256(b"\x00" + leaves[0]).hexdigest()
    return {"ok": True, "root": root, "frontier": [root]}


# By name: the function, and the members of the request that it takes.
OPERATIONS = {"merkle.root": (merkle_root, ["leaves"])}
# The names of those that are complete.
COMPLETE = []
# Operations: to here


def hello():
    stated = {"implementation": "template.py", "version": "0", "kernel_sha256": None}
    return {"ok": True, **stated, "protocol": PROTOCOL, "ops": COMPLETE}


def outcome(request):
    function, members = {**OPERATIONS, "hello": (hello, [])}.get(request.get("op"), (None, []))
    if function is None:
        raise Refused("unsupported_op")
    if set(request) != {"id", "op", *members}:
        raise Refused("malformed_request")
    return function(*(request[name] for name in members))


def answer(line):
    request = json.loads(line)
    try:
        return {"id": request["id"], **outcome(request)}
    except Refused as refusal:
        return {"id": request["id"], "ok": False, "code": str(refusal)}


if __name__ == "__main__":
    for line in sys.stdin.buffer:
        # Flushed line by line: the runner waits for an answer.
        print(json.dumps(answer(line)), flush=True)
