/** The actions of system keys. A contract names the one action that its route needs. */

/** The actions that a system key may be limited to. */
export const KEY_ACTIONS = [
  "read",
  "append",
  "create_stream",
  "create_pack",
  "export",
  "erase",
  "declare_policy",
] as const;
export type KeyAction = (typeof KEY_ACTIONS)[number];

/** The actions that a key has only if they are granted by name: one cannot be undone, one binds the whole tenant. */
export const GRANTED_ACTIONS: readonly KeyAction[] = ["erase", "declare_policy"];
/** The actions of a key without limits: all others. */
export const USUAL_ACTIONS: readonly KeyAction[] = KEY_ACTIONS.filter((action) => !GRANTED_ACTIONS.includes(action));
