"""Checks values against the JSON Schemas of `spec/schemas`, and names each fault by its code.

A schema is compiled once into functions. It knows the keywords that spec/README.md lists, and refuses any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

from .._generated.limits import VERIFIER
from .formats import has_format, pattern
from .pointer import below
from .schemas import schema_of_file

MAX_FAULTS: int = VERIFIER["max_schema_errors"]
MAX_PAYLOAD_DEPTH: int = VERIFIER["max_payload_depth"]


class Fault(NamedTuple):
    """One fault of form."""

    code: str
    path: str
    message: str


Check = Callable[[Any, str, list[Fault]], None]
_SILENT = frozenset({"description"})
_KNOWN = _SILENT | {
    *("$ref", "type", "const", "enum", "minimum", "maximum", "minItems", "maxItems", "maxLength", "pattern", "format"),
    *("required", "dependentRequired", "items", "properties", "additionalProperties", "propertyNames"),
}
# The members of which any fault has another code than the rest (section 20), and the enumerations that name what this
# release supports (section 23).
_METADATA = "metadata"
_SUPPORTED = frozenset({"attestationKind"})


def faults_of(schema: str, value: Any, path: str = "") -> list[Fault]:
    """Return the faults of a value by the schema of this file name, at most 1000."""
    faults: list[Fault] = []
    _compiled(schema)(value, path, faults)
    # One code and place is one fault, however many names of members are wrong there.
    return list({(fault.code, fault.path): fault for fault in faults}.values())[:MAX_FAULTS]


@cache
def _compiled(name: str) -> Check:
    return _compile(schema_of_file(name), "")


def _compile(schema: dict[str, Any], name: str) -> Check:
    """Return the check of a schema. `name`: the member that it is about."""
    unknown = schema.keys() - _KNOWN
    if unknown:
        raise ValueError(f"a schema has keywords that are not known here: {sorted(unknown)}")
    if "$ref" in schema:
        reference: str = schema["$ref"]
        return lambda value, path, faults: _compiled(reference)(value, path, faults)
    types = schema.get("type")
    is_type = _type_check([types] if isinstance(types, str) else types)
    checks = [make(schema, name) for make in _MAKERS]
    parts = [check for check in checks if check is not None]
    expected = schema.get("description") or types
    # Another value than the only one is unsupported, of whatever type it is.
    constant = _const(schema, name)

    def check(value: Any, path: str, faults: list[Fault]) -> None:
        if len(faults) >= MAX_FAULTS:
            return
        if not is_type(value):
            faults.append(Fault("malformed", path, f"The value is not of the form: {expected}."))
            if constant is not None:
                constant(value, path, faults)
            return
        for part in parts:
            part(value, path, faults)

    return check


def _type_check(types: list[str] | None) -> Callable[[Any], bool]:
    if types is None:
        return lambda value: True
    tests = [_TYPES[name] for name in types]
    if len(tests) == 1:
        return tests[0]
    return lambda value: any(test(value) for test in tests)


_TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
}


def _const(schema: dict[str, Any], name: str) -> Check | None:
    if "const" not in schema:
        return None
    wanted = schema["const"]

    def check(value: Any, path: str, faults: list[Fault]) -> None:
        # True equals 1 in Python.
        if value != wanted or isinstance(value, bool) != isinstance(wanted, bool):
            faults.append(Fault("unsupported_object", path, f"Only {wanted!r} is allowed here."))

    return check


def _enum(schema: dict[str, Any], name: str) -> Check | None:
    if "enum" not in schema:
        return None
    wanted = schema["enum"]
    code = "unsupported_object" if name in _SUPPORTED else "malformed"

    def check(value: Any, path: str, faults: list[Fault]) -> None:
        # True equals 1 in Python, and no enumeration holds a boolean.
        if isinstance(value, bool) or value not in wanted:
            of_type = isinstance(value, str)
            faults.append(Fault(code if of_type else "malformed", path, f"The value must be one of {wanted}."))

    return check


def _range(schema: dict[str, Any], name: str) -> Check | None:
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is None and high is None:
        return None

    def check(value: Any, path: str, faults: list[Fault]) -> None:
        if isinstance(value, (int, float)) and not (low or 0) <= value <= (high if high is not None else value):
            faults.append(Fault("malformed", path, f"The number must be from {low} to {high}."))

    return check


def _text(schema: dict[str, Any], name: str) -> Check | None:
    form, longest, written = schema.get("format"), schema.get("maxLength"), schema.get("pattern")
    if form is None and longest is None and written is None:
        return None
    # The pattern of a schema is between ^(?: and )$.
    matches = pattern(written[1:-1]) if written is not None else None

    def check(value: Any, path: str, faults: list[Fault]) -> None:
        if not isinstance(value, str):
            return
        if (
            (matches is not None and matches(value) is None)
            or (longest is not None and len(value) > longest)
            or (form is not None and not has_format(form, value))
        ):
            faults.append(Fault("malformed", path, f"The text does not have the form: {schema.get('description')}."))

    return check


def _array(schema: dict[str, Any], name: str) -> Check | None:
    if not {"items", "minItems", "maxItems"} & schema.keys():
        return None
    low, high = schema.get("minItems", 0), schema.get("maxItems")
    of_item = _compile(schema["items"], name) if "items" in schema else None

    def check(value: Any, path: str, faults: list[Fault]) -> None:
        if not isinstance(value, list):
            return
        if len(value) < low or (high is not None and len(value) > high):
            faults.append(Fault("malformed", path, f"The array must have {low} to {high or 'any number of'} elements."))
        if of_item is not None:
            for index, item in enumerate(value):
                of_item(item, f"{path}/{index}", faults)

    return check


def _object(schema: dict[str, Any], name: str) -> Check | None:
    if not {"properties", "required", "additionalProperties", "propertyNames", "dependentRequired"} & schema.keys():
        return None
    members = {one: _member(one, of) for one, of in schema.get("properties", {}).items()}
    required: list[str] = schema.get("required", [])
    dependent: dict[str, list[str]] = schema.get("dependentRequired", {})
    others = schema.get("additionalProperties")
    of_others = _member("", others) if isinstance(others, dict) else None
    of_names = _compile(schema["propertyNames"], "") if "propertyNames" in schema else None

    def check(value: Any, path: str, faults: list[Fault]) -> None:
        if not isinstance(value, dict):
            return
        demanded = dict.fromkeys(required)
        for one, needs in dependent.items():
            if one in value:
                demanded.update(dict.fromkeys(needs))
        for one in demanded:
            if one not in value:
                faults.append(Fault("missing_member", below(path, one), f'The member "{one}" is missing.'))
        for one, member in value.items():
            if len(faults) >= MAX_FAULTS:
                return
            of_member = members.get(one)
            if of_member is not None:
                of_member(member, f"{path}/{one}", faults)
            elif of_others is not None:
                of_others(member, below(path, one), faults)
            elif others is False:
                message = f'The protocol names no member "{one}" here.'
                faults.append(Fault("unknown_member", below(path, one), message))
            if of_names is not None:
                of_names(one, path, faults)

    return check


def _member(name: str, schema: dict[str, Any]) -> Check:
    check = _compile(schema, name)
    if name != _METADATA:
        return check

    def of_metadata(value: Any, path: str, faults: list[Fault]) -> None:
        found: list[Fault] = []
        check(value, path, found)
        faults.extend(fault._replace(code="provenance_metadata_not_permitted") for fault in found)

    return of_metadata


_MAKERS: tuple[Callable[[dict[str, Any], str], Check | None], ...] = (_const, _enum, _range, _text, _array, _object)


def deep_payloads(value: Any, path: str = "") -> Iterator[Fault]:
    """Yield a fault for each member called `payload`, anywhere, that nests deeper than the protocol allows."""
    # Kernels accept at most 64 levels, so this ends.
    if isinstance(value, list):
        for index, item in enumerate(value):
            if isinstance(item, (dict, list)):
                yield from deep_payloads(item, f"{path}/{index}")
    elif isinstance(value, dict):
        for name, member in value.items():
            if name == "payload":
                if depth_of(member) > MAX_PAYLOAD_DEPTH:
                    yield Fault("too_deep", below(path, name), f"A payload nests deeper than {MAX_PAYLOAD_DEPTH}.")
            elif isinstance(member, (dict, list)):
                yield from deep_payloads(member, below(path, name))


def depth_of(value: Any) -> int:
    """Return how many arrays and objects are open at the deepest place of a value."""
    if isinstance(value, dict):
        return 1 + max(map(depth_of, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(depth_of, value), default=0)
    return 0
