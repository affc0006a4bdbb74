"""Policies of both sorts (section 6), as bundles and portable receipts show them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .._report.examination import Examination, Finding
from .hashing import digest

CHECK = "policy"
Policy = dict[str, Any]
# The member of a window or checkpoint that names a policy, by the list that shows it.
DIGESTS = {"policies": "policy_digest", "witness_policies": "witness_policy_digest"}
_TAGS = {"policies": "policy", "witness_policies": "witness-policy"}


class Shown(NamedTuple):
    """The policies that are shown, by digest."""

    policies: dict[str, Policy]
    witness_policies: dict[str, Policy]

    def of(self, name: str) -> dict[str, Policy]:
        """Return those of a sort."""
        return self.policies if name == "policies" else self.witness_policies


def shown_policies(witnesses: dict[str, Any]) -> Shown:
    """Return the policies of the lists `policies` and `witness_policies`."""
    found = [{policy_digest(name, one): one for one in reversed(witnesses[name])} for name in DIGESTS]
    return Shown(*found)


def policy_digest(name: str, policy: Policy) -> str:
    """Return the digest of a policy of the list of a name."""
    return digest(_TAGS[name], policy)


def check_ascending(ex: Examination, check: str, items: Sequence[Any], key: Callable[[Any], Any], path: str) -> None:
    """Check that items ascend without repeats. Problem: `malformed` at the item."""
    for index in range(1, len(items)):
        if not key(items[index - 1]) < key(items[index]):
            message = "The list is not in ascending order without repeats."
            ex.reject(check, Finding("malformed", f"{path}/{index}", message))


def check_orders(ex: Examination, witnesses: dict[str, Any], path: str) -> None:
    """Check the order of policies and statements."""
    for name in DIGESTS:
        check_ascending(ex, CHECK, witnesses[name], lambda one: one["policy_version"], f"{path}/{name}")
    check_ascending(ex, "witness", witnesses["statements"], statement_order, f"{path}/statements")


def statement_order(statement: dict[str, Any]) -> tuple[int, str, int]:
    """Return by what statements ascend."""
    return statement["window_count"], statement["witness_id"], statement["key_epoch"]


def check_independence(ex: Examination, checkpoint: dict[str, Any], shown: Shown, path: str) -> None:
    """Check that the key which seals a checkpoint is no witness of its policy."""
    policy = shown.witness_policies.get(checkpoint["witness_policy_digest"])
    key = ex.keys.key(checkpoint["seal"]["kid"])
    if policy is None or key is None:
        return
    is_witness = any(one["public_key_hex"] == key.hex() for one in policy["witnessKeys"])
    message = f"The policy of checkpoint {checkpoint['checkpoint_no']} lists the key that sealed it as its own witness."
    where = f"{path}/witness_policy_digest"
    ex.expect(CHECK, not is_witness, "witness_not_independent", where, message)
