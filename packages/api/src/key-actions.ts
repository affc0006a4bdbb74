/** What system keys may do. A contract names the one action that its route needs. */

/** What a system key may be kept to. */
export const KEY_ACTIONS = ["read", "append", "create_stream", "create_pack", "export", "erase"] as const;
export type KeyAction = (typeof KEY_ACTIONS)[number];

/** What a key may do that is not kept to actions: all but erase, which cannot be undone and is granted by name. */
export const USUAL_ACTIONS: readonly KeyAction[] = KEY_ACTIONS.filter((action) => action !== "erase");
