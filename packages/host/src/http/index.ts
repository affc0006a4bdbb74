/**
 * Requests and answers: how they are read, limited, counted and sent. This entry loads Express; bodies, byte ranges,
 * pages and shapes have separate entries, which do not.
 */
export { application } from "./application.ts";
export { askerOf, isAnonymous } from "./asker.ts";
export { BodyMemory } from "./body-memory.ts";
export type { Accounting } from "./exchange.ts";
export { byHost } from "./faces.ts";
export { LargeBodies } from "./large-bodies.ts";
export { createListener } from "./listener.ts";
export { drain, endAtOnce, listen } from "./listening.ts";
export { RateLimit } from "./rate-limit.ts";
export { ReadingLane } from "./reading-lane.ts";
export { requireTurn } from "./require-turn.ts";
export { NO_SNIFFING, sendPieces } from "./responses.ts";
export { type Answer, bind, type Call, json, type Route } from "./route.ts";
export type { Authenticate, FoundKey, Limits } from "./serve-route.ts";
