"""`python -m svc`: verify, conformance, explain, --version."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Any

USAGE = """Usage: python -m svc <command>

  verify <anything...>    verify files of any kind; --help says more
  explain [code]          explain a code of a report or of the service, a check, or a step
  conformance             answer the conformance kit (--kernel wasm|reference)
  --version               print the version

Other commands (bundles, trust, forks, keys and more) are those of the npm svc."""
_HINT = '"python -m svc --help" lists the commands.'
_OF_NPM = (
    *("anchors", "assurance", "bench", "bundles", "checkpoints", "completion", "consistency", "disclosures", "forks"),
    *("ivc", "keys", "receipts", "report", "tamper", "trust", "watch", "windows"),
)


def main(arguments: list[str]) -> int:
    """Run a command. Returns the exit code: a verdict's, or 64, 66, 70."""
    if arguments == ["--version"]:
        from ._version import KERNEL_SHA256, VERSION

        print(f"svc-sdk {VERSION} (kernel {KERNEL_SHA256})")
        return 0
    if not arguments:
        print(USAGE, file=sys.stderr)
        return 64
    if arguments == ["--help"]:
        print(USAGE)
        return 0
    command, words = arguments[:1], arguments[1:]
    if command == ["conformance"]:
        return _conformance(words)
    from ._cli.exit import INTERNAL, Refusal, usage
    from ._cli.output import print_error

    try:
        if command == ["verify"]:
            from ._cli.verify import verify

            return verify(words)
        if command == ["explain"]:
            from ._cli.explain import explain

            return explain(words)
        if command[0] in _OF_NPM:
            raise usage(f"This program has no {command[0]}.", f"The npm svc has it: svc {command[0]} --help")
        raise usage(f"unknown command '{command[0]}'", _HINT)
    except Refusal as refusal:
        print_error(refusal.prefix + refusal.message, refusal.action)
        return refusal.code
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except OSError as error:
        return _unwritten(error)
    except Exception as error:
        message = f"Internal error: {type(error).__name__}: {error}"
        print_error(message, "There is no verdict. Please report this, with the file if you may share it.")
        return INTERNAL


def _conformance(arguments: list[str]) -> int:
    from ._conformance.program import run
    from ._errors import SvcError
    from ._kernel.select import KernelChoice, load_kernel

    choices: dict[tuple[str, ...], KernelChoice] = {
        (): "wasm",
        ("--kernel", "wasm"): "wasm",
        ("--kernel", "reference"): "reference",
    }
    choice = choices.get(tuple(arguments))
    if choice is None:
        print(USAGE, file=sys.stderr)
        return 64
    try:
        kernel = load_kernel(choice)
    except SvcError as error:
        print(f"svc: {error}", file=sys.stderr)
        return 70
    return run(kernel, sys.stdin.buffer, sys.stdout.buffer)


def _unwritten(error: OSError) -> int:
    from ._cli.exit import INTERNAL
    from ._cli.output import print_error

    print_error(f"The output could not be written: {error.strerror}.", "Make room where it goes.")
    return INTERNAL


def _ended() -> Any:
    code = 70
    try:
        code = main(sys.argv[1:])
        # A short output is still in the buffer.
        sys.stdout.flush()
    except BrokenPipeError:
        # A reader that goes away early is no error, and what it read stands.
        _forget_output()
        code = 141
    except OSError as error:
        _forget_output()
        code = _unwritten(error)
    except KeyboardInterrupt:
        code = 130
    return code


def _forget_output() -> None:
    """Let nothing of the output that is left fail once more when the process ends."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _open_missing() -> None:
    """Give each standard stream that the caller closed a place where nothing is.

    Python leaves it None, and leaves its number to the next file that is opened.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115


if __name__ == "__main__":
    _open_missing()
    for stream in (sys.stdout, sys.stderr):
        # The words hold marks that not every system's encoding has.
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    sys.exit(_ended())
