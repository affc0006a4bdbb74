/** An own action says what a person does next where a key is not what is missing: the code's would lead astray. */
export const ASK_DISCLOSURE = "Ask for the disclosure that opens it.";
export const ASK_MANIFEST = "Ask for the manifest of its range.";
export const ASK_OWNER = "Get the vault's own key from its owner, not from the service, and pin it.";
