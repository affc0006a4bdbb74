/**
 * Every limit of the server, by name (README, "Limits"). They are checked before anything is allocated for what they bound.
 */
import { MAX_PAYLOAD_DEPTH } from "@svc/core";

const KIB = 1024;
const MIB = 1024 * KIB;

/** Bytes of a payload in canonical form. */
export const MAX_PAYLOAD_BYTES = 256 * KIB;
/** How deep a payload may nest, the payload itself counted. */
export const MAX_PAYLOAD_NESTING = MAX_PAYLOAD_DEPTH;
/** Bytes of a request that appends one event; more than a payload may have, since a request may be indented. */
export const MAX_EVENT_BODY_BYTES = 1 * MIB;
export const MAX_BATCH_BODY_BYTES = 16 * MIB;
export const MAX_BATCH_EVENTS = 1000;
/** Bytes of every other request that carries a body. */
export const MAX_BODY_BYTES = 64 * KIB;
export const MAX_VERIFY_BODY_BYTES = 64 * MIB;
export const MAX_METADATA_PAIRS = 32;
export const MAX_METADATA_NAME_CHARACTERS = 64;
export const MAX_METADATA_VALUE_CHARACTERS = 512;
export const MAX_USE_CASE_CHARACTERS = 200;
/** Characters of the reason of an erasure. */
export const MAX_REASON_CHARACTERS = 500;
export const MAX_IDEMPOTENCY_KEY_CHARACTERS = 255;
/** Bytes of the payloads in one audit pack, which is made in memory. */
export const MAX_PACK_PAYLOAD_BYTES = 128 * MIB;
/** Events in one audit pack, after its range was extended to whole windows and checkpoints. */
export const MAX_PACK_EVENTS = 100_000;
/** Items in one page of a list: where the request does not say, and at most. */
export const DEFAULT_PAGE_ITEMS = 50;
export const MAX_PAGE_ITEMS = 500;
