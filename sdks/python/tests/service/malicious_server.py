"""A service that lies: a transport that changes the real one's answers on their way, and can sign as it does."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from hashlib import sha512
from pathlib import Path
from typing import Any

import httpx

from svc._kernel.reference.curve import BASE, L, P, Point, sum_of_products
from svc._objects.hashing import digest, sealed_bytes
from svc._objects.receipt import head_hash, payload_hash
from svc._trust.policy import kid_of

# Makes another body of an answer's; the path includes its query.
Lie = Callable[[Any, str], Any]
_OF_RECEIPT = (
    "stream_id",
    "stream_event_id",
    "seq_no",
    "event_hash",
    "previous_event_hash",
    "stream_head_hash",
)


def honest(body: Any, path: str) -> Any:
    """Change nothing."""
    return body


class MaliciousServer(httpx.BaseTransport):
    """It tells the truth until `tell` gives it a lie."""

    def __init__(self, data_folder: str) -> None:
        self._inner = httpx.HTTPTransport()
        self._lie: Lie = honest
        lines = (Path(data_folder) / "signing-key.pem").read_text().splitlines()
        self._own = Signer(base64.b64decode("".join(lines[1:-1]))[-32:])
        self._stranger = Signer(bytes(range(32)))

    def tell(self, lie: Lie) -> None:
        """Change answers by this lie from now on."""
        self._lie = lie

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = self._inner.handle_request(request)
        body = response.read()
        if response.is_success:
            path = request.url.raw_path.decode()
            body = json.dumps(self._lie(json.loads(body), path)).encode()
        return httpx.Response(response.status_code, headers={"content-type": "application/json"}, content=body)

    def resealed(self, record: dict[str, Any], by_a_stranger: bool = False, **changes: Any) -> dict[str, Any]:
        """Return the record, changed and sealed with the service's own key or a stranger's."""
        signer = self._stranger if by_a_stranger else self._own
        made = {**record, **changes}
        made["payload_hash"] = payload_hash(made["payload"], made["payload_salt"])
        left_out = ("payload", "payload_salt", "event_hash", "stream_head_hash", "receipt")
        made["event_hash"] = digest("event", {name: made[name] for name in made if name not in left_out})
        made["stream_head_hash"] = head_hash(made["stream_id"], made["seq_no"], made["event_hash"])
        message = sealed_bytes("receipt", {name: made[name] for name in _OF_RECEIPT}, signer.kid)
        signature = signer.sign(message).hex()
        made["receipt"] = {
            "protocol": "SVC-PROOFSTREAM-001", "alg": "Ed25519", "kid": signer.kid, "signature": signature
        }  # fmt: skip
        return made


class Signer:
    """Signs by RFC 8032."""

    def __init__(self, seed: bytes) -> None:
        digest = sha512(seed).digest()
        scalar = bytearray(digest[:32])
        scalar[0] &= 248
        scalar[31] = scalar[31] & 127 | 64
        self._scalar = int.from_bytes(scalar, "little")
        self._prefix = digest[32:]
        self.public_key = _encoded(self._scalar)
        self.kid = kid_of(self.public_key)

    def sign(self, message: bytes) -> bytes:
        r = _number(self._prefix + message)
        encoded = _encoded(r)
        k = _number(encoded + self.public_key + message)
        return encoded + ((r + k * self._scalar) % L).to_bytes(32, "little")


def _number(data: bytes) -> int:
    return int.from_bytes(sha512(data).digest(), "little") % L


def _encoded(scalar: int) -> bytes:
    base: Point | None = BASE
    assert base is not None
    x, y, z, _ = sum_of_products([(scalar, base)])
    inverse = pow(z, -1, P)
    return ((y * inverse % P) | (x * inverse % P & 1) << 255).to_bytes(32, "little")
