"""What the verdict on an object shows, and what not: the tables of `spec/sentences.json`, followed to the letter."""

from __future__ import annotations

from typing import Any

from .._generated.sentences import DOES_NOT_PROVE, PROVES


def sentences_of(report: dict[str, Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return `proves` and `does_not_prove` of a report, which is given as JSON and needs neither."""
    dimensions = _dimensions(report)
    return _chosen(PROVES, dimensions, report), _chosen(DOES_NOT_PROVE, dimensions, report)


def _chosen(entries: list[Any], dimensions: dict[str, str], report: dict[str, Any]) -> tuple[str, ...]:
    return tuple(_filled(entry["text"], report) for entry in entries if _is_met(entry["when"], dimensions))


def _is_met(conditions: list[dict[str, list[str]]], dimensions: dict[str, str]) -> bool:
    return not conditions or any(
        all(dimensions[name] in values for name, values in condition.items()) for condition in conditions
    )


def _dimensions(report: dict[str, Any]) -> dict[str, str]:
    subject, assurance = report["subject"], report["assurance"]
    counts = {check["id"]: check.get("count") for check in report["checks"]}
    trust = any(problem["check"] == "trust" for problem in report["problems"])
    values = {
        "kind": report["kind"] or "none",
        "verdict": report["verdict"],
        "signers": "not_reached" if trust else "reached",
        "signatures": "unchecked" if _has_unchecked(report) else "checked",
        "seals": "some" if counts.get("trust") is not None else "none",
        "id": "none" if subject.get("id") is None else "some",
        "stream_id": "none" if subject.get("stream_id") is None else "some",
        "to_seq_no": "none" if subject.get("to_seq_no") is None else "some",
        "signed": _boolean(assurance["signed"]),
        "included": _boolean(assurance["included"]),
        "redacted": _counted(assurance["redacted"], 1),
        "valid": _counted(assurance["witnessed"]["valid"], 1),
        "pinned": _counted(assurance["witnessed"]["pinned"], 0),
        "published": assurance["published"],
        "anchored": assurance["anchored"],
    }
    provenance = assurance.get("provenance")
    values["provenance"] = "none" if provenance is None else "some"
    if provenance is not None:
        values |= {name: provenance[name] for name in ("vault_chain", "vault_keys", "substantiated_by", "key_custody")}
        values["installations"] = "1" if provenance["installations"] == 1 else "more"
        values["unknown"] = _counted(provenance["claimed"]["unknown"], 0)
        values["software_root"] = _boolean(provenance["software_root"])
    else:
        values |= dict.fromkeys(_OF_PROVENANCE, "")
    return values


def _has_unchecked(report: dict[str, Any]) -> bool:
    """Return whether a signature could not be checked because nobody gave its key."""
    return any(one["fingerprint"] is None for one in report["signers"]) or any(
        check["id"] in ("envelope", "fork") and check["status"] == "cannot_evaluate" for check in report["checks"]
    )


_OF_PROVENANCE = (
    "installations", "vault_chain", "vault_keys", "unknown", "substantiated_by", "key_custody", "software_root"
)  # fmt: skip


def _boolean(value: bool) -> str:
    return "true" if value else "false"


def _counted(count: int, highest: int) -> str:
    return str(count) if count <= highest else "more"


def _filled(text: str, report: dict[str, Any]) -> str:
    if "{" not in text:
        return text
    subject, assurance = report["subject"], report["assurance"]
    values = {
        "from_seq_no": subject.get("from_seq_no"),
        "to_seq_no": subject.get("to_seq_no"),
        "redacted": assurance["redacted"],
        "valid": assurance["witnessed"]["valid"],
        "pinned": assurance["witnessed"]["pinned"],
    }
    provenance = assurance.get("provenance")
    if provenance is not None:
        effective = provenance["effective"]
        values["installations"] = provenance["installations"]
        values["unknown"] = provenance["claimed"]["unknown"]
        values["levels"] = ", ".join(
            f"{effective[level]} at {level}" for level in sorted(effective) if effective[level]
        )
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", str(value))
    return text
