"""The patterns of texts, each for a whole text, and the ranges of the property White_Space."""

# Written by `pnpm spec` from spec/. Do not edit it.

from __future__ import annotations

from typing import Any

FORMATS: dict[str, Any] = {
    "hash": {"description": "64 lowercase hex characters", "is_format": False, "pattern": "[0-9a-f]{64}"},
    "signature": {"description": "128 lowercase hex characters", "is_format": False, "pattern": "[0-9a-f]{128}"},
    "salt": {"description": "32 lowercase hex characters", "is_format": False, "pattern": "[0-9a-f]{32}"},
    "kid": {"description": "ed25519- and 16 lowercase hex characters", "is_format": False, "pattern": "ed25519-[0-9a-f]{16}"},
    "tenant-id": {
        "description": "tnt_ and a lowercase ULID",
        "is_format": False,
        "pattern": "tnt_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}",
    },
    "system-id": {
        "description": "sys_ and a lowercase ULID",
        "is_format": False,
        "pattern": "sys_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}",
    },
    "stream-id": {
        "description": "str_ and a lowercase ULID",
        "is_format": False,
        "pattern": "str_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}",
    },
    "event-id": {
        "description": "sev_ and a lowercase ULID",
        "is_format": False,
        "pattern": "sev_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}",
    },
    "window-id": {
        "description": "win_ and a lowercase ULID",
        "is_format": False,
        "pattern": "win_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}",
    },
    "checkpoint-id": {
        "description": "chk_ and a lowercase ULID",
        "is_format": False,
        "pattern": "chk_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}",
    },
    "anchor-id": {
        "description": "anc_ and a lowercase ULID",
        "is_format": False,
        "pattern": "anc_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}",
    },
    "fork-id": {
        "description": "frk_ and a lowercase ULID",
        "is_format": False,
        "pattern": "frk_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}",
    },
    "bundle-id": {
        "description": "bundle_ and a lowercase ULID",
        "is_format": False,
        "pattern": "bundle_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}",
    },
    "export-id": {
        "description": "exp_ and a lowercase ULID",
        "is_format": False,
        "pattern": "exp_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}",
    },
    "access-id": {
        "description": "tpa_ and a lowercase ULID",
        "is_format": False,
        "pattern": "tpa_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}",
    },
    "installation-id": {
        "description": "ins_ and a lowercase ULID",
        "is_format": False,
        "pattern": "ins_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}",
    },
    "attestation-id": {
        "description": "att_ and a lowercase ULID",
        "is_format": False,
        "pattern": "att_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}",
    },
    "challenge-id": {
        "description": "vch_ and a lowercase ULID",
        "is_format": False,
        "pattern": "vch_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}",
    },
    "enrollment-token-id": {
        "description": "enr_ and a lowercase ULID",
        "is_format": False,
        "pattern": "enr_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}",
    },
    "disclosure-id": {
        "description": "dsc_ and a lowercase ULID",
        "is_format": False,
        "pattern": "dsc_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}",
    },
    "ivc-epoch-id": {
        "description": "ivc_ and a lowercase ULID",
        "is_format": False,
        "pattern": "ivc_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}",
    },
    "slug": {
        "description": "1 to 64 of a-z 0-9 . _ -, a letter or digit first",
        "is_format": False,
        "pattern": "[a-z0-9][a-z0-9._-]{0,63}",
    },
    "event-type": {
        "description": "1 to 128 of A-Z a-z 0-9 . _ : / -, a letter or digit first",
        "is_format": False,
        "pattern": "[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}",
    },
    "source-ref": {
        "description": "1 to 512 Unicode characters, no control characters",
        "is_format": True,
        "pattern": "[^\u0000-\u001f\u007f-\u009f]{1,512}",
    },
    "service-time": {
        "description": "YYYY-MM-DDTHH:MM:SS.mmmZ, a real date",
        "is_format": True,
        "pattern": "[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\\.[0-9]{3}Z",
        "rule": {
            "id": "real-date",
            "words": "The day exists in its month by the Gregorian calendar: 30 days in April, June, September and November; in February 29 if the year is divisible by 4 and not by 100, or by 400, and 28 otherwise. Years are 0000 to 9999; there is no second 60.",
        },
    },
    "source-time": {
        "description": "RFC 3339 with T, Z or an offset, at most 9 fraction digits, a real date",
        "is_format": True,
        "pattern": "[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,9})?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])",
        "rule": {
            "id": "real-date",
            "words": "The day exists in its month by the Gregorian calendar: 30 days in April, June, September and November; in February 29 if the year is divisible by 4 and not by 100, or by 400, and 28 otherwise. Years are 0000 to 9999; there is no second 60.",
        },
    },
    "origin": {
        "description": "a schema-less URL in printable ASCII without spaces or +",
        "is_format": True,
        "pattern": "[!-*,-~]+",
        "rule": {"id": "origin", "words": "The text does not contain ://, and begins neither with / nor with SVC-."},
    },
    "key-name": {
        "description": "a C2SP key name: no spaces, no +",
        "is_format": True,
        "pattern": "[^+\u0000-\u001f\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+",
    },
    "hex": {"description": "lowercase hex, two digits a byte", "is_format": True, "pattern": "(?:[0-9a-f]{2})*"},
    "base64": {
        "description": "standard base64 with padding, canonical",
        "is_format": True,
        "pattern": "(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?",
    },
    "bytes32": {"description": "0x and 64 lowercase hex characters", "is_format": False, "pattern": "0x[0-9a-f]{64}"},
    "address": {"description": "0x and 40 lowercase hex characters", "is_format": False, "pattern": "0x[0-9a-f]{40}"},
    "network": {
        "description": "a CAIP-2 identifier, as eip155:1",
        "is_format": False,
        "pattern": "[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}",
    },
    "personal-name": {
        "description": "1 to 128 characters, no control characters",
        "is_format": False,
        "pattern": "[^\u0000-\u001f\u007f-\u009f]{1,128}",
    },
    "audience": {
        "description": "1 to 256 printable characters",
        "is_format": False,
        "pattern": "[^\u0000-\u001f\u007f-\u009f]{1,256}",
    },
    "hidden-source-ref": {"description": "psr_ and 64 lowercase hex characters", "is_format": False, "pattern": "psr_[0-9a-f]{64}"},
    "field-name": {
        "description": "1 to 64 of A-Z a-z 0-9 _ . -, a small letter first",
        "is_format": False,
        "pattern": "[a-z][A-Za-z0-9_.-]{0,63}",
    },
    "envelope-event-type": {
        "description": "2 to 4 words of a-z 0-9 - with points between them, each with a letter first, at most 64 characters",
        "is_format": False,
        "pattern": "[a-z][a-z0-9-]*(?:\\.[a-z][a-z0-9-]*){1,3}",
        "max_characters": 64,
    },
    "binding-algorithm": {"description": "1 to 128 of a-z 0-9 . -", "is_format": False, "pattern": "[a-z0-9.-]{1,128}"},
    "ak-name": {"description": "000b and 64 lowercase hex characters", "is_format": False, "pattern": "000b[0-9a-f]{64}"},
    "reason": {"description": "1 to 64 of a-z 0-9 _, a letter first", "is_format": False, "pattern": "[a-z][a-z0-9_]{0,63}"},
    "text-1-128": {"description": "1 to 128 characters", "is_format": False, "pattern": "[\u0000-\U0010ffff]{1,128}"},
    "text-1-512": {"description": "1 to 512 characters", "is_format": False, "pattern": "[\u0000-\U0010ffff]{1,512}"},
    "text-10-500": {"description": "10 to 500 characters", "is_format": False, "pattern": "[\u0000-\U0010ffff]{10,500}"},
}

WHITE_SPACE: list[Any] = [
    [9, 13],
    [32, 32],
    [133, 133],
    [160, 160],
    [5760, 5760],
    [8192, 8202],
    [8232, 8233],
    [8239, 8239],
    [8287, 8287],
    [12288, 12288],
]
