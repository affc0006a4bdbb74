/**
 * Verifying what anybody hands in, by core's own function and nothing else. The server pins its own keys, so that its own evidence is
 * not merely `untrusted`; the report says by which key. What contradicts the server's own records is kept as evidence of a fork.
 */
import type { Kind, Report, TrustPolicy } from "@svc/core";
import { ServiceError } from "../errors.ts";
import type { Forks } from "../forks/forks.ts";
import type { Foundation } from "../foundation.ts";
import { malformed } from "../http/body.ts";
import { MAX_INLINE_VERIFY_BYTES } from "../limits.ts";
import { ownTrust } from "../tenancy/service-store.ts";
import { type Examined, examine } from "./examine.ts";
import { LargeObjects } from "./large-objects.ts";

export class VerifyEvidence {
  readonly #ground: Pick<Foundation, "database" | "kernel" | "origin">;
  readonly #forks: Forks;
  readonly #large = new LargeObjects();

  constructor(ground: Pick<Foundation, "database" | "kernel" | "origin">, forks: Forks) {
    this.#ground = ground;
    this.#forks = forks;
  }

  /** Waits until a body of so many bytes may be read, null where the size is not known; answers with what gives its place back. */
  async admit(bytes: number | null): Promise<() => void> {
    return bytes !== null && bytes <= MAX_INLINE_VERIFY_BYTES ? () => undefined : this.#large.admit();
  }

  /** The report on an object. `kind` is the only one that is wanted, null for any. */
  async verify(bytes: Uint8Array, kind: Kind | null): Promise<Report> {
    const { database, kernel, origin } = this.#ground;
    const trust = await database.read((reader) => ownTrust(reader, origin));
    const isLarge = bytes.length > MAX_INLINE_VERIFY_BYTES;
    const question = { bytes, trust, kind };
    const report = reportOf(isLarge ? await this.#large.examine(question) : examine(kernel, question), kind);
    if (report.ok && !isLarge) await this.#forks.look(bytes, report);
    return sayingWhom(report, trust);
  }
}

/** The report, whose check `trust` says whose keys were pinned. Core does not: there the reader pins keys, and knows. */
function sayingWhom(report: Report, { signers }: TrustPolicy): Report {
  const whom = `Only keys of this service itself were pinned: ${signers.map(({ kid }) => kid).join(", ")}.`;
  const checks = report.checks.map((check) =>
    check.id === "trust" ? { ...check, note: check.note === undefined ? whom : `${check.note} ${whom}` } : check,
  );
  return { ...report, checks };
}

function reportOf(examined: Examined, wanted: Kind | null): Report {
  if ("report" in examined) return examined.report;
  if ("malformed" in examined) throw malformed(examined.malformed);
  if ("unknown" in examined)
    throw new ServiceError(
      "unsupported_object",
      "The members of this object are of no kind of evidence that this server can verify. Send the bare object, without anything around it.",
    );
  throw new ServiceError(
    "wrong_kind",
    `This route verifies a ${wanted}, and the object is a ${examined.otherKind}. Send it to POST /v2/verify.`,
    { kind: examined.otherKind },
  );
}
