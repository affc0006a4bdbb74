/** The actions of system keys. A contract names the one action that its route needs. */

/** The actions that a system key may be limited to. */
export const KEY_ACTIONS = ["read", "append", "create_stream", "create_pack", "export", "erase"] as const;
export type KeyAction = (typeof KEY_ACTIONS)[number];

/** The actions of a key without limits: all but erase, which cannot be undone and is granted by name. */
export const USUAL_ACTIONS: readonly KeyAction[] = KEY_ACTIONS.filter((action) => action !== "erase");
