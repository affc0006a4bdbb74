/** The way out of the machine over HTTP. */
export { Egress, type EgressAnswer, EgressError, type EgressFault, type EgressRequest } from "./egress.ts";
