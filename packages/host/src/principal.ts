/**
 * Whoever acts. One shape for systems, users, auditors and all others, so that every route and every evidence row names its actor alike.
 */
import type { KeyAction } from "@svc/api";

/** Who acts. */
export interface Principal {
  readonly tenantId: string;
  readonly kind: "system" | "user" | "auditor" | "installation" | "connector" | "party" | "service";
  readonly id: string;
  readonly roles: readonly string[];
  /** What its credential keeps it to; missing for one that is not kept to anything. */
  readonly limits?: KeyLimits;
}

/** Null: the usual actions, and any stream. */
export type KeyLimits = {
  readonly actions: readonly KeyAction[] | null;
  readonly streams: readonly string[] | null;
};
