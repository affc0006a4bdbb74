/** What other packages may use of the contract. */

export { ERRORS, type ErrorCode } from "./errors.ts";
export { KEY_ACTIONS, type KeyAction, USUAL_ACTIONS } from "./key-actions.ts";
