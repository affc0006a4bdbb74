"""Numbers of JSON: what a literal is worth (protocol section 2), and how RFC 8785 writes a double."""

from __future__ import annotations

MAX_EXACT = 2**53


def from_literal(literal: str) -> int | float | None:
    """Return the value of a JSON number literal; None for one that a double would not carry (`lossy_number`)."""
    if len(literal) < 16 and literal.lstrip("-").isdecimal():
        return int(literal)
    value = float(literal)
    if value in (float("inf"), float("-inf")):
        return None
    is_integer = literal.lstrip("-").isdecimal()
    if value == 0:
        digits = literal.lower().partition("e")[0]
        return None if digits.strip("-0.") else 0
    if is_integer and int(literal) != int(value) and literal != text_of(value):
        return None
    return normal(value)


def normal(value: float) -> int | float:
    """Return a double as an int where it is one of at most 2^53 either way."""
    return int(value) if value.is_integer() and abs(value) <= MAX_EXACT else value


def text_of(value: float) -> str:
    """Return a finite double as ECMAScript writes it. Python's `repr` gives the same shortest digits."""
    if value == 0:
        return "0"
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    if fraction == "0":
        fraction = ""
    digits = (whole + fraction).lstrip("0")
    # The value is 0.digits times ten to this power.
    power = len(whole) + int(exponent or "0") - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    sign = "-" if value < 0 else ""
    if len(digits) <= power <= 21:
        return sign + digits.ljust(power, "0")
    if 0 < power <= 21:
        return f"{sign}{digits[:power]}.{digits[power:]}"
    if -6 < power <= 0:
        return f"{sign}0.{'0' * -power}{digits}"
    rest = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{rest}e{power - 1:+d}"
