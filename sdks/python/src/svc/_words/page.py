"""A report as a page for a person: first the answer in words, then its reasons, then its limits.

Every text of the report and of the call is escaped here, before anything else sees it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from .._generated.kinds import KINDS
from .._generated.words import FORK_WORDS, VERDICTS
from .dimensions import Report
from .problem import describe, in_order
from .reader import Reader
from .sentences import SHOWN_KEYS, details_of, found, is_bare, ladder_of, not_checked, what_holds, whose_key
from .text import COLUMNS, counted, escape_all, escape_text, wrap

Paint = Callable[[str, str], str]
SHOWN_PROBLEMS = 5
# The subject starts here, behind the verdict's word.
_SUBJECT = " " * 11
# Checks that were not made and can be, with the way to do so.
_CAN_BE_CHECKED = {
    "payload_hash": "payloads that are left out (ask for them)",
    "envelope": "contents of envelopes that are left out, or their start seals (ask for them)",
    "known_checkpoint": "checkpoints that you know (svc trust remember)",
    "expectation": "what you expect of it (--stream, --from, --to, --require)",
}
_UNPINNED_BLOCK = "the block of its anchor (svc trust pin-block)"
_POLICY_LEFT_OUT = "the provider policy that it names is not here"
# So many limits of a good verdict are stated unless all are asked for; of vaults one more, about authorship.
_SHOWN_LIMITS = 2
# The command that checks one kind; `svc verify` checks any other.
COMMANDS = {
    "bundle": "svc bundles offline-verify",
    "receipt": "svc receipts verify",
    "portable-receipt": "svc verify file",
    "consistency": "svc consistency verify",
    "fork": "svc forks verify",
    "truth-package": "svc verify truth-package",
    "disclosure": "svc disclosures verify",
    "ivc-epoch": "svc ivc epochs verify",
}


def plain(tone: str, text: str) -> str:
    """Return a text without colour."""
    return text


def page_of(raw: Report, reader: Reader, paint: Paint = plain, kind_seen: str | None = None) -> list[str]:
    """Return the page of one report, as lines of at most 80 columns.

    `raw`: the report as JSON. `kind_seen`: the kind that the file shows, where the call asked for one.
    """
    report = escape_all(raw)
    verdict = report["verdict"]
    if verdict == "rejected":
        body = [*_why_rejected(report, reader, paint, kind_seen), *_held(report, reader)]
    else:
        body = [*_ladder(report, reader, paint), ""]
        if verdict == "untrusted":
            body += _why_untrusted(report, reader, paint)
    if verdict != "rejected" and not reader.is_whole:
        limits = in_short(report)
    else:
        limits = [*_notes("Not checked", not_checked(report)), *_meaning(report)]
    trust = [] if reader.trust_file is None else wrap(f"Whom you trust was read from {_trust_file(reader)}.")
    return [
        *_heading(report, reader, paint),
        "",
        *body,
        *_notes("Found", found(report)),
        *limits,
        *trust,
        *wrap(_footer(report, reader)),
    ]


def _heading(report: Report, reader: Reader, paint: Paint) -> list[str]:
    known = {"word": "FORK", "tone": "bad"} if reader.fork else VERDICTS[report["verdict"]]
    file = "standard input" if reader.file == "-" else escape_text(reader.file)
    kind = report["kind"] or reader.kind
    unnamed = file if kind is None else f"{file}, checked as {KINDS[kind]['noun']}"
    first, *rest = wrap(report["subject"]["id"] or unnamed, known["word"].ljust(len(_SUBJECT)), _SUBJECT)
    lines = [first.replace(known["word"], paint(known["tone"], known["word"]), 1), *rest]
    told = [f"{reader.fork}, {FORK_WORDS['holds']}"] if reader.fork else []
    for text in [*told, *details_of(report, reader)]:
        lines += wrap(text, _SUBJECT, _SUBJECT)
    return lines


def _ladder(report: Report, reader: Reader, paint: Paint) -> list[str]:
    lines = []
    for step in ladder_of(report, reader):
        label = f"  {step.name.ljust(11)}"
        first, *rest = wrap(step.text, f"{label}{step.mark}  ", " " * (len(label) + 3))
        lines += [first if step.tone is None else first.replace(step.mark, paint(step.tone, step.mark), 1), *rest]
    return lines


def _is_of_vault(report: Report, problem: dict[str, Any]) -> bool:
    """Return whether a problem is that the key of a vault is not known, and not that of a service."""
    has_vaults = report["assurance"].get("provenance") is not None
    has_vaults |= report["kind"] in ("key-status", "provenance-inclusion")
    return problem["code"] == "key_not_pinned" and "kid" not in problem and has_vaults and not is_bare(report)


def _why_untrusted(report: Report, reader: Reader, paint: Paint) -> list[str]:
    unpinned = [one for one in report["problems"] if one["code"] == "key_not_pinned" and not _is_of_vault(report, one)]
    others = [one for one in report["problems"] if one not in unpinned]
    return [*problem_lines(others, reader, paint), *(_how_to_pin(report, reader) if unpinned else [])]


def _why_rejected(report: Report, reader: Reader, paint: Paint, kind_seen: str | None) -> list[str]:
    """In a file of another kind every problem has the same cause, and its own advice would mislead."""
    problems = report["problems"]
    hint = _other_kind(reader, kind_seen)
    return [*hint, *problem_lines([{**one, "action": ""} for one in problems] if hint else problems, reader, paint)]


def _held(report: Report, reader: Reader) -> list[str]:
    text = what_holds(report, reader)
    return [] if text is None else [*wrap(text), ""]


def problem_lines(problems: list[Any], reader: Reader, paint: Paint) -> list[str]:
    """Return first the faults, then the problems of trust. The same advice is given once."""
    advised, lines = {""}, []
    for problem in in_order(problems)[:SHOWN_PROBLEMS]:
        one = describe(problem, reader.json_fault)
        mark = paint("warn", "◐") if one.is_distrust else paint("bad", "✗")
        is_short = 4 + len(one.code) + 3 + len(one.place) <= COLUMNS
        lines.append(f"  {mark} {one.code}{f'   {one.place}' if one.place and is_short else ''}")
        if not is_short:
            lines += wrap(f"at {one.place}", "    ", "    ")
        for sentence in one.sentences:
            lines += wrap(sentence, "    ", "    ")
        for label, text in (("expected", one.expected), ("actual  ", one.actual)):
            if text:
                lines += wrap(text, f"    {label}  ", " " * 14)
        if problem["action"] not in advised:
            lines += wrap(f"What to do: {problem['action']}", "    ", "    ")
        advised.add(problem["action"])
        lines.append("")
    more = len(problems) - SHOWN_PROBLEMS
    if more > 0:
        lines += [*wrap(f"... and {counted(more, 'more problem')}; --json lists all."), ""]
    return lines


def _how_to_pin(report: Report, reader: Reader) -> list[str]:
    """Return whose key it is, the values to compare, and the command for the right key.

    It never offers the key in the file as the one to paste.
    """
    whose = [line for text in whose_key(report, reader) for line in wrap(text)]
    # No key helps where nobody has signed.
    if is_bare(report):
        return [*whose, ""]
    pinned = list(dict.fromkeys(one["kid"] for one in reader.pins()))[:SHOWN_KEYS]
    own = wrap(f"You pinned {', '.join(map(reader.name_of, pinned))}.") if pinned else []
    trust = [] if reader.trust_file is None else [f"--trust {shell_word(reader.trust_file)}"]
    command = "svc verify" if reader.kind is None else COMMANDS.get(reader.kind, "svc verify")
    call = _command(command, [shell_word(reader.file), *reader.words, *trust, "--public-key-hex <key>"])
    right = wrap("With the service's own public key in place of <key>:")
    lines = [*whose, *own, "", *right, "", *call, ""]
    is_found = reader.trust is None if reader.trust_file is None else reader.trust_file != "-"
    if is_found:
        kept = wrap("Or keep the key for every later check, and make the same call again:")
        lines += [*kept, "", *_command("svc trust add", [*trust, "--name <name>", "--public-key-hex <key>"]), ""]
    return lines


def _other_kind(reader: Reader, kind: str | None) -> list[str]:
    """Return a hint for a file of another kind than the call; nothing where it is of that kind, or of none."""
    if kind is None or reader.kind is None or kind == reader.kind:
        return []
    looks = f"This looks like {KINDS[kind]['noun']}, and this command checks {KINDS[reader.kind]['noun']}."
    hint = wrap(f"{looks} Call this instead, with the same key or trust file:")
    return [*hint, "", *_command(COMMANDS.get(kind, "svc verify"), [shell_word(reader.file)]), ""]


def _command(command: str, options: list[str]) -> list[str]:
    """Return a command on one line if it fits, else with one option a line, so that it can be copied."""
    line = f"    {' '.join([command, *options])}"
    if len(line) <= COLUMNS:
        return [line]
    lines = [f"    {command}", *(f"      {option}" for option in options)]
    return [f"{one} \\" for one in lines[:-1]] + lines[-1:]


def shell_word(path: str) -> str:
    """Return a path as one word of a shell, safe to print."""
    # A name that begins with a dash would be an option.
    text = f"./{path}" if len(path) > 1 and path.startswith("-") else path
    if not re.fullmatch(r"[A-Za-z0-9_./@%+=:,-]+", text):
        text = "'" + text.replace("'", "'\\''") + "'"
    return escape_text(text)


def in_short(report: Report) -> list[str]:
    """Return the lines below a verdict on which its reader can act."""
    noted = [one for one in report["checks"] if one.get("note") is not None]
    left = [_CAN_BE_CHECKED[one["id"]] for one in noted if one["id"] in _CAN_BE_CHECKED]
    if report["assurance"]["anchored"] == "unpinned":
        left.append(_UNPINNED_BLOCK)
    if any(_POLICY_LEFT_OUT in one["note"] for one in noted):
        left.append("whether its provider was allowed (ask for the bundle)")
    shown = _SHOWN_LIMITS + (report["assurance"].get("provenance") is not None)
    limits = "; nor ".join(report["does_not_prove"][:shown])
    lines = wrap(f"Not checked, and can be: {'; '.join(left)}.") if left else []
    said = f"It does not show {limits}. All that it shows and does not, and what was not checked: --all."
    return [*lines, *wrap(said), ""]


def _notes(title: str, told: list[tuple[str, str]]) -> list[str]:
    if not told:
        return []
    lines = [line for name, note in told for line in wrap(note, f"    {name.ljust(18)}  ", " " * 24)]
    return [f"  {title}", *lines, ""]


def _meaning(report: Report) -> list[str]:
    proves, does_not_prove = report["proves"], report["does_not_prove"]
    return [*_listed("This shows", proves), *_listed("It does not show", does_not_prove)]


def _listed(title: str, texts: list[str]) -> list[str]:
    if not texts:
        return []
    if len(texts) == 1 and texts[0].startswith("anything"):
        return [*wrap(f"{title} {texts[0]}."), ""]
    heading = [f"  {title}"]
    # A condition of all others is above them.
    if texts[0].endswith(":"):
        heading, texts = wrap(f"{title} {texts[0]}"), texts[1:]
    return [*heading, *(line for text in texts for line in wrap(text, "    - ", "      ")), ""]


def _footer(report: Report, reader: Reader) -> str:
    verifier = report["verifier"]
    done = "verified" if report["verdict"] == "verified" else "checked"
    time = "under 0.1 s" if reader.seconds < 0.05 else f"{reader.seconds:.1f} s"
    kernel = "reference" if verifier["kernel_sha256"] is None else f"{verifier['kernel_sha256'][:16]}…"
    return f"{done} in {time}, offline, kernel {kernel}, svc {verifier['version']}"


def _trust_file(reader: Reader) -> str:
    return "standard input" if reader.trust_file == "-" else escape_text(reader.trust_file or "")
