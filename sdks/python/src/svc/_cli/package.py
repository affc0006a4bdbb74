"""`verify truth-package`: its own options, and the body by which a service learns that its package was verified."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Any

from .._archive.read import read_archive, unpack
from .._kernel.interface import Kernel
from .._report.model import Report
from .._verify.truth_package import ARTIFACTS, MANIFEST
from .._version import VERSION
from .arguments import Call
from .exit import REJECTED, Refusal, usage
from .options import HELP_LINE, PACKAGE_OPTIONS

_IS_ACCESS = re.compile("tpa_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}").fullmatch
_HEX = "64 lowercase hex characters."
# A fault of an artifact itself has the artifact for its path.
_IS_OF_ARTIFACT = re.compile("a(rtifact|rchive)_").match


def require_package_options(call: Call) -> None:
    """Refuse values that cannot be meant."""
    for name, what in (("sha256", "A SHA-256"), ("challenge", "A challenge")):
        text = call.one(name)
        if text is not None and re.fullmatch("[0-9a-f]{64}", text) is None:
            is_upper = re.fullmatch("[0-9a-fA-F]{64}", text)
            raise _invalid(name, text, "Write it in lowercase." if is_upper else f"{what} is {_HEX}")
    access = call.one("access-id")
    if access is not None and _IS_ACCESS(access) is None:
        raise _invalid("access-id", access, "An access is named by tpa_ and 26 characters.")


def require_same_package(named: str, data: bytes, call: Call) -> None:
    """Refuse another file than the one that the call means."""
    actual = sha256(data).hexdigest()
    if call.one("sha256") not in (None, actual):
        raise Refusal(
            REJECTED,
            f"{named} is another file than the one that you mean: its SHA-256 is {actual}.",
            "Ask for the package again where you got its SHA-256, and keep this one as evidence.",
        )


def package_report(report: Report, kernel: Kernel, data: bytes, call: Call) -> dict[str, Any]:
    """Return the body of a report to the service; `proof` shows that its sender holds every byte of the package."""
    manifest, challenge = _manifest_of(kernel, data), call.one("challenge")
    return {
        "verifierKind": "svc-python",
        "verifierVersion": VERSION,
        "accessId": call.one("access-id"),
        "proof": None if challenge is None else sha256(challenge.encode() + data).hexdigest(),
        "verificationReport": {
            "ok": report.ok,
            "packageSha256": sha256(data).hexdigest(),
            "manifestSha256": None if manifest is None else sha256(manifest).hexdigest(),
            "verifiedArtifacts": _verified_artifacts(report),
            "problems": report.to_dict()["problems"],
        },
    }


def _manifest_of(kernel: Kernel, data: bytes) -> bytes | None:
    """Return the bytes of the manifest; None if it cannot be read."""
    content = bytearray()
    entries, faults = read_archive(data)
    entry = None if faults else next((one for one in entries if one.path == MANIFEST), None)
    return None if entry is None or not unpack(kernel, entry, content.extend) else bytes(content)


def _verified_artifacts(report: Report) -> int:
    if not any(one.id == "manifest" and (one.count or 0) > 0 for one in report.checks):
        return 0
    damaged = {one.path for one in report.problems if _IS_OF_ARTIFACT(one.code)}
    return sum(f"/{name}" not in damaged for name in ARTIFACTS)


def _invalid(name: str, text: str, reason: str) -> Refusal:
    value = PACKAGE_OPTIONS[name].value
    return usage(f"option '--{name} <{value}>' argument '{text}' is invalid. {reason}", HELP_LINE)
