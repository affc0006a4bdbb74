"""Bundles over streams of envelopes (section 27): what they have beside every bundle."""

from __future__ import annotations

from typing import Any

from .._objects.hashing import digest
from .._objects.policies import check_ascending
from .._objects.receipt import payload_hash
from .._objects.window import root_of_hashes
from .._report.examination import Examination, Finding
from .._schema.pointer import below
from .._trust.key_ring import Scope
from .._trust.policy import kid_of
from .._verify.form import of_start_seal
from .assurance import Carrying, Counting, Tally, substantiate
from .attestation import check_attestation, check_result_seal
from .envelope import CHECK as ENVELOPE
from .envelope import check_content, check_first, check_recorded, check_seal_of, envelope_hash
from .handovers import check_handovers
from .known_keys import KnownKeys
from .provider import check_policies, check_use
from .statuses import Placed, from_trust, is_in_time

PART = "/artifacts/provenance.json"
LIFECYCLE = "/manifest/vault_key_lifecycle"
Bundle = dict[str, Any]


def leaf(record: dict[str, Any], envelope: dict[str, Any]) -> str:
    """Return the leaf data of an envelope in the provenance tree, with the stream and the event of its record."""
    return digest(
        "leaf",
        {
            "stream_id": record["stream_id"],
            "seq_no": record["seq_no"],
            "event_hash": record["event_hash"],
            "source_ref": record["source_ref"],
            "installation_id": envelope["installationId"],
            "envelope_hash": envelope_hash(envelope),
            "capsule_root": envelope["capsuleRoot"],
        },
    )


def examine_part(ex: Examination, bundle: Bundle, scope: Scope, is_sealed: bool) -> None:
    """Examine what a bundle of envelopes has beside every bundle. `is_sealed`: whether the bundle's seal holds."""
    _Part(ex, bundle, scope, is_sealed).examine()


class _Part:
    def __init__(self, ex: Examination, bundle: Bundle, scope: Scope, is_sealed: bool) -> None:
        self.ex = ex
        self.bundle = bundle
        self.manifest = bundle["manifest"]
        self.scope = scope
        self.is_sealed = is_sealed
        # Whether trust reaches the bundle's signer.
        self.is_trusted = is_in_time(ex, bundle["seal"]["kid"], scope, self.manifest["created_at"])
        self.part = bundle["artifacts"]["provenance.json"]
        # The envelopes that have their records, and their places in the artifact.
        self.items: list[dict[str, Any]] = self.part["envelopes"]
        self.places: list[int] = list(range(len(self.items)))
        # The contents that belong to an event, by its number.
        self.shown: dict[int, Any] = {}
        self.records = {record["seq_no"]: record for record in bundle["artifacts"]["receipts.json"]}

    def examine(self) -> None:
        ex, part = self.ex, self.part
        check_ascending(ex, "vault_key", part["handovers"], lambda one: one["handoverAt"], f"{PART}/handovers")
        self._check_presence()
        self._check_lifecycle()
        handovers = check_handovers(ex, part["handovers"], f"{PART}/handovers")
        keys = KnownKeys(ex, [*self._statuses(), *from_trust(ex, self.scope)], handovers)
        self._check_installations(keys)
        for index, item in zip(self.places, self.items, strict=True):
            self._check_envelope(item, f"{PART}/envelopes/{index}", keys)
        self._check_chain()
        self._check_tree()
        policies = check_policies(ex, part["provider_policies"], f"{PART}/provider_policies", self.scope)
        check_ascending(
            ex, "provider", part["provider_policies"], lambda one: one["policyVersion"], f"{PART}/provider_policies"
        )
        counting = self._check_attestations(keys)
        self._check_contents(keys, policies, counting)

    def _check_presence(self) -> None:
        """Check that there is one envelope for each record, in order. One that is of no record is left out."""
        numbers = [record["seq_no"] for record in self.bundle["artifacts"]["receipts.json"]]
        own: list[int] = [item["seq_no"] for item in self.items]
        odd = next((at for at, number in enumerate(own) if at >= len(numbers) or number != numbers[at]), None)
        path = f"{PART}/envelopes" if odd is None else f"{PART}/envelopes/{odd}/seq_no"
        message = f"There are {len(numbers)} records and {len(own)} envelopes, or not in one order."
        self.ex.expect(ENVELOPE, own == numbers, "provenance_envelope_missing", path, message)
        kept = [(index, item) for index, item in enumerate(self.items) if item["seq_no"] in self.records]
        self.places = [index for index, _ in kept]
        self.items = [item for _, item in kept]

    def _check_lifecycle(self) -> None:
        lifecycle = self.manifest["vault_key_lifecycle"]
        named = [one["installationId"] for one in lifecycle]
        wanted = sorted({item["envelope"]["installationId"] for item in self.part["envelopes"]})
        keys = {one["publicKeyHex"] for one in lifecycle}
        times = {one["statusAt"] for one in lifecycle}
        holds = named == wanted and len(keys) == len(lifecycle) and times == {self.manifest["created_at"]}
        for index, one in enumerate(lifecycle):
            message = "The status names its key by an identifier that is not that key's."
            is_named = kid_of(bytes.fromhex(one["publicKeyHex"])) == one["keyId"]
            self.ex.expect("vault_key", is_named, "kid_mismatch", f"{LIFECYCLE}/{index}/keyId", message)
        message = "The lifecycle has not exactly the installations of the range, in order and at the manifest's time."
        self.ex.expect("vault_key", holds, "vault_lifecycle_mismatch", LIFECYCLE, message)

    def _statuses(self) -> list[Placed]:
        """Return the statuses of the lifecycle, which the manifest's seal covers, where they count."""
        if not self.is_sealed or not self.is_trusted:
            return []
        lifecycle = self.manifest["vault_key_lifecycle"]
        return [Placed(one, f"{LIFECYCLE}/{index}") for index, one in enumerate(lifecycle)]

    def _check_installations(self, keys: KnownKeys) -> None:
        first: dict[str, int] = {}
        for index, item in zip(self.places, self.items, strict=True):
            first.setdefault(item["envelope"]["installationId"], index)
        for installation, index in first.items():
            keys.check(installation, f"{PART}/envelopes/{index}/envelope/installationId")

    def _check_envelope(self, item: dict[str, Any], path: str, keys: KnownKeys) -> None:
        ex, envelope, record = self.ex, item["envelope"], self.records.get(item["seq_no"])
        where = f"{path}/envelope"
        installation = envelope["installationId"]
        known = keys.of(installation)
        check_seal_of(ex, envelope, known, where)
        if record is None:
            return
        ex.looked(ENVELOPE)
        code, actual = "envelope_record_mismatch", payload_hash(envelope, item["payload_salt"])
        message = "The envelope is not the payload that was recorded."
        ex.equal(ENVELOPE, code, where, record["payload_hash"], actual, message)
        for name, member in (("source_ref", "sourceRef"), ("stream_id", "streamId")):
            message = f"The record has another {name} than the envelope."
            ex.equal(ENVELOPE, code, f"{where}/{member}", record[name], envelope[member], message)
        keys.check_event(known, where, installation, record["received_at"], record["seq_no"])

    def _check_chain(self) -> None:
        ex, check = self.ex, "vault_chain"
        last: dict[str, tuple[int, str]] = {}
        references: set[str] = set()
        for index, item in zip(self.places, self.items, strict=True):
            ex.looked(check)
            envelope, path = item["envelope"], f"{PART}/envelopes/{index}/envelope"
            message = "The reference appears twice."
            is_new = envelope["sourceRef"] not in references
            ex.expect(check, is_new, "provenance_source_ref_conflict", f"{path}/sourceRef", message)
            references.add(envelope["sourceRef"])
            self._check_place(envelope, last.get(envelope["installationId"]), path)
            last[envelope["installationId"]] = envelope["vaultSeq"], envelope_hash(envelope)

    def _check_place(self, envelope: dict[str, Any], before: tuple[int, str] | None, path: str) -> None:
        ex, check, code = self.ex, "vault_chain", "vault_chain_broken"
        number = envelope["vaultSeq"]
        if before is None:
            message = "The range begins at event 1, and the installation's envelopes do not begin with number 1."
            if self.manifest["from_seq_no"] > 1 or ex.expect(check, number == 1, code, f"{path}/vaultSeq", message):
                check_first(ex, envelope, path, check)
            return
        message = f"Expected envelope {before[0] + 1} of the installation here, found envelope {number}."
        if ex.expect(check, number == before[0] + 1, code, f"{path}/vaultSeq", message):
            message = "The envelope does not name the hash of the one before."
            where = f"{path}/previousEnvelopeHash"
            ex.equal(check, code, where, before[1], envelope["previousEnvelopeHash"], message)

    def _check_tree(self) -> None:
        ex, check, manifest = self.ex, "provenance", self.manifest
        leaves = [leaf(self.records[item["seq_no"]], item["envelope"]) for item in self.items]
        ex.looked(check, len(self.items))
        ex.found(check, f"the root over {manifest['provenance_event_count']} events is {manifest['provenance_root']}")
        actual = root_of_hashes(ex, leaves) if leaves else None
        message = "The envelopes do not give the provenance root of the manifest."
        where = "/manifest/provenance_root"
        ex.equal(check, "provenance_root_mismatch", where, manifest["provenance_root"], actual, message)
        count = manifest["to_seq_no"] - manifest["from_seq_no"] + 1
        message = "The range has another number of events than the manifest counts."
        where = "/manifest/provenance_event_count"
        ex.equal(check, "provenance_count_mismatch", where, manifest["provenance_event_count"], count, message)

    def _check_attestations(self, keys: KnownKeys) -> list[Counting]:
        ex, attestations = self.ex, self.part["attestations"]
        check_ascending(ex, "attestation", attestations, _reference, f"{PART}/attestations")
        counting = []
        for index, one in enumerate(attestations):
            path, result = f"{PART}/attestations/{index}", one["result"]
            is_trusted = result is not None and check_result_seal(ex, result, f"{path}/result", self.scope)
            found = check_attestation(ex, one["record"], result, path, keys, is_trusted)
            if found is not None:
                counting.append(found)
        return counting

    def _check_contents(self, keys: KnownKeys, policies: dict[str, Any], counting: list[Counting]) -> None:
        ex, tally = self.ex, Tally(self.ex)
        tally.results = [one.result for one in counting if one.is_trusted]
        # A content is that of the last envelope of its event, should there be several.
        of_event = {
            self.records[item["seq_no"]]["stream_event_id"]: (index, item)
            for index, item in zip(self.places, self.items, strict=True)
        }
        for event_id, content in self.bundle.get("contents", {}).items():
            path = below("/contents", event_id)
            if event_id not in of_event:
                message = "This content belongs to no event in the bundle."
                ex.reject(ENVELOPE, Finding("malformed", path, message))
                continue
            index, item = of_event[event_id]
            self.shown[item["seq_no"]] = content
            check_content(ex, item["envelope"], content, path)
            # Only an event says which envelope a content belongs to.
            for fault in of_start_seal(item["envelope"], content, f"{PART}/envelopes/{index}/envelope"):
                ex.reject(ENVELOPE, Finding(*fault))
            check_recorded(ex, content, self.records[item["seq_no"]], path)
            check_use(ex, content["metadata"], policies, f"{path}/metadata", is_trusted=self.is_trusted)
        # Where trust does not reach the bundle's signer, results carry no level, and contradict none either.
        may_carry = Carrying([one for one in counting if one.is_trusted or not self.is_trusted])
        for index, item in zip(self.places, self.items, strict=True):
            record = self.records[item["seq_no"]]
            content = self.shown.get(item["seq_no"])
            level, carrying = "L0", None
            if content is not None:
                path = below("/contents", record["stream_event_id"])
                level, carrying = self._level(
                    item["envelope"], content, record, may_carry, keys, path, f"{PART}/envelopes/{index}/envelope"
                )
            tally.add(content, level, carrying)
        self._note_withheld()
        firsts: dict[str, int] = {}
        for item in self.items:
            firsts.setdefault(item["envelope"]["installationId"], item["envelope"]["vaultSeq"])
        chain = "none" if not firsts else "complete" if set(firsts.values()) == {1} else "partial"
        tally.show(keys, chain, firsts)

    def _note_withheld(self) -> None:
        withheld = [one for one in self.items if one["seq_no"] not in self.shown]
        starts = sum("startSeal" in one["envelope"] for one in withheld)
        if withheld:
            unchecked = f", and {starts} start seals not checked without them" if starts else ""
            self.ex.note(ENVELOPE, f"{len(withheld)} contents withheld{unchecked}")

    def _level(
        self, envelope: Any, content: Any, record: Any, carrying: Carrying, keys: KnownKeys, path: str, at: str
    ) -> tuple[str, Counting | None]:
        ex = self.ex
        ex.looked("assurance")
        key = keys.of(envelope["installationId"]).key
        level, _, carrier = substantiate(ex, envelope, content, record["received_at"], carrying, key, at)
        message = "Nothing here substantiates the level that the vault claims."
        code = "provenance_assurance_not_substantiated"
        ex.expect("assurance", level is not None, code, f"{path}/assurance", message)
        return level or "L0", carrier


def _reference(attestation: dict[str, Any]) -> str:
    result = attestation["result"]
    return "" if result is None else str(result["attestationRef"])
