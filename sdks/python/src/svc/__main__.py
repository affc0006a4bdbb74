"""`python -m svc`: the commands of this package."""

from __future__ import annotations

import sys

USAGE = """usage: python -m svc conformance [--kernel wasm|reference]
       python -m svc --version"""


def main(arguments: list[str]) -> int:
    """Run a command. Returns the exit code: 64 for a wrong call, 70 for an error of the program itself."""
    if arguments == ["--version"]:
        from ._version import KERNEL_SHA256, VERSION

        print(f"svc-sdk {VERSION} (kernel {KERNEL_SHA256})")
        return 0
    if arguments[:1] == ["conformance"]:
        return _conformance(arguments[1:])
    print(USAGE, file=sys.stderr)
    return 64


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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
