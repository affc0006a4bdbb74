/**
 * The actor behind a request. Systems, users, auditors and all others have one shape, so that every route and every
 * evidence row names its actor alike.
 */
import { type Action, type KeyAction, keyMay, roleMay, ruleOf, USUAL_ACTIONS } from "@svc/api";

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

/** Returns whether a principal has an action: a system by its key, a person by a role, an auditor within a scope. */
export function mayDo({ kind, roles, limits }: Principal, action: Action): boolean {
  if (kind === "system") return keyMay(limits?.actions ?? null, action);
  if (kind === "auditor") return ruleOf(action).auditor;
  return kind === "user" && roles.some((role) => roleMay(role, action));
}

/** Returns the actions of a system's key. */
export function actionsOf({ limits }: Principal): readonly KeyAction[] {
  return limits?.actions ?? USUAL_ACTIONS;
}
