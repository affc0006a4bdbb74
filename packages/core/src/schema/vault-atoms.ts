/** The smallest wire values of what vaults state (protocol sections 17 to 33). */
import type { Json, JsonObject } from "../kernel/kernel.ts";
import { formatted, type HashHex, identifier, nullable, text } from "./atoms.ts";
import * as Type from "./type.ts";

const SLUG_OR_NULL = "1 to 64 of a-z 0-9 . _ -, a letter or digit first, or null";
export const AttestationId = identifier("att");
export const ChallengeId = identifier("vch");
export const EnrollmentTokenId = identifier("enr");
export const DisclosureId = identifier("dsc");
export const IvcEpochId = identifier("ivc");
/** The source's own reference, as the vault hides it (protocol section 17). */
export const HiddenSourceRef = text<string>("^psr_[0-9a-f]{64}$", "psr_ and 64 lowercase hex characters");
export const NullableSlug = nullable("^[a-z0-9][a-z0-9._-]{0,63}$", SLUG_OR_NULL);
/** The name of a field in a capsule (protocol section 19). */
export const FieldName = text<string>(
  "^[a-z][A-Za-z0-9_.-]{0,63}$",
  "1 to 64 of A-Z a-z 0-9 _ . -, a small letter first",
);
/** The type of an envelope's event (protocol section 20): it has no room for free text. */
export const EnvelopeEventType = text<string>(
  "^(?=.{1,64}$)[a-z][a-z0-9-]*(?:\\.[a-z][a-z0-9-]*){1,3}$",
  "2 to 4 words of a-z 0-9 - with points between them, each with a letter first, at most 64 characters",
);
/** The algorithm of a soft binding (protocol section 20). */
export const NullableBindingAlg = nullable("^[a-z0-9.-]{1,128}$", "1 to 128 of a-z 0-9 . -, or null");
export const NullableAttestationId = nullable(
  "^att_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$",
  "att_ and a lowercase ULID, or null",
);
export const NullableChallengeId = nullable(
  "^vch_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$",
  "vch_ and a lowercase ULID, or null",
);
/** Any text of so many characters. */
export const TextOf = (least: number, most: number) =>
  text<string>(`^[\\s\\S]{${least},${most}}$`, `${least} to ${most} characters`);
/** Any text of so many characters, or null. */
export const NullableTextOf = (least: number, most: number) =>
  nullable(`^[\\s\\S]{${least},${most}}$`, `${least} to ${most} characters, or null`);
/** The name of an algorithm that binds a mark to content (protocol section 20). */
export const BindingAlgorithm = text<string>("^[a-z0-9.-]{1,128}$", "1 to 128 of a-z 0-9 . -");
/** Bytes of any number, also none, in standard base64 with padding, canonical. */
export const Base64 = formatted("base64", "standard base64 with padding, canonical");
/** The name of a TPM's attestation key with SHA-256, or null. */
export const NullableAkName = nullable("^000b[0-9a-f]{64}$", "000b and 64 lowercase hex characters, or null");
/** Why something is not substantiated, or null. */
export const NullableReason = nullable("^[a-z][a-z0-9_]{0,63}$", "1 to 64 of a-z 0-9 _, a letter first, or null");
/** The reader of a disclosure, or the occasion of it: 1 to 256 printable characters; null for none. */
export const NullableAudience = nullable(
  "^[^\\u0000-\\u001f\\u007f-\\u009f]{1,256}$",
  "1 to 256 printable characters, or null",
);
/** A hash, or null. */
export const NullableHash = Type.Unsafe<HashHex | null>(
  nullable("^[0-9a-f]{64}$", "64 lowercase hex characters, or null"),
);
/** True, false, or null. */
export const NullableBoolean = Type.Unsafe<boolean | null>({ type: ["boolean", "null"] });
/** Any JSON object, or null. */
export const NullableObject = Type.Unsafe<JsonObject | null>({ type: ["object", "null"] });
/** An object of this schema, or null. */
export const OrNull = <Schema extends Type.TProperties[string]>({ $id: _id, ...schema }: Schema & { $id?: string }) =>
  Type.Unsafe<Type.Static<Schema> | null>({ ...schema, type: ["object", "null"] });
/** Any JSON value. */
export const AnyValue = Type.Unsafe<Json>({});
