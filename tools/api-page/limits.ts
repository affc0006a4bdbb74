/**
 * Every limit of the server: those that a caller can meet, those that it shares with other programs, and its internal
 * ones.
 */
import * as ofCallers from "@svc/api/limits";
import * as shared from "@svc/host/limits";
import * as ofInside from "../../packages/server/src/limits.ts";

/** By name. */
export const limits = { ...ofCallers, ...shared, ...ofInside };
