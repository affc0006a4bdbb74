"""One trust policy from the options of a call, a file and the environment (protocol section 16).

A call that names nobody uses the caller's own trust file, as the npm `svc` does. Demands of the call add to the policy,
and never ask for less.
"""

from __future__ import annotations

import os
import re
from base64 import b64decode
from collections.abc import Mapping
from typing import Any

from .._generated.codes import CODES
from .._generated.kinds import KINDS
from .._kernel.interface import JsonFault, Kernel
from .._schema.formats import has_format
from .._trust.policy import kid_of, read_trust
from .._verify.kinds import find_kind
from .arguments import Call, ordinal
from .exit import usage
from .files import is_standard_input, read_input
from .foreign import what_is_other

Policy = dict[str, Any]
REQUIREMENTS = ("included", "witnessed", "published", "anchored")
_MAX_QUORUM_BYTES = 8 * 1024**2
_GIVE_HEX = "Give the raw Ed25519 public key as 64 lowercase hex characters."
# The bytes before the raw key in the SPKI form of an Ed25519 key (RFC 8410).
_SPKI_PREFIX = "302a300506032b6570032100"
_PEM = r"\s*-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]*)-----END PUBLIC KEY-----\s*"
_HELP = '"svc verify --help" shows how it is called.'


def own_trust_file(environment: Mapping[str, str]) -> str | None:
    """Return the caller's own trust file: SVC_TRUST, or the usual one if it is there."""
    named = environment.get("SVC_TRUST", "")
    if named:
        return named
    home = environment.get("HOME", "") or environment.get("USERPROFILE", "")
    # The XDG base directory specification: a relative path there must be ignored.
    folder = environment.get("XDG_CONFIG_HOME", "")
    if not os.path.isabs(folder):
        folder = os.path.join(home, ".config") if home else ""
    path = os.path.join(folder, "svc", "trust.json") if folder else ""
    return path if path and os.path.exists(path) else None


def trust_file_of(call: Call, environment: Mapping[str, str]) -> str | None:
    """Return the trust file of a call; None where it names keys alone, or nobody."""
    named = call.one("trust")
    return named if named is not None or call.has("public-key-hex") else own_trust_file(environment)


def policy_of(call: Call, file: str | None, kernel: Kernel) -> Policy | None:
    """Return the policy of a call; None where nobody is trusted and nothing is demanded. Raises Refusal (64, 66)."""
    keys = list(dict.fromkeys(map(_public_key, call.all("public-key-hex"))))
    policy: Policy | None = None if file is None else _read(file, read_input(file), kernel)
    if keys:
        pins = [{"kid": kid_of(bytes.fromhex(key)), "public_key_hex": key} for key in keys]
        policy = {**(policy or {}), "signers": [*(policy or {"signers": []})["signers"], *pins]}
    return _tightened(call, policy)


def _read(file: str, data: bytes, kernel: Kernel) -> Policy:
    name = "from standard input" if file == "-" else f'"{file}"'
    other = what_is_other(data)
    if other is not None:
        action = (
            'A trust policy is JSON in UTF-8, without a byte-order mark; "svc trust --help" keeps one.'
            if data
            else "Check that it is the file you meant."
        )
        raise usage(f"The trust file {name} is {other[0]}", action)
    try:
        value = kernel.parse(data)
    except JsonFault as fault:
        line, column = data.count(b"\n", 0, fault.offset) + 1, fault.offset - data.rfind(b"\n", 0, fault.offset)
        message = f"The trust file {name} is not JSON as svc reads it: {fault.code} at line {line}, byte {column}."
        raise usage(message, CODES[fault.code]["meaning"]) from None
    faults = read_trust(value)[1]
    if not faults:
        policy: Policy = value
        return policy
    kind = find_kind(value) if isinstance(value, dict) else None
    if kind is not None:
        noun = KINDS[kind]["noun"]
        raise usage(
            f"The trust file {name} looks like {noun}, which is evidence and says nothing of whom you trust.",
            "Name it as the file, and give your own trust policy with --trust.",
        )
    place = faults[0].path.removeprefix("trust:")
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    at = f" at {place}" if place else ""
    raise usage(
        f"The trust file {name} is no trust policy: {faults[0].code}{at}{more}. {faults[0].message}",
        "Correct the file; protocol section 16 names every member of a trust policy.",
    )


def _tightened(call: Call, policy: Policy | None) -> Policy | None:
    stream, first, last = call.one("stream"), ordinal(call, "from"), ordinal(call, "to")
    if stream is not None and not re.fullmatch("str_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}", stream):
        reason = "A stream is named by str_ and 26 characters."
        raise usage(f"option '--stream <id>' argument '{stream}' is invalid. {reason}", _HELP)
    quorum, require = _quorum(call.one("quorum")), _requirements(call)
    if (stream, first, last, quorum) == (None,) * 4 and not require:
        return policy
    found = {"signers": [], **(policy or {})}
    expect = _expected(dict(found.get("expect", {})), stream, first, last)
    if expect:
        found["expect"] = expect
    if quorum is not None:
        found["quorum"] = _joined(found.get("quorum"), quorum)
    if require:
        found["require"] = list(dict.fromkeys([*found.get("require", []), *require]))
    faults = read_trust(found)[1]
    if faults:
        raise usage(
            f"--quorum: the file is no C2SP tlog-policy: {faults[0].message}",
            "Correct the file, or give a number of witnesses.",
        )
    return found


def _expected(expect: Policy, stream: str | None, first: int | None, last: int | None) -> Policy:
    if stream is not None:
        own = expect.setdefault("stream_id", stream)
        if own != stream:
            message = f"--stream asks for {stream}, and your trust file expects {own}."
            raise usage(message, "Evidence cannot be of both. Leave one of them out.")
    start, end = expect.get("from_seq_no"), expect.get("to_seq_no")
    start = first if start is None else start if first is None else min(start, first)
    end = last if end is None else end if last is None else max(end, last)
    if first is not None and end is not None and first > end:
        raise usage(f"--from {first} is behind the last event expected, {end}.", "Exchange them.")
    if last is not None and start is not None and start > last:
        raise usage(f"--to {last} is before the first event expected, {start}.", "Exchange them.")
    return {
        **expect,
        **({} if start is None else {"from_seq_no": start}),
        **({} if end is None else {"to_seq_no": end}),
    }


def _joined(own: int | str | None, asked: int | str) -> int | str:
    if own is None or own == asked:
        return asked
    if isinstance(own, int) and isinstance(asked, int):
        return max(own, asked)
    raise usage(
        "--quorum and your trust file ask for witnesses in ways that cannot be joined: one is a tlog-policy, the "
        "other is not the same.",
        "Leave --quorum out, or use a trust file without a quorum.",
    )


def _quorum(given: str | None) -> int | str | None:
    if given is None:
        return None
    if not re.fullmatch("[0-9]+", given):
        return read_input(given, _MAX_QUORUM_BYTES).decode("utf-8", "replace")
    if re.fullmatch("[1-9][0-9]{0,8}", given):
        return int(given)
    action = "Give a whole number from 1 on, or the path of a tlog-policy."
    raise usage(f'--quorum: "{given}" is no number of witnesses.', action)


def _requirements(call: Call) -> list[str]:
    found: list[str] = []
    for text in call.all("require"):
        for word in text.split(","):
            if word not in REQUIREMENTS:
                reason = (
                    "A bundle with a gap is rejected in any case; which events must be there, --from and --to say."
                    if word == "complete"
                    else f'"{word}" is not one of {", ".join(REQUIREMENTS)}.'
                )
                raise usage(f"option '--require <what>' argument '{text}' is invalid. {reason}", _HELP)
            found.append(word)
    return list(dict.fromkeys(found))


def names_of(file: str | None, kernel: Kernel) -> dict[str, str]:
    """Return the caller's own names for keys, which are in `<trust file>.names`. No verdict depends on them."""
    path = None if file is None or is_standard_input(file) else f"{file}.names"
    if path is None or not os.path.exists(path):
        return {}
    try:
        value = kernel.parse(read_input(path))
    except JsonFault:
        value = None
    if isinstance(value, dict) and all(has_format("kid", kid) and isinstance(one, str) for kid, one in value.items()):
        return value
    raise usage(
        f'"{path}" does not hold names of keys: it must be a JSON object from key identifiers to texts.',
        "Correct it, or delete it: it holds nothing but names.",
    )


def _public_key(given: str) -> str:
    """Return a public key in hex, in each form in which people write one. No value is repeated: it may be private."""
    text = _raw_key_in(given) or _plain_hex(given)
    if re.fullmatch("[0-9a-f]{64}", text):
        return text
    what, action = _mistake(text)
    raise usage(f"--public-key-hex: {what}", action)


def _plain_hex(given: str) -> str:
    """Return hex digits without what people put before and between them; any other text as it is."""
    digits = given.strip()
    if digits[:2] in ("0x", "0X"):
        digits = digits[2:]
    return re.sub(r"[\s:]", "", digits).lower() if re.fullmatch(r"[0-9a-fA-F\s:]+", digits) else given


def _raw_key_in(given: str) -> str | None:
    """Return the raw key of a public key in PEM, in hex; None for any other text."""
    found = re.fullmatch(_PEM, given)
    try:
        text = "" if found is None else b64decode("".join(found[1].split()), validate=True).hex()
    except ValueError:
        return None
    return text[len(_SPKI_PREFIX) :] if text.startswith(_SPKI_PREFIX) and len(text) == len(_SPKI_PREFIX) + 64 else None


def _mistake(text: str) -> tuple[str, str]:
    if text == "":
        return "the key is empty.", f"{_GIVE_HEX} Is a variable unset?"
    if "PRIVATE KEY" in text:
        return "this is a private key in PEM.", f"Keep it secret; it is not needed here. {_GIVE_HEX}"
    if "-----BEGIN" in text:
        return "this PEM holds no whole public key of Ed25519.", _GIVE_HEX
    if text.startswith("ssh-"):
        return "this is an SSH key, not hex.", _GIVE_HEX
    if re.fullmatch("ed25519-[0-9a-f]*", text, re.IGNORECASE):
        return "this is a key's fingerprint, not the key.", f"{_GIVE_HEX} A fingerprint is only for comparing."
    if re.fullmatch("[0-9a-fA-F]+", text):
        long = " That is the length of a signature, or of a private key." if len(text) == 128 else ""
        return f"the key has {len(text)} characters and must have 64.{long}", f"{_GIVE_HEX} Was all of it copied?"
    if "\0" not in text and os.path.exists(text):
        return "this is a file, not a key.", f"{_GIVE_HEX} The key is inside the file."
    if re.search(r"\.(pem|pub|key|hex|txt|json|der)\Z", text, re.IGNORECASE):
        return "this looks like the name of a file, not a key.", f"{_GIVE_HEX} The key is inside the file."
    if re.fullmatch(r"[^+\s]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*", text):
        return "this is a verifier key of a signed note (name+id+key), not hex.", _GIVE_HEX
    if re.fullmatch("[A-Za-z0-9+/_-]{43}=?", text):
        return "this looks like base64, not hex.", _GIVE_HEX
    at = next(index for index, character in enumerate(text) if character not in "0123456789abcdefABCDEF")
    return f"character {at + 1} of the key is not a hex digit.", _GIVE_HEX
