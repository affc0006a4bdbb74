/**
 * Whoever acts. One shape for systems, users, auditors and all others, so that every route and every evidence row names its actor alike.
 */
export interface Principal {
  readonly tenantId: string;
  readonly kind: "system" | "user" | "auditor" | "installation" | "connector" | "party" | "service";
  readonly id: string;
  readonly roles: readonly string[];
  /** What its credential keeps it to; missing for one that is not kept to anything. */
  readonly limits?: KeyLimits;
}

/** What a system key may be kept to. */
export const KEY_ACTIONS = ["read", "append", "create_stream", "create_pack", "export", "erase"] as const;
export type KeyAction = (typeof KEY_ACTIONS)[number];

/** What a key may do that is not kept to actions: all but erase, which cannot be undone and is granted by name. */
export const USUAL_ACTIONS: readonly KeyAction[] = KEY_ACTIONS.filter((action) => action !== "erase");

/** Null: the usual actions, and any stream. */
export interface KeyLimits {
  readonly actions: readonly KeyAction[] | null;
  readonly streams: readonly string[] | null;
}
