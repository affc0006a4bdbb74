/**
 * The actor behind a request. Systems, users, auditors and all others have one shape, so that every route and every
 * evidence row names its actor alike.
 */
import type { KeyAction } from "@svc/api";

/** An actor, and the tenant to which it belongs. */
export interface Principal {
  readonly tenantId: string;
  readonly kind: "system" | "user" | "auditor" | "installation" | "connector" | "party" | "service";
  readonly id: string;
  readonly roles: readonly string[];
  /** The limits of its credential; missing if it has none. */
  readonly limits?: KeyLimits;
}

/** The actions and the streams that a credential allows. Null: the usual actions, and any stream. */
export type KeyLimits = {
  readonly actions: readonly KeyAction[] | null;
  readonly streams: readonly string[] | null;
};
