/**
 * Finds the public key of a kid, and says whether the verifier's trust reaches it (protocol section 4). Bytes come from
 * the pins first, then from endorsements, then from hints; trust comes from pins and endorsement chains only.
 */
import { addTo } from "../grouping.ts";
import { MAX_ENDORSEMENT_CHAIN } from "../protocol.ts";
import type { Kid, PublicKeyHex } from "../schema/atoms.ts";
import type { PinnedSigner, TrustPolicy } from "./policy.ts";

/** A slip changes one digit, or swaps two. */
const MAX_SLIPS = 2;

/** A key that came with the object. */
export interface CarriedKey {
  readonly kid: Kid;
  readonly public_key_hex: PublicKeyHex;
}

/** The members of an endorsement that chains are made of. */
export interface EndorsementLink {
  readonly endorsed_kid: Kid;
  readonly public_key_hex: PublicKeyHex;
  readonly valid_from: string;
  readonly seal: { readonly kid: Kid };
}

/** The scope of a seal, to which a pin can be restricted. */
export interface Scope {
  readonly streamId?: string | undefined;
  /** The stream's origin, if the object or its container states one. */
  readonly origin?: string | undefined;
  /** The service's own origin, for an object that belongs to no stream. */
  readonly serviceOrigin?: string | undefined;
}

/**
 * The reason why trust does not reach a key. An endorsement by a key with an end never counts, since nothing dates it.
 */
export type DistrustCode = "key_not_pinned" | "key_revoked" | "signer_not_for_stream" | "key_time_unproven";

/** How the verifier's trust reaches a key. */
export type Standing =
  | {
      readonly trusted: true;
      /** Set for an endorsed key: a seal that it made before this time does not count. */
      readonly validFrom: string | null;
      /** Set for a pinned key with an end. */
      readonly validTo: string | null;
    }
  | { readonly trusted: false; readonly code: DistrustCode };

/** The keys of one examination. `endorsements` are those whose own signature holds. */
export class KeyRing {
  readonly #policy: TrustPolicy;
  readonly #pinned: ReadonlyMap<Kid, PinnedSigner>;
  readonly #carried = new Map<Kid, PublicKeyHex>();
  readonly #revoked: ReadonlySet<Kid>;
  readonly #endorsedBy = new Map<Kid, EndorsementLink[]>();
  /**
   * The keys that are reachable from each set of roots. There are few sets, even if an object has many keys and scopes.
   */
  readonly #reached = new Map<string, ReadonlyMap<Kid, string>>();

  readonly #near = new Map<Kid, PublicKeyHex | null>();

  constructor(policy: TrustPolicy) {
    this.#policy = policy;
    this.#pinned = new Map(policy.signers.map((signer) => [signer.kid, signer]));
    this.#revoked = new Set(policy.revoked ?? []);
  }

  /** Takes up the keys that came with the object. They may be used to compute with, and that gives them no trust. */
  carry(hints: readonly CarriedKey[], endorsements: readonly EndorsementLink[]): void {
    for (const hint of hints) this.#carried.set(hint.kid, hint.public_key_hex);
    for (const endorsement of endorsements) this.#carried.set(endorsement.endorsed_kid, endorsement.public_key_hex);
  }

  /** States which endorsements hold; only they can form chains. */
  accept(endorsements: readonly EndorsementLink[]): void {
    this.#endorsedBy.clear();
    this.#reached.clear();
    for (const endorsement of endorsements) addTo(this.#endorsedBy, endorsement.seal.kid, endorsement);
  }

  /** Returns who endorses which key, of the endorsements that hold. */
  endorsed(): [by: Kid, kid: Kid][] {
    return [...this.#endorsedBy.values()].flat().map(({ seal, endorsed_kid }) => [seal.kid, endorsed_kid]);
  }

  /** Returns the public key of a kid, or null if nobody told it. */
  publicKey(kid: Kid): PublicKeyHex | null {
    return this.#pinned.get(kid)?.public_key_hex ?? this.#carried.get(kid) ?? null;
  }

  /** Returns every key that is pinned or came with the object, by its kid. */
  known(): Map<Kid, PublicKeyHex> {
    const known = new Map(this.#carried);
    for (const [kid, { public_key_hex }] of this.#pinned) known.set(kid, public_key_hex);
    return known;
  }

  /** Returns the pinned kids, also those whose pin is restricted. */
  pinned(): Kid[] {
    return [...this.#pinned.keys()];
  }

  /**
   * Returns the pinned key that differs from this one in one or two hex digits; null without one. No signer can make a
   * key so close to another, so one of the two was copied wrongly.
   */
  nearPin(kid: Kid): PublicKeyHex | null {
    const known = this.#near.get(kid);
    if (known !== undefined) return known;
    const key = this.publicKey(kid);
    const pins = [...this.#pinned.values()].map(({ public_key_hex }) => public_key_hex);
    const near = (key === null ? undefined : pins.find((pin) => isNear(pin, key))) ?? null;
    this.#near.set(kid, near);
    return near;
  }

  /**
   * Returns these keys and all keys that chains of accepted endorsements lead to from them, without regard to trust.
   */
  successors(roots: Iterable<Kid>): Set<Kid> {
    const reached = new Set(roots);
    let edge = [...reached];
    for (let length = 1; length <= MAX_ENDORSEMENT_CHAIN; length++) {
      const endorsed = edge.flatMap((kid) => this.#endorsedBy.get(kid) ?? []).map((link) => link.endorsed_kid);
      edge = [...new Set(endorsed)];
      for (const kid of edge) reached.add(kid);
    }
    return reached;
  }

  /** Says whether endorsements by a key may count: false if one of its pins forbids them. */
  mayEndorse(kid: Kid): boolean {
    return !this.#policy.signers.some((signer) => signer.kid === kid && signer.endorse === false);
  }

  /**
   * Says whether trust reaches a key for an object of this scope. Only its own pins decide about a pinned key: an
   * endorsement by another key cannot widen what the verifier said of it.
   */
  standing(kid: Kid, scope: Scope): Standing {
    if (this.#revoked.has(kid)) return { trusted: false, code: "key_revoked" };
    const { signers } = this.#policy;
    const pins = signers.filter((signer) => signer.kid === kid);
    if (pins.length > 0) {
      const inScope = pins.filter((pin) => covers(pin, scope));
      if (inScope.length === 0) return { trusted: false, code: "signer_not_for_stream" };
      const ends = inScope.flatMap((pin) => pin.valid_to ?? []).sort();
      return { trusted: true, validFrom: null, validTo: ends[0] ?? null };
    }
    const endorsing = signers.filter((signer) => signer.endorse !== false && !this.#revoked.has(signer.kid));
    const inScope = endorsing.filter((signer) => covers(signer, scope));
    const undated = inScope.filter((signer) => signer.valid_to === undefined);
    const validFrom = this.#endorsed(this.#roots(undated)).get(kid);
    if (validFrom !== undefined) return { trusted: true, validFrom, validTo: null };
    // From here on, only the reason is open.
    const reaches = (roots: ReadonlySet<Kid>) => this.#endorsed(roots).has(kid);
    if (reaches(this.#roots(inScope))) return { trusted: false, code: "key_time_unproven" };
    if (reaches(this.#roots(endorsing))) return { trusted: false, code: "signer_not_for_stream" };
    if (reaches(this.#revoked)) return { trusted: false, code: "key_revoked" };
    return { trusted: false, code: "key_not_pinned" };
  }

  /** Returns the keys of these pins that have no other pin: of a key that is pinned twice, the stricter one counts. */
  #roots(pins: readonly PinnedSigner[]): ReadonlySet<Kid> {
    const barred = new Set(this.#policy.signers.filter((signer) => !pins.includes(signer)).map(({ kid }) => kid));
    return new Set(pins.map(({ kid }) => kid).filter((kid) => !barred.has(kid)));
  }

  /**
   * Returns every key that endorsements lead to from these roots, with the `valid_from` of the shortest chain's last
   * link; of several equally short chains, the earliest. No chain leads through a pinned or a revoked key.
   */
  #endorsed(roots: ReadonlySet<Kid>): ReadonlyMap<Kid, string> {
    const cacheKey = [...roots].join();
    const known = this.#reached.get(cacheKey);
    if (known !== undefined) return known;
    const passed = new Set<Kid>([...this.#pinned.keys(), ...this.#revoked]);
    let edge = roots;
    const reached = new Map<Kid, string>();
    for (let length = 1; length <= MAX_ENDORSEMENT_CHAIN; length++) {
      const next = new Set<Kid>();
      for (const { endorsed_kid, valid_from } of [...edge].flatMap((kid) => this.#endorsedBy.get(kid) ?? [])) {
        if (passed.has(endorsed_kid)) continue;
        const earlier = reached.get(endorsed_kid);
        if (earlier === undefined || valid_from < earlier) reached.set(endorsed_kid, valid_from);
        next.add(endorsed_kid);
      }
      for (const kid of next) passed.add(kid);
      edge = next;
    }
    this.#reached.set(cacheKey, reached);
    return reached;
  }
}

function covers(signer: PinnedSigner, scope: Scope): boolean {
  if (signer.streams !== undefined && scope.streamId !== undefined && !signer.streams.includes(scope.streamId))
    return false;
  if (signer.origin !== undefined && scope.serviceOrigin !== undefined && signer.origin !== scope.serviceOrigin)
    return false;
  if (
    signer.origin !== undefined &&
    scope.origin !== undefined &&
    scope.origin !== `${signer.origin}/${scope.streamId}`
  )
    return false;
  return true;
}

function isNear(left: string, right: string): boolean {
  let differing = 0;
  for (let at = 0; at < left.length && differing <= MAX_SLIPS; at++) if (left[at] !== right[at]) differing++;
  return differing > 0 && differing <= MAX_SLIPS;
}
