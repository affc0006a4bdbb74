"""Signatures alone: COUNT. Checks them with a loop of PyNaCl and in batches of the compiled kernel, and prints the
processor time of both, in milliseconds, and whether all hold."""

import json
import sys
import time

from nacl.signing import SigningKey, VerifyKey
from svc._kernel.interface import SignatureItem
from svc._kernel.select import load_kernel

_BATCH = 1024
_BYTES = 200

count = int(sys.argv[1])
key = SigningKey(bytes(range(32)))
public = bytes(key.verify_key)
items = []
for number in range(count):
    message = number.to_bytes(8, "big").ljust(_BYTES, b"x")
    items.append(SignatureItem(public, message, key.sign(message).signature))
kernel = load_kernel("wasm")
kernel.verify_ed25519(items[:_BATCH])

start = time.process_time()
verdicts: list[bool] = []
for at in range(0, count, _BATCH):
    verdicts += kernel.verify_ed25519(items[at : at + _BATCH])
own = time.process_time() - start

start = time.process_time()
yardstick = VerifyKey(public)
for item in items:
    yardstick.verify(item.message, item.signature)
plain = time.process_time() - start
print(json.dumps({"ok": all(verdicts), "count": len(verdicts), "own_ms": 1000 * own, "plain_ms": 1000 * plain}))
