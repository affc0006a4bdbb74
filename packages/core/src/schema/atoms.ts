/**
 * The smallest wire values: hashes, keys, identifiers, numbers and times (protocol sections 1 and 5). Digests, keys and
 * signatures are branded, so that one cannot be passed for another once it has been parsed.
 */
import type { JsonObject } from "../kernel/kernel.ts";
import * as Type from "./type.ts";

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** SHA-256 as 64 lowercase hex characters. */
export type HashHex = Branded<"hash">;
/** A raw Ed25519 public key as 64 lowercase hex characters. */
export type PublicKeyHex = Branded<"public key">;
/** An Ed25519 signature as 128 lowercase hex characters. */
export type SignatureHex = Branded<"signature">;
/** `ed25519-` and the first 16 hex characters of SHA-256 of the raw public key. */
export type Kid = Branded<"kid">;

export const text = <T extends string>(pattern: string, description: string) =>
  Type.Unsafe<T>({ type: "string", pattern, description });
export const nullable = (pattern: string, description: string) =>
  Type.Unsafe<string | null>({ type: ["string", "null"], pattern, description });
export const formatted = (format: string, description: string) =>
  Type.Unsafe<string>({ type: "string", format, description });

export const Hash = text<HashHex>("^[0-9a-f]{64}$", "64 lowercase hex characters");
export const PublicKey = text<PublicKeyHex>("^[0-9a-f]{64}$", "64 lowercase hex characters");
export const Signature = text<SignatureHex>("^[0-9a-f]{128}$", "128 lowercase hex characters");
export const KidText = text<Kid>("^ed25519-[0-9a-f]{16}$", "ed25519- and 16 lowercase hex characters");
export const Salt = text<string>("^[0-9a-f]{32}$", "32 lowercase hex characters");

/** An identifier: a prefix and a ULID in lowercase Crockford base32. */
export const identifier = (prefix: string) =>
  text<string>(`^${prefix}_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$`, `${prefix}_ and a lowercase ULID`);
export const TenantId = identifier("tnt");
export const SystemId = identifier("sys");
export const StreamId = identifier("str");
export const EventId = identifier("sev");
export const WindowId = identifier("win");
export const CheckpointId = identifier("chk");
export const AnchorId = identifier("anc");
export const ForkId = identifier("frk");
export const BundleId = identifier("bundle");
export const ExportId = identifier("exp");
/** One access to a truth package. */
export const AccessId = identifier("tpa");
export const InstallationId = identifier("ins");
/** A vault's installation, or null. */
export const NullableInstallationId = nullable(
  "^ins_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$",
  "ins_ and a lowercase ULID, or null",
);
/** A stream; null for an object that is about no single stream. */
export const NullableStreamId = nullable(
  "^str_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$",
  "str_ and a lowercase ULID, or null",
);

/** `policy_id` and `witness_id`. */
export const Slug = text<string>("^[a-z0-9][a-z0-9._-]{0,63}$", "1 to 64 of a-z 0-9 . _ -, a letter or digit first");
export const EventType = text<string>(
  "^[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}$",
  "1 to 128 of A-Z a-z 0-9 . _ : / -, a letter or digit first",
);
export const SourceRef = formatted("source-ref", "1 to 512 Unicode characters, no control characters");
/** A time by the service's clock. */
export const ServiceTime = formatted("service-time", "YYYY-MM-DDTHH:MM:SS.mmmZ, a real date");
/** A time that the source gave, kept as given. */
export const SourceTime = formatted(
  "source-time",
  "RFC 3339 with T, Z or an offset, at most 9 fraction digits, a real date",
);
/** The origin of a service: a URL without its scheme. */
export const ServiceOrigin = formatted("origin", "a schema-less URL in printable ASCII without spaces or +");
/** The origin of a stream: the service's, `/` and the stream id. */
export const StreamOrigin = formatted(
  "origin",
  "a schema-less URL in printable ASCII that ends in / and the stream id",
);
/** A C2SP key name: not empty, no Unicode spaces, no plus. */
export const KeyName = formatted("key-name", "a C2SP key name: no spaces, no +");

/** Bytes of any number, also none, as bare lowercase hex. */
export const Bytes = formatted("hex", "lowercase hex, two digits a byte");
const BYTES32 = "^0x[0-9a-f]{64}$";
/** 32 bytes in the spelling of chains. */
export const Bytes32 = text<string>(BYTES32, "0x and 64 lowercase hex characters");
export const NullableBytes32 = nullable(BYTES32, "0x and 64 lowercase hex characters, or null");
const ADDRESS = "^0x[0-9a-f]{40}$";
/** An account of a chain. */
export const Address = text<string>(ADDRESS, "0x and 40 lowercase hex characters");
export const NullableAddress = nullable(ADDRESS, "0x and 40 lowercase hex characters, or null");
const NETWORK = "^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$";
/** A chain by its CAIP-2 identifier. */
export const Network = text<string>(NETWORK, "a CAIP-2 identifier, as eip155:1");
export const NullableNetwork = nullable(NETWORK, "a CAIP-2 identifier, as eip155:1, or null");

/** 1 to 128 characters for people, no control characters. */
export const PersonalName = text<string>(
  "^[^\\u0000-\\u001f\\u007f-\\u009f]{1,128}$",
  "1 to 128 characters, no control characters",
);
/** The same, never null. */
export const Audience = text<string>("^[^\\u0000-\\u001f\\u007f-\\u009f]{1,256}$", "1 to 256 printable characters");
/** An integer that counts from 1. */
export const Ordinal = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
/** An integer from 0. */
export const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
/** An integer from 0, or null. */
export const NullableCount = Type.Unsafe<number | null>({
  type: ["integer", "null"],
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
});
/** An integer that counts from 1, or a text. */
export const CountOrText = Type.Unsafe<number | string>({
  type: ["integer", "string"],
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
});
/** A service time, or null. */
export const NullableServiceTime = Type.Unsafe<string | null>({ type: ["string", "null"], format: "service-time" });
/** One of these texts. */
export const OneOf = <const Values extends readonly string[]>(...values: Values) =>
  Type.Unsafe<Values[number]>({ enum: [...values], description: `one of ${values.join(", ")}` });
/** One of these texts, or null. */
export const OneOfOrNull = <const Values extends readonly string[]>(...values: Values) =>
  Type.Unsafe<Values[number] | null>({ enum: [...values, null], description: `one of ${values.join(", ")}, or null` });
/** Any JSON object. */
export const AnyObject = Type.Unsafe<JsonObject>({ type: "object" });

/** An object with these members and no other: protocol objects are closed. */
export const Closed = <const Members extends Type.TProperties>(members: Members, options: Type.TObjectOptions = {}) =>
  Type.Object(members, { ...options, additionalProperties: false });
