"""`verify`: verifies named files of any kind: one file gives a report, many give a table."""

from __future__ import annotations

import os
from dataclasses import replace
from time import perf_counter
from typing import Any

from .._generated.codes import CODES
from .._kernel.interface import JsonFault, Kernel
from .._kernel.select import load_kernel
from .._report.model import Report
from .._verify.cross_check import compared
from .._verify.kinds import find_kind
from .._verify.verify import verify_bytes
from .._version import VERSION
from .._words.forks import fork_shown
from .._words.page import page_of
from .._words.problem import json_fault_at
from .._words.reader import Reader
from .._words.text import counted, shorten, wrap
from .arguments import Call, ordinal, read_call
from .exit import INPUT, OF_VERDICT, REJECTED, VERIFIED, Refusal, usage
from .files import MAX_INPUT_BYTES, MAX_PACKAGE_BYTES, is_standard_input, read_input
from .foreign import refuse_foreign, refuse_other
from .many import Checked, exit_code_of, not_looked_at, table_of
from .names import Named, is_one_file, named_by
from .options import HELP_LINE, OPTIONS, PACKAGE_OPTIONS, help_of, package_words
from .output import ReportUnwritable, json_line, painter, print_lines, require_other_file, write_report
from .settings import Settings
from .together import Compared, compared_by, forks_among
from .trust import trust_file_of

_PACKAGE = "truth-package"
_KINDS = {"file": "portable-receipt", _PACKAGE: _PACKAGE}
_SMALL_BYTES = 64_000


def verify(arguments: list[str]) -> int:
    """Run the command. Returns the exit code; raises Refusal."""
    started = perf_counter()
    call = read_call(arguments, {**OPTIONS, **PACKAGE_OPTIONS}, "verify")
    if call.has("help"):
        print_lines(help_of())
        return VERIFIED
    report = call.one("report")
    try:
        kind, words = _words_of(call)
        _require_one_form(call, kind)
        trust_file = trust_file_of(call, os.environ)
        _require_one_input(call, words, trust_file)
        if kind is None and not (len(words) == 1 and is_one_file(words[0])):
            return _many(words, Settings(call, trust_file), started)
        require_other_file(report, _inputs(call, words, trust_file))
        return _one(words[0], kind, Settings(call, trust_file), started)
    except ReportUnwritable:
        raise
    except Refusal as refusal:
        if report is not None:
            require_other_file(report, _inputs(call, call.words, None))
            said = {"error": refusal.message, "exit_code": refusal.code, "action": refusal.action}
            write_report(report, [json_line(said)])
        raise


def _words_of(call: Call) -> tuple[str | None, list[str]]:
    words, named = list(call.words), call.one("file")
    kind = None
    if len(words) > 1 - (named is not None) and words and words[0] in _KINDS and not os.path.exists(words[0]):
        kind = _KINDS[words.pop(0)]
    if words and words[0] == "page":
        raise usage("This program does not compare pages.", "The npm svc does: svc verify page verify.html")
    if named is not None:
        if words:
            raise usage("the file is given twice", HELP_LINE)
        words = [named]
    if not words:
        raise usage("missing required argument 'anything'" if kind is None else "missing required argument 'file'",
                    HELP_LINE)  # fmt: skip
    if kind is not None and len(words) > 1:
        name = next(name for name, one in _KINDS.items() if one == kind)
        message = f"too many arguments for '{name}'. Expected 1 argument but got {len(words)}."
        raise usage(message, HELP_LINE)
    return kind, words


def _require_one_form(call: Call, kind: str | None) -> None:
    if kind == _PACKAGE:
        from .package import require_package_options

        require_package_options(call)
    elif (own := next(filter(call.has, PACKAGE_OPTIONS), None)) is not None:
        raise usage(f"option '--{own}' is of truth-package alone", f"svc verify truth-package --{own} …")
    for one, other in (("quiet", "json"), ("cross-check", "kernel")):
        if call.has(one) and call.has(other):
            shown = " <name>" if other == "kernel" else ""
            raise usage(f"option '--{one}' cannot be used with option '--{other}{shown}'", HELP_LINE)


def _require_one_input(call: Call, words: list[str], trust_file: str | None) -> None:
    file = next(filter(is_standard_input, words), None)
    name = "--file" if len(words) == 1 else "-"
    paths = [(name, file), ("--trust", trust_file), ("--quorum", call.one("quorum"))]
    paths += [(f"--link ({at + 1})" if at else "--link", path) for at, path in enumerate(call.all("link"))]
    names = [name for name, path in paths if path is not None and is_standard_input(path)]
    if len(names) > 1:
        raise usage(f"{' and '.join(names)} cannot both be standard input.", "Give one of them as a file.")


def _inputs(call: Call, words: list[str], trust_file: str | None) -> list[str]:
    named = [call.one("trust"), call.one("quorum"), trust_file, call.one("file"), *call.all("link"), *words]
    return [path for path in named if path is not None and path != "-"]


def _named(file: str) -> str:
    return "Standard input" if file == "-" else f'"{file}"'


def _check(data: bytes, kind: str | None, settings: Settings) -> tuple[Report, list[Report]]:
    """Return the report, and those of both kernels where both were asked."""
    kernels = settings.kernels(len(data))
    reports = [verify_bytes(data, one, settings.trust, settings.links, kind) for one in kernels]
    return (compared(reports[0], reports[1])[0], reports) if len(reports) == 2 else (reports[0], [])


def _json_fault(report: Report, data: bytes) -> tuple[str, ...]:
    first = report.problems[0] if report.problems else None
    if first is None or first.path != "" or CODES[first.code]["check"] != "json":
        return ()
    return json_fault_at(data, int(first.actual or 0))


def _said(report: Report, both: list[Report]) -> dict[str, Any]:
    """Return what `--json` prints."""
    if not both:
        return report.to_dict()
    agree = replace(both[0], verifier=both[1].verifier) == both[1]
    runs = [
        {
            "kernel": "reference" if one.verifier.kernel_sha256 is None else "wasm",
            "kernel_sha256": one.verifier.kernel_sha256,
            "report": one.to_dict(),
            "error": None,
        }
        for one in both
    ]
    return {"report": report.to_dict(), "cross_check": {"agree": agree, "first_difference": None, "runs": runs}}


def _one(file: str, kind: str | None, settings: Settings, started: float) -> int:
    call = settings.call
    data = read_input(file, MAX_PACKAGE_BYTES if kind == _PACKAGE else MAX_INPUT_BYTES)
    reads_packages = kind in (None, _PACKAGE)
    refuse_other(_named(file), data, reads_packages)
    if kind == _PACKAGE:
        from .package import require_same_package

        require_same_package(_named(file), data, call)
    report, both = _check(data, kind, settings)
    reference = load_kernel("reference")
    refuse_foreign(_named(file), report, reference, data)
    said = _said(report, both)
    fork = fork_shown(report, kind, data)
    if call.has("json"):
        print_lines([json_line(said)])
    elif not call.has("quiet"):
        reader = Reader(
            file=file,
            kind=kind,
            words=package_words(call),
            trust=settings.trust,
            trust_file=settings.trust_file,
            names=settings.names,
            seconds=perf_counter() - started,
            is_whole=call.has("all"),
            json_fault=_json_fault(report, data),
            fork=fork,
        )
        seen = _kind_of(data, reference) if kind is not None and report.verdict == "rejected" else None
        paint = painter(call.one("color") or "auto", os.environ)
        print_lines([*page_of(report.to_dict(), reader, paint, seen), *_cross_check_lines(both)])
    path = call.one("report")
    if path is not None and kind == _PACKAGE:
        from .package import package_report

        said = package_report(report, reference, data, call)
    if path is not None:
        write_report(path, [json_line(said)])
    return REJECTED if fork else OF_VERDICT[report.verdict]


def _kind_of(data: bytes, kernel: Kernel) -> str | None:
    if data[:2] == b"PK":
        return "truth-package"
    try:
        value = kernel.parse(data)
    except JsonFault:
        return None
    return find_kind(value) if isinstance(value, dict) else None


def _cross_check_lines(both: list[Report]) -> list[str]:
    if not both:
        return []
    hashes = [one.verifier.kernel_sha256 for one in both]
    names = " and ".join("reference" if one is None else f"wasm {one[:16]}…" for one in hashes)
    if replace(both[0], verifier=both[1].verifier) == both[1]:
        return wrap(f"cross-checked: both kernels agree ({names})")
    lines = ["", *wrap(f"cross-checked: the kernels do NOT agree ({names})"), ""]
    for one in both:
        label = f"    {('reference' if one.verifier.kernel_sha256 is None else 'wasm').ljust(9)}  "
        count = len(one.problems)
        why = f", {counted(count, 'problem')}, the first is {one.problems[0].code}" if count else ""
        lines += wrap(shorten(f"{one.verdict.upper()}{why}"), label, " " * len(label))
    return [*lines, "", *wrap("--json prints both reports whole.")]


def _many(words: list[str], settings: Settings, started: float) -> int:
    call, path = settings.call, settings.call.one("report")
    named, others = named_by(words, settings.trust_file)
    require_other_file(path, _inputs(call, [*words, *(one.file for one in named)], settings.trust_file))
    jobs = ordinal(call, "jobs", 64) or min(os.cpu_count() or 1, 4)
    lines: list[str] = []
    all_checked: list[Checked] = []
    compared_all: list[Compared] = []
    # Many files only: it is slow to import.
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(jobs) as pool:
        # Starts the compiled kernel before threads do, which would each wait for it.
        settings.kernels(0 if len(named) < 64 else _SMALL_BYTES)
        for checked, said, compared_one in pool.map(lambda one: _of_many(one, settings), named):
            all_checked.append(checked)
            compared_all.append(compared_one)
            lines.append(json_line(said))
            if call.has("json"):
                print_lines(lines[-1:])
    forks = forks_among(load_kernel("reference"), compared_all)
    passed_over = [json_line(fork.said()) for fork in forks]
    passed_over += [json_line({"file": file, "not_looked_at": True}) for file in others]
    if call.has("json"):
        print_lines(passed_over)
    elif not call.has("quiet"):
        paint = painter(call.one("color") or "auto", os.environ)
        how = f"{_kernel_name(settings)}, svc {VERSION}"
        page = table_of(all_checked, forks, perf_counter() - started, how, paint, settings.names)
        print_lines([*page, *not_looked_at(others)])
    if path is not None:
        write_report(path, [*lines, *passed_over])
    return exit_code_of(all_checked, forks)


def _kernel_name(settings: Settings) -> str:
    if settings.is_crossed:
        return "cross-checked by both kernels"
    sha256 = settings.kernels(_SMALL_BYTES)[0].sha256_hex if settings.kernel != "auto" else None
    return f"kernel {'reference' if sha256 is None else f'{sha256[:16]}…'}"


def _of_many(one: Named, settings: Settings) -> tuple[Checked, dict[str, Any], Compared]:
    try:
        if one.refused is not None:
            raise one.refused
        data = read_input(one.file)
        refuse_other(_named(one.file), data, True)
        report, both = _check(data, None, settings)
        refuse_foreign(_named(one.file), report, load_kernel("reference"), data)
    except Refusal as refusal:
        if refusal.code != INPUT:
            raise
        error = {
            "outcome": refusal.outcome.replace(" ", "_"),
            "message": refusal.message,
            "action": refusal.action,
        }
        return Checked(one.file, None, refusal), {"file": one.file, "error": error}, Compared(one.file)
    said = _said(report, both)
    whole = {"file": one.file, **(said if both else {"report": said})}
    return Checked(one.file, report.to_dict(), None, _json_fault(report, data)), whole, compared_by(one.file, report)
