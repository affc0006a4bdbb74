/**
 * Who may do what: one table of actions, with the roles of people and the system keys that have each. A route names the
 * one action that it needs. Which streams somebody may see is another question, which the server answers.
 */

/** The roles of a tenant's people, each with all that the one before it may. */
export const ROLES = ["reader", "writer", "admin", "owner"] as const;
export type Role = (typeof ROLES)[number];

/**
 * How a system key has an action: `usual`, without a word; `by name`, only if it was granted by name, because it cannot
 * be undone, binds the whole tenant, or lets others in; `never`, since it is for people.
 */
export type KeyRule = "usual" | "by name" | "never";

/** When a person must have proven who they are within the last minutes. */
export type FreshRule = "always" | "for secrets" | "with payloads" | "never";

/** The rule of an action. */
export interface ActionRule {
  readonly roles: readonly Role[];
  /** Whether an auditor has it, within the scope of the access. */
  readonly auditor: boolean;
  readonly key: KeyRule;
  readonly fresh: FreshRule;
}

const from = (least: Role): readonly Role[] => ROLES.slice(ROLES.indexOf(least));
const rule = (roles: readonly Role[], key: KeyRule, more: Partial<ActionRule> = {}) =>
  ({ roles, auditor: false, fresh: "never", ...more, key }) satisfies ActionRule;
const keyed = (roles: readonly Role[], key: "usual" | "by name", more: Partial<ActionRule> = {}) => ({
  ...rule(roles, key, more),
  key,
});
const ofPeople = (roles: readonly Role[], more: Partial<ActionRule> = {}) => ({
  ...rule(roles, "never", more),
  key: "never" as const,
});
const managed = { fresh: "for secrets" } as const;
const READING = { auditor: true } as const;

/** The actions. The lists beside what is managed are no rows: `manage_x` includes `read_x`, and every role has that. */
export const ACTIONS = {
  read: keyed(from("reader"), "usual", READING),
  append: keyed(from("writer"), "usual"),
  create_stream: keyed([], "usual"),
  create_pack: keyed(from("reader"), "usual", READING),
  export: keyed(from("writer"), "usual", READING),
  erase: keyed(from("owner"), "by name", { fresh: "always" }),
  declare_policy: keyed(from("admin"), "by name"),
  read_administration: keyed(from("reader"), "by name", READING),
  manage_systems: keyed(from("writer"), "by name", managed),
  manage_webhooks: keyed(from("admin"), "by name", managed),
  manage_connectors: keyed(from("admin"), "by name", managed),
  manage_installations: keyed(from("admin"), "by name", managed),
  manage_billing: keyed(from("admin"), "by name"),
  retrieve: ofPeople(from("writer")),
  manage_parties: ofPeople(from("admin")),
  manage_packs: ofPeople(from("admin")),
  manage_settings: ofPeople(from("admin")),
  manage_auditors: ofPeople(from("admin"), { fresh: "with payloads" }),
  manage_users: ofPeople(from("admin"), { fresh: "always" }),
  manage_owners: ofPeople(from("owner"), { fresh: "always" }),
  manage_sign_in: ofPeople(from("owner"), { fresh: "always" }),
  manage_profile: ofPeople(from("reader"), READING),
} as const satisfies Record<string, ActionRule>;

type RuledAction = keyof typeof ACTIONS;
type ManagedThing = RuledAction extends infer Name ? (Name extends `manage_${infer Thing}` ? Thing : never) : never;

/** An action: one of the table, or the reading of the lists of what is managed. */
export type Action = RuledAction | `read_${ManagedThing}`;

/** An action that system keys can have. */
export type KeyAction = {
  [Name in RuledAction]: (typeof ACTIONS)[Name]["key"] extends "never" ? never : Name;
}[RuledAction];

const keyActions = (key: KeyRule): readonly KeyAction[] =>
  (Object.keys(ACTIONS) as RuledAction[]).filter((name): name is KeyAction => ACTIONS[name].key === key);

/** The actions of a key without limits. */
export const USUAL_ACTIONS: readonly KeyAction[] = keyActions("usual");
/** The actions that a key has only if they are granted by name. */
export const GRANTED_ACTIONS: readonly KeyAction[] = keyActions("by name");
/** The actions that a system key may be limited to, or granted. */
export const KEY_ACTIONS: readonly KeyAction[] = [...USUAL_ACTIONS, ...GRANTED_ACTIONS];

/** Returns the rule of an action. Throws TypeError for a name that no action has. */
export function ruleOf(action: Action): ActionRule {
  if (Object.hasOwn(ACTIONS, action)) return ACTIONS[action as RuledAction];
  const manage = managingOf(action);
  if (manage === null) throw new TypeError(`there is no action ${action}`);
  return { roles: ROLES, auditor: false, key: ACTIONS[manage].key, fresh: "never" };
}

/** Returns whether a role has an action. A role that does not exist has none. */
export function roleMay(role: string, action: Action): boolean {
  return (ruleOf(action).roles as readonly string[]).includes(role);
}

/** Returns whether a system key has an action. `granted`: the actions of its limits; null for a key without limits. */
export function keyMay(granted: readonly KeyAction[] | null, action: Action): boolean {
  const has: readonly string[] = granted ?? USUAL_ACTIONS;
  if (has.includes(action)) return true;
  const manage = managingOf(action);
  return manage !== null && has.includes(manage);
}

/** Returns the action that includes the reading of a list; null for any other action. */
function managingOf(action: Action): RuledAction | null {
  const manage = action.replace(/^read_/, "manage_");
  return manage !== action && Object.hasOwn(ACTIONS, manage) ? (manage as RuledAction) : null;
}
