"""Compares files that were verified together: two histories of one stream may each hold by themselves."""

from __future__ import annotations

from datetime import datetime, timezone
from secrets import randbits
from time import time
from typing import Any, NamedTuple

from .._errors import ProducerError
from .._generated.words import FORK_WORDS
from .._kernel.interface import Kernel
from .._report.history import History
from .._report.model import Report, Signer
from .._verify.contradictions import Contradiction, contradictions
from .._words.forks import history_place
from .._words.page import Paint, shell_word
from .._words.text import counted, escape_text, grouped, wrap
from .exit import Refusal
from .files import is_standard_input, read_input

_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"
_SHOWN_FILES = 5
# Proof is made of so many pairs of files: the makers of the files decide how many there are.
_MOST_PROOFS = 10
# So many forks are shown; `--json` lists all.
_SHOWN_FORKS = 10


class Fork:
    """Two files that contradict each other; or one file, whose evidence shows a fork, without a contradiction.

    `more`: files that contradict the first one too. `proof`: portable; None if none can be made of the two alone.
    """

    def __init__(self, stream_id: str | None, files: list[str], found: Contradiction | None = None) -> None:
        self.stream_id = stream_id
        self.files = files
        self.found = found
        self.more: list[str] = []
        # Those of the two of which not every signature was checked: proof of them convinces nobody.
        self.unchecked: list[str] = []
        self.proof: dict[str, Any] | None = None

    @property
    def reached(self) -> bool:
        """Whether trust reaches everybody who sealed it."""
        return self.found is None or self.found.reached

    def said(self) -> dict[str, Any]:
        """Return the JSON object about it for programs."""
        said: dict[str, Any] = {"fork_detected": True, "stream_id": self.stream_id}
        said |= {"files": [*self.files, *self.more], "reached": self.reached}
        if self.found is not None:
            said |= {"place": {self.found.place: self.found.at}, "proof": self.proof}
        return said

    def lines(self, paint: Paint) -> list[str]:
        """Return the lines for a person: what contradicts what, who sealed it, and how to prove it to others."""
        stream = escape_text(self.stream_id or FORK_WORDS["log"])
        names = " and ".join(map(name_of, self.files))
        if self.found is None:
            return [*_marked(_filled("evidence", files=names, stream=stream), paint), ""]
        more = ""
        if self.more:
            more = _filled("more", count=counted(len(self.more), "more file"), files=shown_files(self.more))
        whose = FORK_WORDS["reached" if self.reached else "unreached"]
        if self.unchecked:
            whose = _filled("unchecked", unchecked=" and ".join(map(name_of, self.unchecked)))
        place = history_place(self.found.place, self.found.at)
        said = _filled("histories", files=names, stream=stream, place=place, whose=whose, more=more)
        if self.proof is None:
            how = wrap(FORK_WORDS["unproven"], "  ", "  ")
        else:
            left, right = map(shell_word, self.files)
            command = f"    svc forks find {left} {right} --out fork.json"
            how = [f"  {FORK_WORDS['provable']}", command]
        return [*_marked(said, paint), *how, ""]


def lines_of(forks: list[Fork], paint: Paint) -> list[str]:
    """Return the lines about forks, of which a few are shown."""
    lines = [line for fork in forks[:_SHOWN_FORKS] for line in fork.lines(paint)]
    more = len(forks) - _SHOWN_FORKS
    return [*lines, f"And {grouped(more)} more, which --json lists.", ""] if more > 0 else lines


def _marked(said: str, paint: Paint) -> list[str]:
    first, *rest = wrap(said, "▲ ", "  ")
    return [paint("bad", "▲") + first[1:], *rest]


def _filled(name: str, **values: str) -> str:
    """Return a text about a fork with values in the place of their names, in one pass: a value is put in as it is."""
    return str(FORK_WORDS[name].format_map(values))


def name_of(file: str) -> str:
    """Return the name of a file, safe to print."""
    return "standard input" if file == "-" else escape_text(file)


def shown_files(files: list[str]) -> str:
    """Return the names of a few files."""
    shown = ", ".join(map(name_of, files[:_SHOWN_FILES]))
    return shown + (f" and {grouped(len(files) - _SHOWN_FILES)} more" if len(files) > _SHOWN_FILES else "")


class Compared(NamedTuple):
    """What one file is compared by. `proves`: whether it is verified evidence of a fork.

    `signed`: whether every signature that its verdict needs was checked and holds.
    """

    file: str
    histories: tuple[History, ...] = ()
    signers: tuple[Signer, ...] = ()
    proves: bool = False
    signed: bool = False
    stream_id: str | None = None


def compared_by(file: str, report: Report) -> Compared:
    """Return what a file is compared by."""
    proves = report.verdict == "verified" and report.kind == "fork"
    signers = report.signers if report._histories else ()
    return Compared(file, report._histories, signers, proves, report.assurance.signed, report.subject.stream_id)


def forks_among(kernel: Kernel, files: list[Compared]) -> list[Fork]:
    """Return first what pairs of files show, then what fork evidence among them proves.

    Both of a pair are read again, to make proof that convinces others (section 11).
    """
    pairs: dict[tuple[bool, str, int], Fork] = {}
    for found in contradictions([(one.histories, one.signers) for one in files]):
        key = (found.reached, found.stream_id, found.left)
        right = files[found.right].file
        if key in pairs:
            pairs[key].more.append(right)
        else:
            pairs[key] = fork = Fork(found.stream_id, [files[found.left].file, right], found)
            if not found.reached:
                fork.unchecked = [files[at].file for at in (found.left, found.right) if not files[at].signed]
    for fork in list(pairs.values())[:_MOST_PROOFS]:
        fork.proof = None if fork.unchecked else _proof_of(kernel, fork.files)
    # A good verdict that is bad news.
    return [*pairs.values(), *(Fork(one.stream_id, [one.file]) for one in files if one.proves)]


def _proof_of(kernel: Kernel, files: list[str]) -> dict[str, Any] | None:
    """Return fork evidence; None for standard input, a package, and a file that has changed."""
    from .._produce.find_fork import found

    if any(map(is_standard_input, files)):
        return None
    try:
        left, right = map(read_input, files)
        return found(
            kernel, left, right, _fork_id(), datetime.now(timezone.utc).isoformat(timespec="milliseconds")[:23] + "Z"
        )
    except (ProducerError, Refusal):
        return None


def _fork_id() -> str:
    """Return `frk_` and a ULID of the time and chance (section 5)."""
    number = (int(time() * 1000) << 80) | randbits(80)
    return "frk_" + "".join(_DIGITS[(number >> shift) & 31] for shift in range(125, -1, -5))
