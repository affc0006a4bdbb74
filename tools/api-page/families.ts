/** The families of routes: a page each. A route is of the family of the server that serves it. */
import type { Contract } from "@svc/api";
import type { ServerFamily } from "../../packages/server/src/context.ts";
import { FAMILIES } from "../../packages/server/src/families.ts";

/** The title of a page, and a sentence about its routes. */
export interface FamilyPage {
  readonly title: string;
  readonly says: string;
}

/** By the names of the families, and of the two pages about all of them. */
export const TITLES: Readonly<Record<string, FamilyPage>> = {
  streams: { title: "Streams and events", says: "Make streams, append events to them, and list them." },
  "event-log": { title: "The event log", says: "Record events without naming a stream, and find them again." },
  packs: { title: "Receipts and audit packs", says: "Take an event, or a range of a stream, with its proofs." },
  exports: { title: "Exports", says: "Have a package built, download it, and report what its verification said." },
  erasure: { title: "Erasure", says: "Delete the payload of an event for good; its proofs stay." },
  sealing: { title: "Windows and checkpoints", says: "Read what seals a stream, and the notes that witnesses cosign." },
  "service-log": { title: "Epochs and anchors", says: "Read the log of all streams, and where it is anchored." },
  policies: { title: "Witness policies", says: "Read which witnesses a stream demands, and declare them." },
  forks: { title: "Forks", says: "Read evidence of two histories." },
  verify: { title: "Verifying", says: "Send evidence for the report of its verification; hand in a fork." },
  "verify-page": { title: "The verify page", says: "Get the page that verifies files in a browser." },
  keys: { title: "Keys", says: "Read the public keys of the service." },
  readiness: { title: "Health", says: "Ask whether the server works." },
  metrics: { title: "Metrics", says: "Read the figures for an operator." },
  docs: { title: "Documents", says: "Get the OpenAPI document and the page about it." },
  errors: { title: "Errors", says: "Every code, with the request that provokes it." },
  limits: { title: "Limits", says: "Every limit, with a request that goes beyond it." },
};

const families: readonly ServerFamily[] = FAMILIES;

/** Returns the families of these contracts, in the order of their first ones, each with its own. */
export function familiesOf(contracts: readonly Contract[]): [string, Contract[]][] {
  return [...Map.groupBy(contracts, familyOf)];
}

/** Returns the name of the page of a route. */
export function pageOf(one: Contract): string {
  return `${familyOf(one)}.md`;
}

/** Returns the title of a page and its sentence; a page without a title gets its own name. */
export function titleOf(name: string): FamilyPage {
  return TITLES[name] ?? { title: name, says: "" };
}

/** Returns method and path of a route. */
export function nameOf({ method, path }: Contract): string {
  return `${method} ${path}`;
}

function familyOf(one: Contract): string {
  const family = families.find(({ contracts = [] }) => contracts.includes(one));
  if (family === undefined) throw new Error(`${nameOf(one)} is a route of no family`);
  return family.name;
}
