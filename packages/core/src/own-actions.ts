/** An own action says what a person does next where that of the code would lead astray. */
export const ASK_DISCLOSURE = "Ask for the disclosure that opens it.";
export const ASK_MANIFEST = "Ask for the manifest of its range.";
export const ASK_WINDOW = "Ask for the window that it names.";
export const ASK_CHECKPOINT = "Ask for the checkpoint that it names.";
export const ASK_WITNESS = "Get the witness's own key another way, and pin it.";
export const ASK_OWNER = "Get the vault's own key from its owner, not from the service, and pin it.";
export const ASK_FOR_NEW_KEY =
  "Compare the key that you pinned with the service's own. If it fits, ask the service, and not the sender of " +
  "the file, whether its key has changed.";
export const COMPARE_AGAIN = "Compare the key that you pinned with the service's own again, digit by digit.";
export const KEEP_AGAINST_SIGNER =
  "Keep the file: it is evidence that the holder of the key that sealed it issued something wrong.";
export const KEEP_BOTH_HISTORIES =
  "Keep this file and the one from which you know the other root: if the service sealed both, they prove two " +
  "histories.";
