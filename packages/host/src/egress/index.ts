/** The way out of the machine over HTTP. */
export { isIn, isPublic, type Network, networkOf } from "./addresses.ts";
export { Egress, type EgressAnswer, EgressError, type EgressFault, type EgressRequest } from "./egress.ts";
export {
  type GuardedAnswer,
  GuardedEgress,
  GuardedError,
  type GuardedFault,
  type GuardedRequest,
  type Resolve,
} from "./guarded-egress.ts";
