/** The main entry: a client of the service, and everything that verifies without it. */
export * from "./entries/client.ts";
export * from "./entries/offline.ts";
