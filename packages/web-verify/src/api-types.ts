/**
 * The types of the functions for scripts. They are published unchanged (typings.ts), so this module imports reports
 * only.
 */
import type { Kind, Report } from "@svc/core";

/**
 * Bytes as they were received, or their text. A parsed value is refused: a difference between two readers shows only in
 * the bytes.
 */
export type Evidence = Uint8Array | ArrayBuffer | string;

/** Whom you trust, and what you demand (protocol section 16). Nothing in the evidence can widen it. */
export interface TrustPolicy {
  /** Keys that you trust. `kid`: `ed25519-` and the first 16 hex characters of SHA-256 of the raw key. */
  readonly signers: readonly {
    readonly kid: string;
    /** A raw Ed25519 key, 64 lowercase hex characters. */
    readonly public_key_hex: string;
    /** Only for streams of this service. */
    readonly origin?: string;
    /** Only for these streams. */
    readonly streams?: readonly string[];
    /** Only for evidence that is proven to be sealed at or before this time. */
    readonly valid_to?: string;
    /** False: its endorsements of other keys do not count. */
    readonly endorse?: boolean;
  }[];
  /** The kids of keys that you no longer trust. */
  readonly revoked?: readonly string[];
  readonly witnesses?: readonly { readonly name: string; readonly public_key_hex: string }[];
  /** How many of your witnesses must have cosigned the newest checkpoint, or a C2SP tlog-policy text. */
  readonly quorum?: number | string;
  /** Blocks that you know to be in a chain. */
  readonly blocks?: readonly { readonly network: string; readonly number: number; readonly hash: string }[];
  /** Contracts whose code you know. `code_hash`: the Keccak-256 of the code. */
  readonly contracts?: readonly { readonly network: string; readonly address: string; readonly code_hash: string }[];
  readonly require?: readonly ("included" | "witnessed" | "published" | "anchored")[];
  readonly known_checkpoints?: readonly {
    readonly stream_id: string;
    readonly window_count: number;
    readonly checkpoint_root: string;
  }[];
  readonly expect?: {
    readonly stream_id?: string;
    readonly from_seq_no?: number;
    readonly to_seq_no?: number;
    /** The reader for whom a disclosure is to be sealed, and the occasion. */
    readonly audience?: string;
    readonly nonce?: string;
    /** SHA-256 of the content that a disclosure is to open. */
    readonly content_sha256?: string;
  };
  /** Keys of vaults that you know; a vault whose key only the service vouches for is then untrusted. */
  readonly vaults?: readonly {
    readonly installation_id: string;
    readonly public_key_hex: string;
    readonly ek_certificate_sha256?: string;
  }[];
  /** Key statuses that you have from elsewhere, parsed. */
  readonly key_status?: readonly unknown[];
  /** The latest status of each key must not be older. */
  readonly status_not_before?: string;
  /** Whether the time of an event before the end of its key is the service's word, or must be proven. */
  readonly vault_time?: "stated" | "proven";
  /** If it is there, levels count only by your own check of the evidence. */
  readonly attestation_roots?: readonly {
    readonly sha256: string;
    readonly use: "custody" | "ek";
    readonly profile?: "yubihsm2";
    readonly software?: boolean;
  }[];
  readonly custodians?: readonly { readonly name: string; readonly public_key_hex: string }[];
  readonly activators?: readonly { readonly name: string; readonly public_key_hex: string }[];
  /** Boot values and vault programs that you accept, as protocol section 25 lists them. */
  readonly reference_values?: readonly unknown[];
  readonly allow_software_roots?: boolean;
  /** The level that every event must reach. */
  readonly require_assurance?: "L0" | "L1" | "L2" | "L3";
}

export interface VerifyOptions {
  /**
   * Raw Ed25519 public keys that you trust, each 64 lowercase hex characters, from another source than the evidence.
   */
  readonly publicKeysHex?: readonly string[] | undefined;
  /** A trust policy; the keys above join its signers. A malformed policy rejects all evidence. */
  readonly trust?: TrustPolicy | undefined;
  /** Consistency evidence that links the checkpoints that you know, parsed. */
  readonly links?: readonly unknown[] | undefined;
  /** The kind to verify as; by default the kind that the members name. `verify` rejects with TypeError for no kind. */
  readonly kind?: Kind | undefined;
}

/** The events that must be there; numbers from 1, both included. */
export interface ExpectedRange {
  readonly streamId?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/**
 * The verifier: `window.svcVerify` on the page, and the exports of the module. It takes no credential, opens no
 * connection and reads no clock. Evidence that does not hold gives a report, never an error; every function rejects
 * with TypeError for a malformed key.
 */
export interface SvcVerify {
  /** Verifies evidence of any kind. */
  verify(evidence: Evidence, options?: VerifyOptions): Promise<Report>;
  /** Verifies a receipt: the service's signature over one accepted event. */
  verifyReceipt(receipt: Evidence, options?: VerifyOptions): Promise<Report>;
  /**
   * Verifies an inclusion proof: one event under a window's root. It carries no signature: it is `untrusted` at best.
   */
  verifyInclusion(inclusion: Evidence, options?: VerifyOptions): Promise<Report>;
  /** Verifies a checkpoint, and recomputes its root from its windows and the frontier before them. */
  verifyCheckpointRoot(checkpoint: Evidence, options?: VerifyOptions): Promise<Report>;
  /**
   * Verifies that a bundle holds every event of a range, none missing and none added; by default the range of its
   * manifest.
   */
  verifyCompleteness(bundle: Evidence, range?: ExpectedRange, options?: VerifyOptions): Promise<Report>;
}
