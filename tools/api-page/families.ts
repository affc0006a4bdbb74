/** The titles of the pages about families of routes, by the names of the families. */

/** The title of a page, and a sentence about its routes. */
export interface FamilyPage {
  readonly title: string;
  readonly says: string;
}

export const FAMILIES: Readonly<Record<string, FamilyPage>> = {
  streams: { title: "Streams and events", says: "Make streams, append events to them, and read receipts." },
  "event-log": { title: "The event log", says: "Record events without naming a stream, and find them again." },
  packs: { title: "Audit packs", says: "Take a range of a stream with all that its verification needs." },
  exports: { title: "Exports", says: "Have a package built, download it, and report what its verification said." },
  erasure: { title: "Erasure", says: "Delete the payload of an event for good; its proofs stay." },
  sealing: { title: "Windows and checkpoints", says: "Read what seals a stream, and the notes that witnesses cosign." },
  "service-log": { title: "Epochs and anchors", says: "Read the log of all streams, and where it is anchored." },
  policies: { title: "Witness policies", says: "Read which witnesses a stream demands, and declare them." },
  forks: { title: "Forks", says: "Read evidence of two histories, and hand it in." },
  verify: { title: "Verifying", says: "Send evidence, and get the report of its verification." },
  "verify-page": { title: "The verify page", says: "Get the page that verifies files in a browser." },
  keys: { title: "Keys and health", says: "Read the public keys, and ask whether the server works." },
  metrics: { title: "Metrics", says: "Read the figures for an operator." },
  docs: { title: "Documents", says: "Get the OpenAPI document and the page about it." },
};
