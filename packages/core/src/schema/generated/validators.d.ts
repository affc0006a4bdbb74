/** The compiled validators, one for each schema of ../registry.ts, under its `$id` with `-` as `_`. */
import type { Validator } from "../validate.ts";

export const receipt_record: Validator;
export const redacted_record: Validator;
export const stream: Validator;
export const window: Validator;
export const inclusion: Validator;
export const checkpoint: Validator;
export const consistency: Validator;
export const witness_statement: Validator;
export const policy: Validator;
export const witness_policy: Validator;
export const key_endorsement: Validator;
export const anchor: Validator;
export const anchor_consistency: Validator;
export const fork: Validator;
export const bundle: Validator;
export const portable_receipt: Validator;
export const trust_policy: Validator;
