"""The options of `verify`, and its help."""

from __future__ import annotations

from .._words.text import wrap
from .arguments import Call, Option

HELP_LINE = '"svc verify --help" shows how it is called.'
OPTIONS = {
    "public-key-hex": Option("key", "a public key that you trust, 64 lowercase hex characters; repeatable", True),
    "trust": Option("path", "a trust policy (JSON)"),
    "stream": Option("id", "expect evidence of this stream"),
    "from": Option("number", "expect every event from this one on"),
    "to": Option("number", "expect every event up to this one"),
    "quorum": Option("count|path", "how many of your witnesses must have cosigned; or a tlog-policy"),
    "require": Option("what", "included, witnessed, published, anchored; repeatable, or with commas between", True),
    "link": Option(
        "path", "consistency evidence that links your known checkpoints; or the epoch before; repeatable", True
    ),
    "all": Option("", "say all that one file shows and does not, and what was not checked"),
    "json": Option("", "print the report as JSON, whole, on one line"),
    "report": Option("path", "write that JSON to a file too, also where there is no verdict"),
    "quiet": Option("", "print nothing but errors"),
    "kernel": Option("name", "what computes: compiled code, or plain Python", False, ("wasm", "reference")),
    "cross-check": Option("", "verify with both kernels; a verdict only if they agree"),
    "jobs": Option("number", "how many threads may check (default: one a core, at most 4)"),
    "color": Option("when", "when to colour", False, ("auto", "always", "never")),
    "file": Option("path", "the same as the word"),
    "help": Option("", "print this help"),
}
# Of `verify truth-package` alone.
PACKAGE_OPTIONS = {
    "sha256": Option("hex", "the SHA-256 that the file has to have"),
    "access-id": Option("id", "the access by which you got it, for --report"),
    "challenge": Option("hex", "the challenge that came with it, for --report"),
}


def package_words(call: Call) -> tuple[str, ...]:
    """Return the options of truth-package in a call, which a further call must repeat."""
    return tuple(f"--{name} {call.one(name)}" for name in PACKAGE_OPTIONS if call.has(name))


def help_of() -> list[str]:
    """Return the help of `verify`."""
    lines = [
        "Usage: python -m svc verify [options] <anything...>",
        "       python -m svc verify file|truth-package [options] <file>",
        "",
        "Verify files of any kind on this machine alone; no connection is opened.",
        "",
        "Arguments:",
        "  anything  files, folders (all *.json, *.zip, *.tlog-proof in them), patterns; -",
        "            for standard input",
        "",
        "Options:",
    ]
    lines += [*_table(OPTIONS), "", "Options of truth-package:", *_table(PACKAGE_OPTIONS)]
    return [
        *lines,
        "",
        "Exit codes: 0 verified, 1 rejected, 2 untrusted, 64 wrong call, 66 a file that",
        "cannot be read or is no evidence at all, or a --report that cannot be written,",
        "70 an error of svc itself. Of many files: 1 before 66 before 2.",
        "A fork under your trust ends with 1 too: two files that show it, or one that",
        "is evidence of it.",
        "",
        "Whom you trust: --trust and --public-key-hex; where neither is given, the file",
        "that $SVC_TRUST names, else svc/trust.json in $XDG_CONFIG_HOME, else",
        "~/.config/svc/trust.json.",
    ]


def _table(options: dict[str, Option]) -> list[str]:
    shown = {name: f"--{name}{f' <{one.value}>' if one.value else ''}" for name, one in options.items()}
    width = max(map(len, shown.values()))
    lines = []
    for name, one in options.items():
        label = f"  {shown[name].ljust(width)}  "
        choices = f" (choices: {', '.join(one.choices)})" if one.choices else ""
        lines += wrap(f"{one.about}{choices}", label, " " * len(label))
    return lines
