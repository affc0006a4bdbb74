"""One run of a verification: collects what each check looked at and found, and makes the report.

The modules of `_objects` decide what is right about an object; this one decides the verdict.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256
from typing import Any, NamedTuple

from .._generated.checks import BY_LIST, OF_NO_KIND, ORDER, WITH_REQUIRED_ASSURANCE
from .._generated.codes import CODES, OWN_ACTIONS
from .._generated.limits import VERIFIER
from .._kernel.interface import Kernel, SignatureItem
from .._trust.key_ring import KeyRing, Scope
from .._trust.policy import TrustPolicy, unix_seconds
from .._version import VERSION
from .bounds import cut
from .conviction import convicts
from .history import History
from .model import Assurance, Check, Problem, Provenance, Reached, Report, Signer, Subject, Verifier, Witnessed
from .order import place_key
from .place import place_of
from .sentences import sentences_of

MAX_PROBLEMS: int = VERIFIER["max_problems"]
MAX_SIGNERS: int = VERIFIER["max_signers"]
_RANK = {check: rank for rank, check in enumerate(ORDER)}
ROLES = (
    "truth-package", "bundle", "checkpoint", "window", "receipt", "vault", "anchor", "key-status", "provider-policy",
    "result", "ivc-epoch", "key", "note", "witness",
)  # fmt: skip
_OF_SIGNATURES = (
    "json", "shape", "receipt_signature", "window_seal", "checkpoint_seal", "bundle_seal", "key_endorsements", "note",
    "envelope", "attestation", "disclosure",
)  # fmt: skip
_LEAST: tuple[Reached, ...] = ("none", "endorsed", "pinned")


class Finding(NamedTuple):
    """Something wrong, or not shown, before it becomes a problem of the report."""

    code: str
    path: str
    message: str
    expected: str | None = None
    actual: str | None = None
    kid: str | None = None
    seq_no: int | None = None
    action: str | None = None


class Tally:
    """What a check looked at."""

    def __init__(self) -> None:
        self.count = 0
        self.failed = False
        self.unevaluated = False
        self.note: str | None = None
        # What it found, which is not said of a check that failed.
        self.found: str | None = None


class Sealed(NamedTuple):
    """A seal that trust must reach: judged at the end, when all that could date it is known."""

    kid: str
    role: str
    path: str
    what: str
    scope: Scope
    # Whether the signature holds, or could not be checked since nobody gave the key: then it has a signer.
    has_signer: bool
    own_time: str | None
    # The number of the last event that it covers, by which time evidence dates it; None where nothing does.
    position: int | None
    # Dated by itself: Unix seconds; None for no such evidence.
    dated: int | None = None


class Shown:
    """What the object shows, for the assurance of the report. Objects set what they can show."""

    def __init__(self) -> None:
        self.included = False
        self.complete = False
        self.required = 0
        self.valid = 0
        self.pinned = 0
        self.published = "none"
        self.anchored = "none"
        self.redacted = 0
        self.provenance: Provenance | None = None


class Examination:
    """The state of one run. A plain class: making a dataclass costs a short process a millisecond."""

    def __init__(
        self,
        kernel: Kernel,
        trust: TrustPolicy,
        *,
        value: Any = None,
        links: tuple[Any, ...] = (),
        records: Any = None,
    ) -> None:
        self.kernel = kernel
        self.trust = trust
        self.value = value
        # Evidence that was handed in beside the object (section 16), as values.
        self.links = links
        # The records of a bundle, where they were read in bulk.
        self.records = records
        self.keys = KeyRing(trust)
        self.kind: str | None = None
        self.check_list: str | None = None
        self.subject = Subject()
        self.shown = Shown()
        # Whether the newest checkpoint meets the verifier's quorum.
        self.quorum_met = False
        self.tallies: dict[str, Tally] = {}
        self.rejections: list[tuple[str, Finding, dict[str, Any]]] = []
        self.distrusts: dict[tuple[str, str], tuple[str, Finding, dict[str, Any]]] = {}
        self.sealed: list[Sealed] = []
        # (Unix seconds, number of the last event): a pinned witness or block showed the stream up to there by then.
        self.time_proofs: list[tuple[int, int]] = []
        # The same by anchors, of which none counts where something about one of them does not hold.
        self.anchor_proofs: list[tuple[int, int]] = []
        self.signers: dict[tuple[str, str], tuple[bytes | None, Reached]] = {}
        # The keys of seals that hold.
        self.sealers: set[str] = set()
        self.signatures_checked = 0
        self.seal_broken = False
        self.unknown_keys = False
        # The roots of the stream's checkpoint tree that the object establishes, by size: those that it lets recompute,
        # and those that its checkpoints state.
        self.recomputed_roots: dict[int, str] = {}
        self.stated_roots: dict[int, str] = {}
        self.newest_size: int | None = None
        # That of the newest checkpoint; None where it is the object's.
        self.newest_stream: str | None = None
        self.trusted_count = 0
        # What the object shows of the histories of streams.
        self.histories: list[History] = []

    # What checks looked at and found.

    def tally(self, check: str) -> Tally:
        """Return the tally of a check."""
        return self.tallies.setdefault(check, Tally())

    def looked(self, check: str, count: int = 1) -> None:
        """Note that a check looked at something."""
        self.tally(check).count += count

    def found(self, check: str, note: str) -> None:
        """Note what a check found without a fault. It is said where there is no other note, and no fault."""
        if self.tally(check).found is None:
            self.tally(check).found = note

    def note(self, check: str, note: str) -> None:
        """Note what a check did not look at."""
        if self.tally(check).note is None:
            self.tally(check).note = note

    def cannot_evaluate(self, check: str, note: str) -> None:
        """Note that a check could not be made."""
        self.tally(check).unevaluated = True
        self.note(check, note)

    def reject(self, check: str, finding: Finding) -> None:
        """Note a finding that rejects."""
        self.tally(check).failed = True
        self.rejections.append((check, finding, self._place(finding)))

    def distrust(self, finding: Finding, subject: str, check: str = "trust") -> None:
        """Note a finding that leaves the object untrusted: one for each code and subject."""
        if (finding.code, subject) not in self.distrusts:
            self.distrusts[finding.code, subject] = (check, finding, self._place(finding))
        self.tally(check).unevaluated = True
        # The key of a vault is looked for by another check.
        if finding.code == "key_not_pinned":
            self.tally("trust").unevaluated = True

    def expect(self, check: str, holds: bool, code: str, path: str, message: str) -> bool:
        """Reject unless something holds. Returns whether it does."""
        if not holds:
            self.reject(check, Finding(code, path, message))
        return holds

    def equal(self, check: str, code: str, path: str, expected: Any, actual: Any, message: str) -> bool:
        """Reject unless two values are equal. Returns whether they are."""
        if expected != actual:
            self.reject(check, Finding(code, path, message, str(expected), str(actual)))
        return bool(expected == actual)

    def is_clean(self, *checks: str) -> bool:
        """Return whether these checks found nothing wrong and lacked nothing."""
        return not any(
            self.tallies[one].failed or self.tallies[one].unevaluated for one in checks if one in self.tallies
        )

    def has_failed(self, *checks: str) -> bool:
        """Return whether one of these checks found something wrong."""
        return any(self.tallies[one].failed for one in checks if one in self.tallies)

    def _place(self, finding: Finding) -> dict[str, Any]:
        # A path that was cut leads as far as it is shown.
        place = place_of(self.value, cut(finding.path))
        if finding.kid is not None:
            place["kid"] = finding.kid
        if finding.seq_no is not None:
            place["seq_no"] = finding.seq_no
        return place

    def links_without(self, link: Any) -> tuple[Any, ...]:
        """Return the evidence that was handed in, but for one piece."""
        return tuple(one for one in self.links if one is not link)

    # Signatures.

    def holds(self, key: bytes, message: bytes, signature: bytes) -> bool:
        """Return whether a signature verifies."""
        return self.kernel.verify_ed25519([SignatureItem(key, message, signature)])[0]

    def sealed_by(self, kid: str, role: str, key: bytes | None, reached: Reached) -> None:
        """Note a signer whose signature holds, or whose key nobody gave. The least that reaches it counts.

        Its key counts only if every part gives it: otherwise some signature of it was not checked.
        """
        known_key, known = self.signers.get((kid, role), (key, reached))
        is_less = _LEAST.index(reached) < _LEAST.index(known)
        self.signers[kid, role] = (key and known_key, reached if is_less else known)

    def must_reach(self, sealed: Sealed) -> None:
        """Note a seal that trust must reach, which is judged at the end."""
        self.sealed.append(sealed)
        self.trusted_count += 1
        if sealed.has_signer and self.keys.key(sealed.kid) is not None:
            self.sealers.add(sealed.kid)

    def judge_trust(self) -> None:
        """Judge every seal: whether trust reaches its key, at the time that it was made."""
        for one in self.sealed:
            reached = self._judge(one)
            if one.has_signer:
                self.sealed_by(one.kid, one.role, self.keys.key(one.kid), reached)
        for one in self.sealed:
            # A use of the key that nothing dates counts against its signer, also where the signature does not hold.
            if (one.kid, one.role) in self.signers and self._is_undated(one):
                self.signers[one.kid, one.role] = (self.signers[one.kid, one.role][0], "none")
        self.sealed.clear()

    def _is_undated(self, one: Sealed) -> bool:
        reach = self.keys.reach(one.kid, one.scope)
        if reach.reason is not None or reach.valid_to is None:
            return False
        time = one.own_time
        is_in_time = time is None or ((reach.valid_from is None or time >= reach.valid_from) and time <= reach.valid_to)
        return is_in_time and not self._is_dated(one, reach.valid_to)

    def _judge(self, one: Sealed) -> Reached:
        reach, time = self.keys.reach(one.kid, one.scope), one.own_time
        if reach.reason is not None:
            # Of a key that nobody gave, nothing shows that it sealed anything: anybody can name it.
            is_checked = self.keys.key(one.kid) is not None
            relation = f"which sealed {one.what}" if is_checked else f"in whose name {one.what} is"
            message = f"{one.kid}, {relation}: {CODES[reach.reason]['meaning']}"
            near = self.keys.near_pin(one.kid) if reach.reason == "key_not_pinned" else None
            if near is not None:
                message = f"{one.kid}, which sealed {one.what}, is nearly a key that you pinned: one has a slip."
                action, actual = OWN_ACTIONS["compare_again"], (self.keys.key(one.kid) or b"").hex()
                near_finding = Finding(reach.reason, one.path, message, near.hex(), actual, kid=one.kid, action=action)
                self.distrust(near_finding, one.kid)
                return "none"
            is_other = reach.reason == "key_not_pinned" and bool(self.trust.pins)
            action = OWN_ACTIONS["ask_for_new_key"] if is_other else None
            self.distrust(Finding(reach.reason, one.path, message, kid=one.kid, action=action), one.kid)
            return "none"
        if time is not None and reach.valid_from is not None and time < reach.valid_from:
            return self._not_at_time(one, f"from {reach.valid_from}", time)
        if time is not None and reach.valid_to is not None and time > reach.valid_to:
            return self._not_at_time(one, f"to {reach.valid_to}", time)
        if reach.valid_to is not None and not self._is_dated(one, reach.valid_to):
            message = f"{one.kid} is trusted up to {reach.valid_to} only, and nothing dates {one.what}."
            self.distrust(Finding("key_time_unproven", one.path, message, kid=one.kid), one.kid)
            return "none"
        return reach.reached

    def _not_at_time(self, one: Sealed, expected: str, time: str) -> Reached:
        message = f"{one.kid} sealed {one.what} outside of its time."
        self.reject("trust", Finding("key_not_valid_at_time", one.path, message, expected, time))
        return "none"

    def _is_dated(self, one: Sealed, end: str) -> bool:
        # What does not hold of anchors and notes dates no anchor.
        counts = one.role != "anchor" or self.is_clean("anchor", "note")
        times = [one.dated] if one.dated is not None and counts else []
        if one.position is not None:
            times += [time for time, up_to in self._all_time_proofs() if one.position <= up_to]
        return bool(times) and min(times) <= unix_seconds(end)

    def proven_before(self, instant: str, position: int) -> bool:
        """Return whether time evidence places the stream up to an event before an instant."""
        end = unix_seconds(instant)
        has_part = not instant.endswith(".000Z")
        proofs = self._all_time_proofs()
        return any(position <= up_to and (time < end or (has_part and time == end)) for time, up_to in proofs)

    def _all_time_proofs(self) -> list[tuple[int, int]]:
        return [*self.time_proofs, *(self.anchor_proofs if self.is_clean("anchor", "note") else ())]

    @property
    def roots(self) -> dict[int, str]:
        """The roots that the object establishes: of two at one size the one that a checkpoint states."""
        return self.recomputed_roots | self.stated_roots

    @property
    def tree_stream(self) -> str | None:
        """The stream whose checkpoint tree the object shows."""
        return self.newest_stream or self.subject.stream_id

    # Parts that are examined by themselves.

    def adopt(self, part: Examination, prefix: str) -> None:
        """Take over what a part noted, whose paths begin at `prefix`. Its trust is judged before."""
        for check, finding, place in part.rejections:
            self.tally(check).failed = True
            self.rejections.append((check, finding._replace(path=_moved(prefix, finding.path)), place))
        self.adopt_signers(part, prefix)
        for check, tally in part.tallies.items():
            own = self.tally(check)
            own.count += tally.count
            own.failed |= tally.failed
            own.unevaluated |= tally.unevaluated
            own.note = own.note or tally.note
            own.found = own.found or tally.found
        self.seal_broken |= part.seal_broken
        self.signatures_checked += part.signatures_checked

    def adopt_signers(self, part: Examination, prefix: str) -> None:
        """Take over how trust reaches the signers of a part."""
        for key, (check, finding, place) in part.distrusts.items():
            self.tally(check).unevaluated = True
            if key not in self.distrusts:
                self.distrusts[key] = (check, finding._replace(path=_moved(prefix, finding.path)), place)
        for (kid, role), (public_key, reached) in part.signers.items():
            self.sealed_by(kid, role, public_key, reached)
        self.trusted_count += part.trusted_count
        self.unknown_keys |= part.unknown_keys

    # The report.

    def checks_of_kind(self) -> list[str]:
        """Return the checks of the kind, in order."""
        checks: Iterable[str] = OF_NO_KIND if self.kind is None else BY_LIST[self.check_list or self.kind]
        wanted = set(checks)
        if self.trust.get("require_assurance") is not None:
            wanted.add(WITH_REQUIRED_ASSURANCE)
        return [check for check in ORDER if check in wanted]

    def is_signed(self) -> bool:
        """Return whether there is a seal, and every signature of a seal was checked and holds."""
        return (
            self.trusted_count > 0
            and not self.seal_broken
            and not self.unknown_keys
            and not self.has_failed(*_OF_SIGNATURES)
        )

    def report(self) -> Report:
        """Make the report. Call it once, last."""
        self.judge_trust()
        if self.trusted_count:
            self.looked("trust", self.trusted_count)
        if any(check == "trust" for check, _, _ in self.distrusts.values()):
            self.note("trust", "no trust that you brought along reaches every signer")
        found = [*in_order(self.rejections), *in_order(self.distrusts.values())]
        # Rejections stand first in their check.
        found.sort(key=lambda one: _RANK[one[0]])
        verdict = "rejected" if self.rejections else "untrusted" if self.distrusts else "verified"
        problems, checks = _problems(found), [self._check(check) for check in self.checks_of_kind()]
        signers = self._signers()
        if convicts([problem for _, problem in problems], signers):
            action = OWN_ACTIONS["keep_against_signer"]
            problems = [(check, replace(problem, action=action)) for check, problem in problems]
        report: dict[str, Any] = {
            "kind": self.kind,
            "verdict": verdict,
            "subject": self.subject.to_dict(),
            "assurance": self._assurance().to_dict(),
            "signers": [one.to_dict() for one in signers],
            "checks": [one.to_dict() for one in checks],
            "problems": [{"check": check} for check, _ in problems],
        }
        if any(check == "trust" for check, _, _ in found) and not any(check == "trust" for check, _ in problems):
            report["problems"].append({"check": "trust"})
        proves, does_not_prove = sentences_of(report)
        return Report(
            ok=verdict == "verified",
            verdict=verdict,  # type: ignore[arg-type]
            kind=self.kind,  # type: ignore[arg-type]
            subject=self.subject,
            verifier=Verifier(name="svc-sdk", version=VERSION, kernel_sha256=self.kernel.sha256_hex),
            assurance=self._assurance(),
            signers=tuple(signers),
            checks=tuple(checks),
            problems=tuple(problem for _, problem in problems),
            proves=proves,
            does_not_prove=does_not_prove,
            # What does not hold shows nothing.
            _histories=() if self.rejections else tuple(self.histories),
        )

    def _check(self, check: str) -> Check:
        tally = self.tallies.get(check) or Tally()
        status = (
            "fail"
            if tally.failed
            else "cannot_evaluate"
            if tally.unevaluated
            else "pass"
            if tally.count
            else "not_checked"
        )
        note = tally.note
        if note is None and status != "fail":
            note = tally.found
        if note is None and status == "not_checked" and not self.has_failed("json", "shape", "archive"):
            note = _LEFT_OUT.get(check)
        return Check(id=check, status=status, count=tally.count or None, note=note)  # type: ignore[arg-type]

    def _signers(self) -> list[Signer]:
        ordered = sorted(self.signers.items(), key=lambda one: (ROLES.index(one[0][1]), one[0][0]))
        return [
            Signer(kid=kid, fingerprint=None if key is None else sha256(key).hexdigest(), role=role, reached=reached)
            for (kid, role), (key, reached) in ordered[:MAX_SIGNERS]
        ]

    def _assurance(self) -> Assurance:
        shown = self.shown
        return Assurance(
            signed=self.is_signed(),
            included=shown.included,
            complete=shown.complete,
            witnessed=Witnessed(required=shown.required, valid=shown.valid, pinned=shown.pinned),
            published=shown.published,  # type: ignore[arg-type]
            anchored=shown.anchored,  # type: ignore[arg-type]
            redacted=shown.redacted,
            provenance=shown.provenance,
        )


# What a check says that found nothing to look at, where a reader may wonder.
_LEFT_OUT = {
    "anchor": "no anchor here",
    "attestation": "no attestation here",
    "witness": "no cosignature by a witness of the policy or of yours",
}


def _moved(prefix: str, path: str) -> str:
    return path if path.startswith("trust:") else prefix + path


def in_order(found: Iterable[tuple[str, Finding, dict[str, Any]]]) -> list[tuple[str, Finding, dict[str, Any]]]:
    """Return findings in the order in which a report has them (section 16, order of problems)."""
    return sorted(found, key=lambda one: (_RANK[one[0]], place_key(one[1].path, one[1].code)))


def _problems(found: list[tuple[str, Finding, dict[str, Any]]]) -> list[tuple[str, Problem]]:
    """Return the problems of a report, each with its check: cut, and those that a cut makes equal once."""
    problems: list[tuple[str, Problem]] = []
    seen: set[tuple[str, str]] = set()
    for check, finding, place in found:
        if len(problems) == MAX_PROBLEMS:
            break
        path = cut(finding.path)
        if path != finding.path:
            if (finding.code, path) in seen:
                continue
            seen.add((finding.code, path))
        problem = Problem(
            code=finding.code,
            path=path,
            message=cut(finding.message),
            expected=None if finding.expected is None else cut(finding.expected),
            actual=None if finding.actual is None else cut(finding.actual),
            action=finding.action or CODES[finding.code]["action"],
            **place,
        )
        problems.append((check, problem))
    return problems
