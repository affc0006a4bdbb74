"""Parts of the reference kernel beside others that share no code with them: zlib, and the compiled kernel."""

from __future__ import annotations

import random
import zlib

import pytest

from conftest import ROOT
from svc import KERNEL_SHA256
from svc._errors import KernelDamaged
from svc._keccak import keccak256
from svc._kernel.canonical import canonicalize
from svc._kernel.compiled.module import kernel_bytes, require_known
from svc._kernel.interface import JsonFault, Kernel
from svc._kernel.reference.numbers import text_of
from svc._kernel.select import load_kernel


def deflated(data: bytes, level: int) -> bytes:
    packer = zlib.compressobj(level, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def inflated(kernel: Kernel, packed: bytes, size: int) -> bytes | None:
    content = bytearray()
    return bytes(content) if kernel.inflate(packed, size, content.extend) else None


@pytest.mark.slow
@pytest.mark.parametrize("level", [0, 1, 6, 9])
def test_inflate_gives_what_zlib_packed(kernel: Kernel, level: int) -> None:
    source = random.Random(level)
    for length in (0, 1, 100, 70_000, 200_000):
        data = bytes(source.choice(b"abcdef\x00\xff") for _ in range(length))
        packed = deflated(data, level)
        assert inflated(kernel, packed, length) == data
        assert inflated(kernel, packed, length + 1) is None
        assert inflated(kernel, packed + b"\x00", length) is None
        assert inflated(kernel, packed[:-1], length) is None


@pytest.mark.slow
def test_inflate_agrees_about_damaged_streams() -> None:
    reference, compiled = load_kernel("reference"), load_kernel("wasm")
    source = random.Random(31)
    packed = deflated(bytes(source.choice(b"abcdefgh") for _ in range(400)), 9)
    for _ in range(1_500):
        damaged = bytearray(packed)
        damaged[source.randrange(len(damaged))] ^= 1 << source.randrange(8)
        assert inflated(reference, bytes(damaged), 400) == inflated(compiled, bytes(damaged), 400)


@pytest.mark.slow
def test_numbers_agree() -> None:
    compiled = load_kernel("wasm")
    source = random.Random(8785)
    for _ in range(3_000):
        value = source.choice((source.random(), 1.0)) * 10.0 ** source.randrange(-30, 30)
        text = repr(value).encode()
        assert compiled.canonical_text(text).decode() == text_of(value)


@pytest.mark.slow
def test_json_agrees_about_damaged_texts() -> None:
    reference, compiled = load_kernel("reference"), load_kernel("wasm")
    source = random.Random(2)
    text = '{"a":[1,2.5e3,-0,"\\ud83d\\ude00\\n",{"é":null}],"b":true,"c":9007199254740993}'.encode()
    for _ in range(6_000):
        damaged = bytearray(text)
        for _ in range(source.randrange(1, 4)):
            damaged[source.randrange(len(damaged))] = source.choice(b'{}[]",:\\u0123456789eE+-.tfn \x80\xff')
        outcomes = []
        for kernel in (reference, compiled):
            try:
                outcomes.append(canonicalize(kernel.parse(bytes(damaged))).decode())
            except JsonFault as fault:
                outcomes.append(f"{fault.code} {fault.offset}")
        assert outcomes[0] == outcomes[1], bytes(damaged)


def test_keccak() -> None:
    assert keccak256(b"").hex() == "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"
    assert keccak256(b"a" * 136).hex() == "a6c4d403279fe3e0af03729caada8374b5ca54d8065329a3ebcaeb4b60aa386e"


def test_the_kernel_is_the_committed_one() -> None:
    assert kernel_bytes() == (ROOT / "packages" / "wasm" / "kernel.wasm").read_bytes()
    assert f'"sha256": "{KERNEL_SHA256}"' in (ROOT / "packages" / "wasm" / "kernel.lock.json").read_text()


def test_a_damaged_kernel_is_refused() -> None:
    damaged = bytearray(kernel_bytes())
    damaged[1000] ^= 1
    with pytest.raises(KernelDamaged, match="Install the package again"):
        require_known(bytes(damaged))
