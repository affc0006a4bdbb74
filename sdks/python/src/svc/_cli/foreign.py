"""Recognizes files that are no evidence: another format, another encoding, a key, a letter.

They get no verdict, and accuse nobody. A file that bears the marks of evidence, or may be the beginning of evidence,
stays rejected. No byte of the input is ever quoted: it may be a private key.
"""

from __future__ import annotations

import re
from typing import Any

from .._generated.words import EVIDENCE_MARKS, EVIDENCE_OF_OTHER_KINDS, OTHER_FORMATS
from .._kernel.interface import JsonFault, Kernel, TooLarge
from .._notes.signed_note import parse_note
from .._report.model import Report
from .._verify.kinds import find_kind
from .._words.problem import ends_early
from .exit import INPUT, Refusal

_LOOKED_AT = 4096
_BEGINNINGS = (
    (b"\x1f\x8b", "gzip"), (b"\x28\xb5\x2f\xfd", "zstd"), (b"\xfd7zXZ\x00", "xz"), (b"BZh", "bzip2"),
    (b"7z\xbc\xaf\x27\x1c", "7z"), (b"%PDF", "pdf"), (b"\x89PNG", "image"), (b"\xff\xd8\xff", "image"),
    (b"GIF8", "image"), (b"RIFF", "image"), (b"II*\x00", "image"), (b"MM\x00*", "image"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "office"), (b"SQLite f", "sqlite"),
    # UTF-32 comes before UTF-16, whose mark is its beginning.
    (b"\xff\xfe\x00\x00", "utf-32"), (b"\x00\x00\xfe\xff", "utf-32"),
)  # fmt: skip
_ARCHIVES = ((b"PK\x03\x04", "zip"), (b"PK\x05\x06", "empty-zip"))
_UTF_16 = re.compile(rb"\xff\xfe|\xfe\xff|[{\[]\x00[\s\S]\x00|\x00[{\[]\x00", re.DOTALL)
_TEXTS = (
    (re.compile(r"\s*<[!?/a-z]", re.IGNORECASE), "html"),
    (re.compile(r"\s*[^\s{[\"][\s\S]*PRIVATE KEY-----"), "private-key"),
    (re.compile(r"\s*-----BEGIN "), "pem"),
    (re.compile(r"\s*[0-9a-fA-F]{64}\s*\Z"), "hex"),
    (re.compile(r"\s*[^+\s]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*\s*\Z"), "verifier-key"),
    (re.compile(r"c2sp\.org/tlog-proof@"), "tlog-proof"),
    (
        re.compile(
            r"(?:From \S+@|(?:From|To|Cc|Subject|Date|Received|Return-Path|Delivered-To|Reply-To|Message-ID|"
            r"MIME-Version|DKIM-Signature|X-[\w-]+):[ \t]\S)",
            re.IGNORECASE,
        ),
        "mail",
    ),
)
_CHECK_FILE = "Check that it is the file you meant."
_ASK_FOR_FILE = "Ask for the evidence itself; a document about it cannot be verified."
_UNPACK = "Unpack it first."
_ACTIONS = {
    **dict.fromkeys(("zstd", "xz", "bzip2", "7z", "tar"), _UNPACK),
    **dict.fromkeys(("pdf", "image", "word", "office"), _ASK_FOR_FILE),
    "empty": "Check that it was downloaded, and that nothing wrote over it.",
    "gzip": "Unpack it first: gunzip -c FILE | svc verify -",
    "utf-32": "Ask for the original file.",
    "utf-16": "A program saved it anew, as PowerShell does with >. Take the original, or convert it: "
    "iconv -f UTF-16 -t UTF-8",
    "zip": "If it is a truth package, svc verify truth-package checks it.",
    "byte-order-mark": "An editor put it there. Take the original, or cut the first three bytes off: tail -c +4 FILE",
    "html": "A server may have sent an error or a login page in its place. Open it in a browser, and download the "
    "file again.",
    "private-key": "Keep it secret; no command that verifies needs it. Nothing of it was shown.",
    "pem": "Give the evidence here, and the key in hex with --public-key-hex.",
    "hex": "Give the evidence here, and a public key with --public-key-hex.",
    "verifier-key": "Give the evidence here; svc trust add takes such a key with --witness.",
    "mail": "Save its attachment as a file, and give that here.",
    "base64": "Decode it first: base64 -d FILE | svc verify -",
    "tlog-proof": "Verify the bundle or the portable receipt of the same event, or give this to a program that reads "
    "C2SP tlog-proofs.",
    "json-lines": "Put each line into its own file, and verify the folder: split -l 1 --additional-suffix=.json FILE "
    "part-",
    "json-array": "Put each object into its own file, and verify the folder.",
    "list": "Get the receipt of an event, or an audit pack of a range, and verify that.",
    "package-part": "Its parts hold only together: verify the archive that it came out of.",
    "note": "Verify the bundle or the checkpoint that it is from; svc forks find compares two notes.",
    "other-zip": "If evidence is in it, unpack it first, and verify what is inside.",
    "report": "Verify the file that it is about: a report proves nothing by itself.",
    "csv": "If it came out of a truth package, verify the package itself.",
}
_NAMES = frozenset(EVIDENCE_MARKS)
_PROTOCOL = r"SVC-(?:PROOFSTREAM|TRUTH-PACKAGE|PROVENANCE|PROVIDER-RESULT|VAULT-ATTESTATION|IVC-RECOMPUTE)-[0-9]"
_IS_PROTOCOL = re.compile(_PROTOCOL).match
_MANIFEST = "svc.truth-package.manifest.json"
# A name before its colon in text that is no JSON, with quotes or without.
_IN_TEXT = re.compile(
    f"(?:{'|'.join(map(re.escape, EVIDENCE_MARKS))})[^\\w:;,{{}}\\[\\]]*:|{_PROTOCOL}|{re.escape(_MANIFEST)}",
    re.IGNORECASE | re.ASCII,
).search
_ESCAPE = re.compile(r"\\u00([0-7][0-9a-f])", re.IGNORECASE)
_SPACE = re.compile(r"\s+")
_OVERLAP = 4096
_ENTRY = re.compile(rb"PK(?:\x03\x04[\s\S]{22}([\s\S]{2})[\s\S]{2}|\x01\x02[\s\S]{24}([\s\S]{2})[\s\S]{16})")
# What a service answers with where it lists objects: the member that is the list, and the others.
_ANSWERS_WITH_LISTS = (("items", ("next_cursor",)), ("receipts", ()), ("endorsements", ("keys", "origin")))
_REPORT_MEMBERS = ("verdict", "checks", "problems", "verifier")
_FORM_CHECKS = ("json", "shape", "archive")


def other_format(data: bytes, reads_packages: bool = False) -> str | None:
    """Return the format of bytes that are recognizably no evidence; None for all others, evidence or not."""
    if not data:
        return "empty"
    for beginning, name in _BEGINNINGS if reads_packages else (*_BEGINNINGS, *_ARCHIVES):
        if data.startswith(beginning):
            return name
    if _UTF_16.match(data[:8]):
        return "utf-16"
    if data.startswith(b"\xef\xbb\xbf"):
        return "byte-order-mark"
    if data[257:262] == b"ustar":
        return "tar"
    text = data[:_LOOKED_AT].decode("utf-8", "replace")
    for pattern, name in _TEXTS:
        if pattern.match(text):
            return name
    return "base64" if _is_base64(text) else None


def _is_base64(text: str) -> bool:
    lines = re.split(r"\r?\n", text.strip())
    return (
        re.search("[g-z]", text, re.IGNORECASE) is not None
        and len(lines[0]) >= 60
        and all(re.fullmatch("[A-Za-z0-9+/_-]+={0,2}", line) for line in lines)
    )


def what_is_other(data: bytes) -> tuple[str, str] | None:
    """Return what recognizably is no evidence, as the end of a sentence, and the next step."""
    name = other_format(data)
    return None if name is None else (OTHER_FORMATS[name], _ACTIONS.get(name, _CHECK_FILE))


def refuse_other(named: str, data: bytes, reads_packages: bool) -> None:
    """Refuse bytes that are recognizably no evidence. `named`: the file at the start of a sentence."""
    _refuse(named, other_format(data, reads_packages))


def refuse_foreign(named: str, report: Report, kernel: Kernel, data: bytes) -> None:
    """Refuse a file that was rejected for its form and that is not SVC's."""
    if not any(one.id in _FORM_CHECKS and one.status == "fail" for one in report.checks):
        return
    if any(one.code == "kernels_disagree" for one in report.problems):
        return
    value: Any = _NOTHING
    if data[:2] != b"PK":
        try:
            value = kernel.parse(data)
        except (JsonFault, TooLarge):
            value = _NOTHING
    kind = "truth-package" if data[:2] == b"PK" else find_kind(value) if isinstance(value, dict) else None
    if kind is None and _is_trust_file(value):
        message = f"{named} is a trust policy, not evidence."
        raise Refusal(INPUT, message, "Give it with --trust, and the evidence here.", "no evidence")
    is_lines = value is _NOTHING and _is_lines(kernel, data)
    _refuse(named, _foreign(report, data, value, kind, is_lines))


_NOTHING = object()


def _refuse(named: str, name: str | None) -> None:
    if name is None:
        return
    outcome = "not checked" if name in EVIDENCE_OF_OTHER_KINDS else "no evidence"
    raise Refusal(INPUT, f"{named} is {OTHER_FORMATS[name]}", _ACTIONS.get(name, _CHECK_FILE), outcome)  # type: ignore[arg-type]


def _foreign(report: Report, data: bytes, value: Any, kind: str | None, is_lines: bool) -> str | None:
    if data[:2] == b"PK" and len(data) > 2 and data[2] < 8:
        return _foreign_archive(data)
    if kind != "truth-package":
        wrapping = ("json-lines" if is_lines else None) if value is _NOTHING else _wrapping(value)
        if wrapping is not None:
            return wrapping
    # Text in JSON quotes may be evidence that somebody has quoted once more.
    if value is not _NOTHING and not isinstance(value, str):
        if kind is not None or bears_marks(value):
            return None
        return "report" if isinstance(value, dict) and all(one in value for one in _REPORT_MEMBERS) else "json"
    if _text_bears_marks(data):
        return None
    return _foreign_text(report, data) if value is _NOTHING else "json"


def _wrapping(value: Any) -> str | None:
    """Return how a value wraps evidence that may be honest; None if it does not."""
    if isinstance(value, list):
        return "json-array" if _are_evidence(value) else None
    if isinstance(value, dict) and _is_answer_with_list(value):
        return "list"
    if not isinstance(value, dict) or value.get("format") != "SVC-TRUTH-PACKAGE-001":
        return None
    # The artifacts of a bundle are no list.
    return "package-part" if all(isinstance(value.get(name), list) for name in ("ranges", "artifacts")) else None


def _is_answer_with_list(value: dict[str, Any]) -> bool:
    """Return whether a value is what a service answers with where it lists objects: a page, receipts, its keys.

    It has these members and no other, so that nobody makes broken evidence one by a member more.
    """
    for name, others in _ANSWERS_WITH_LISTS:
        if set(value) == {name, *others}:
            return _are_evidence(value[name]) and not any(bears_marks(value[other]) for other in others)
    return False


def _are_evidence(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 0 and all(_is_evidence(one) for one in value)


def _is_evidence(value: Any) -> bool:
    return isinstance(value, dict) and find_kind(value) is not None


def _is_lines(kernel: Kernel, data: bytes) -> bool:
    """Return whether the first two lines of a text are evidence each."""
    first = data.find(b"\n")
    if first < 0:
        return False
    second = data.find(b"\n", first + 1)
    try:
        lines = (data[:first], data[first + 1 : second if second >= 0 else len(data)])
        return all(_is_evidence(kernel.parse(line)) for line in lines)
    except (JsonFault, TooLarge):
        return False


def _foreign_archive(data: bytes) -> str | None:
    names = []
    for match in _ENTRY.finditer(data):
        length = int.from_bytes(match[1] or match[2], "little")
        name = data[match.end() : match.end() + min(length, 512)]
        if name:
            names.append(name.decode("utf-8", "replace"))
    if any(re.sub(r"^.*[/\\]", "", name.lower(), flags=re.DOTALL) in (_MANIFEST, "proofs.json") for name in names):
        return None
    if not names:
        return "empty-zip" if data[2] == 5 else None
    if any(name.startswith("word/") for name in names):
        return "word"
    if any(re.match("(xl|ppt)/|mimetype$", name) for name in names):
        return "office"
    # A truncated file may have been evidence.
    return "other-zip" if b"PK\x05\x06" in data else None


def _foreign_text(report: Report, data: bytes) -> str | None:
    text = data[:_LOOKED_AT].decode("utf-8", "replace")
    if re.match(r"\s*[{[]", text):
        # A truncated file may have been evidence.
        first = report.problems[0] if report.problems else None
        offset = int(first.actual) if first is not None and (first.actual or "").isdecimal() else len(data)  # type: ignore[arg-type]
        return None if ends_early(data, offset) else "no-json"
    # A character that is cut in half at the end is no sign of another encoding.
    if re.search("[\0\ufffd]", text[:-4]):
        return "binary"
    if len(data) <= 1 << 20 and parse_note(data.decode("utf-8", "replace")) is not None:
        return "note"
    lines = (*re.split(r"\r?\n", text), "")[:2]
    counts = [tuple(line.count(separator) for line in lines) for separator in ",;\t"]
    return "csv" if any(first > 0 and first == second for first, second in counts) else "text"


def bears_marks(value: Any) -> bool:
    """Return whether a JSON value has, at any depth, a member or a text that only evidence has."""
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, str) and _IS_PROTOCOL(one):
            return True
        if isinstance(one, dict):
            if not _NAMES.isdisjoint(one):
                return True
            left.extend(one.values())
        elif isinstance(one, list):
            left.extend(one)
    return False


def _text_bears_marks(data: bytes) -> bool:
    """Return whether bytes that are no JSON bear the marks. Neither white space nor escapes hide one."""
    for at in range(0, len(data), 1 << 20):
        text = data[at : at + (1 << 20) + _OVERLAP].decode("latin-1")
        plain = _SPACE.sub("", _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text))
        if _IN_TEXT(plain):
            return True
    return False


def _is_trust_file(value: Any) -> bool:
    """Return whether a value of no kind is a trust policy, or tries to be one.

    Broken evidence with a member `signers` added stays evidence by its marks.
    """
    if not isinstance(value, dict) or not isinstance(value.get("signers"), list):
        return False
    others = {name: one for name, one in value.items() if name not in ("known_checkpoints", "key_status")}
    checkpoints = _each(value.get("known_checkpoints"), ("checkpoint_root",))
    statuses = _each(value.get("key_status"), ("revocationInstantReconstructed", "seal"))
    return not any(map(bears_marks, (others, checkpoints, statuses)))


def _each(value: Any, left_out: tuple[str, ...]) -> Any:
    if not isinstance(value, list):
        return value
    return [
        {name: member for name, member in one.items() if name not in left_out} if isinstance(one, dict) else one
        for one in value
    ]
