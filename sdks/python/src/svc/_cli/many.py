"""The table about many files: a line for each, what is wrong with the bad ones, and the count of each result."""

from __future__ import annotations

from typing import Any

from .._generated.words import VERDICTS
from .._words.dimensions import signers_once
from .._words.page import Paint
from .._words.problem import describe, in_order
from .._words.text import COLUMNS, counted, escape_all, escape_text, grouped, shorten, wrap
from .exit import INPUT, OF_VERDICT, VERIFIED, Refusal
from .together import Fork, lines_of, name_of, shown_files

# From the worst to the best, by protocol section 16 for the exit code of several files.
_ORDER = ("rejected", "unreadable", "not checked", "no evidence", "untrusted", "verified")
_HEAD = ("verdict", "kind", "subject")
# The words before and behind the name of a key. A file can name any key: without the key itself its signature was not
# checked.
_REACHED = {
    "pinned": ("Sealed by", "which you pinned"),
    "endorsed": ("Sealed by", "which a key that you pinned endorses"),
    "none": ("In the name of", "which your trust does not reach"),
}
_SHOWN_NAMES = 10


class Checked:
    """What is said of one file. `report`: as JSON; None where there is no verdict."""

    def __init__(
        self, file: str, report: dict[str, Any] | None, refused: Refusal | None, json_fault: tuple[str, ...] = ()
    ) -> None:
        self.file = file
        self.refused = refused
        self.outcome = report["verdict"] if report is not None else refused.outcome if refused is not None else ""
        said = {} if report is None else escape_all(report)
        self.cells = (said.get("kind") or "?", said["subject"]["id"] or "-") if said else ("-", "-")
        self.signers = signers_once(said) if said and self.outcome != "rejected" else []
        self.is_proof = self.outcome == "verified" and said.get("kind") == "fork"
        self.fault = self._fault(said, json_fault) if self.outcome == "rejected" else None

    def name(self) -> str:
        """Return the file's name, safe to print."""
        return name_of(self.file)

    def _fault(self, report: dict[str, Any], json_fault: tuple[str, ...]) -> str | None:
        problems = report["problems"]
        if not problems:
            return None
        first = in_order(problems)[0]
        sentence = " ".join(describe(first, json_fault).sentences)
        place = f" at {shorten(first['path'])}" if first["path"] else ""
        more = f", and {grouped(len(problems) - 1)} more" if len(problems) > 1 else ""
        return f"{self.name()}: {sentence} ({first['code']}{place}{more})"


def exit_code_of(all_checked: list[Checked], forks: list[Fork]) -> int:
    """Return the exit code of many files: that of the worst, where a fork that trust reaches counts as rejected."""
    outcomes = {one.outcome for one in all_checked} | {"rejected" for one in forks if one.reached}
    worst = next((one for one in _ORDER if one in outcomes), None)
    return VERIFIED if worst is None else OF_VERDICT.get(worst, INPUT)


def table_of(
    all_checked: list[Checked], forks: list[Fork], seconds: float, how: str, paint: Paint, names: dict[str, str]
) -> list[str]:
    """Return the page. Only names of files may make its lines longer than 80 columns."""
    is_good = not forks and all(one.outcome == "verified" for one in all_checked)
    time = "under 0.1 s" if seconds < 0.05 else f"{seconds:.1f} s"
    footer = f"{'verified' if is_good else 'checked'} in {time}, offline, {how}"
    return [
        *_rows(all_checked, paint),
        "",
        *_faults(all_checked, paint),
        *lines_of(forks, paint),
        *_signers(all_checked, names),
        *_totals(all_checked, forks),
        "",
        *wrap(footer, "", ""),
    ]


def _rows(all_checked: list[Checked], paint: Paint) -> list[str]:
    rows = [(_word(one), *one.cells) for one in all_checked]
    widths = [max(len(row[at]) for row in (_HEAD, *rows)) for at in range(3)]
    lines = ["".join(f"{cell.ljust(width)}  " for cell, width in zip(_HEAD, widths, strict=True)) + "file"]
    for one, row in zip(all_checked, rows, strict=True):
        padded = [f"{cell.ljust(width)}  " for cell, width in zip(row, widths, strict=True)]
        word = paint(_tone(one), row[0]) + padded[0][len(row[0]) :]
        lines.append(word + "".join(padded[1:]) + one.name())
    return lines


def _faults(all_checked: list[Checked], paint: Paint) -> list[str]:
    advised: set[str] = set()
    lines: list[str] = []
    for one in all_checked:
        fault = one.fault
        if one.refused is not None:
            message, action = one.refused.message, one.refused.action
            is_new = one.outcome != "unreadable" and action not in advised
            advised.add(action)
            fault = escape_text(f"{message} {action}" if is_new else message)
        if fault is None:
            continue
        tone = _tone(one)
        # Nobody is to blame for a file that is no evidence.
        mark = "✗" if tone == "bad" else "○"
        first, *rest = wrap(fault, f"{mark} ", "  ")
        lines += [paint(tone, mark) + first[1:], *rest]
    return [*lines, ""] if lines else []


def _signers(all_checked: list[Checked], names: dict[str, str]) -> list[str]:
    sealed: dict[str, list[Checked]] = {}
    for one in all_checked:
        for signer in one.signers:
            # Those whom trust reaches may have sealed a part alone of a file that is not trusted.
            if one.outcome == "untrusted" and signer["reached"] != "none":
                continue
            kid = signer["kid"]
            name = f"{escape_text(names[kid])} ({kid})" if kid in names else kid
            before, after = _REACHED[signer["reached"]]
            sealed.setdefault(f"{before} {name}, {after}", []).append(one)
    lines: list[str] = []
    for words, own in sealed.items():
        files = counted(len(own), "file") if len(sealed) == 1 else shown_files([one.file for one in own])
        lines += wrap(f"{words}: {files}.", "", "  ")
    return [*lines, ""] if lines else []


def _totals(all_checked: list[Checked], forks: list[Fork]) -> list[str]:
    proven = sum(one.is_proof for one in all_checked)
    counts = [(name, sum(one.outcome == name and not one.is_proof for one in all_checked)) for name in reversed(_ORDER)]
    said = ", ".join(f"{grouped(count)} {name}" for name, count in [*counts, ("evidence of a fork", proven)] if count)
    streams = len({one.stream_id for one in forks if one.found is not None})
    told = f" Two histories of {counted(streams, 'stream')} are among them." if streams else ""
    pin = (
        " Untrusted means that no fault was found, and that your trust does not suffice: mostly it does not reach the "
        "signer, and then anybody could have made the file. svc verify of that file alone says what is missing."
        if dict(counts)["untrusted"]
        else ""
    )
    alone = (
        "Each verdict is on its file alone. Files of one stream were compared too: that finds two histories only where "
        "files show the same place. Of one file, svc verify says what its verdict shows and what not."
    )
    return [*wrap(f"{counted(len(all_checked), 'file')}: {said}.{told}{pin}", "", ""), *wrap(alone, "", "")]


def not_looked_at(files: list[str]) -> list[str]:
    """Return the last line: the files that have no verdict, wrapped between names and never inside one."""
    if not files:
        return []
    more = len(files) - _SHOWN_NAMES
    names = [*map(escape_text, files[:_SHOWN_NAMES])]
    if more > 0:
        names.append(f"and {grouped(more)} more, which --json lists.")
    lines, line = [""], f"{counted(len(files), 'file')} {'was' if len(files) == 1 else 'were'} not looked at:"
    for index, name in enumerate(names):
        word = f"{name}," if index < len(names) - 1 else name
        if len(line) + 1 + len(word) <= COLUMNS:
            line += f" {word}"
        else:
            lines.append(line)
            line = f"  {word}"
    return [*lines, line]


def _word(one: Checked) -> str:
    outcome = one.outcome
    if one.is_proof:
        return "FORK"
    return str(VERDICTS[outcome]["word"]) if outcome in VERDICTS else outcome.upper()


def _tone(one: Checked) -> str:
    outcome = one.outcome
    if one.is_proof:
        return "bad"
    return str(VERDICTS[outcome]["tone"]) if outcome in VERDICTS else "bad" if outcome == "unreadable" else "warn"
