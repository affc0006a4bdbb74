/** The public routes that identify the service: its keys, and whether it is up. */
import { atoms, schemas } from "@svc/core";
import Type from "typebox";
import { contract } from "../contract.ts";

/**
 * An Ed25519 public key in the form of RFC 8037.
 *
 * ```json
 * {
 *   "kty": "OKP", "crv": "Ed25519", "x": "W08mOA1feMfsmmJIedNUnVnWQDQeWTztYWnUj1uErCY",
 *   "kid": "ed25519-8b7577ba7c31a547", "use": "sig", "alg": "EdDSA"
 * }
 * ```
 */
export const Ed25519Jwk = Type.Object(
  {
    kty: atoms.OneOf("OKP"),
    crv: atoms.OneOf("Ed25519"),
    /** The 32 bytes in base64url, without padding. */
    x: Type.String({ pattern: "^[A-Za-z0-9_-]{43}$", description: "the key in base64url" }),
    kid: atoms.KidText,
    use: atoms.OneOf("sig"),
    alg: atoms.OneOf("EdDSA"),
  },
  { additionalProperties: false, description: "the key as a JSON Web Key (RFC 8037)" },
);
export type Ed25519Jwk = Type.Static<typeof Ed25519Jwk>;

/**
 * One of the service's keys.
 *
 * ```json
 * {
 *   "kid": "ed25519-8b7577ba7c31a547",
 *   "public_key_hex": "5b4f26380d5f78c7ec9a624879d3549d59d640341e593ced6169d48f5b84ac26",
 *   "vkey": "test.example/evidence+d2bba9d4+AVtPJjgNX3jH7JpiSHnTVJ1Z1kA0Hlk87WFp1I9bhKwm", "status": "current",
 *   "valid_from": "2026-11-23T08:02:44.827Z", "valid_to": null,
 *   "jwk": {
 *     "kty": "OKP", "crv": "Ed25519", "x": "W08mOA1feMfsmmJIedNUnVnWQDQeWTztYWnUj1uErCY",
 *     "kid": "ed25519-8b7577ba7c31a547", "use": "sig", "alg": "EdDSA"
 *   }
 * }
 * ```
 */
export const ServiceKey = atoms.Closed({
  kid: atoms.KidText,
  public_key_hex: atoms.PublicKey,
  /** The C2SP verification key under the service's origin. */
  vkey: Type.String({ description: "the key as C2SP signed notes name it" }),
  status: atoms.OneOf("current", "past"),
  valid_from: atoms.ServiceTime,
  /** When a past key was retired; null for the current one. */
  valid_to: Type.Unsafe<string | null>({
    ...atoms.NullableServiceTime,
    description: "null for the current key; when a past one was retired",
  }),
  /** The key as a JSON Web Key (RFC 8037). */
  jwk: Ed25519Jwk,
});
export type ServiceKey = Type.Static<typeof ServiceKey>;

/**
 * The service's keys as it states them: compare a fingerprint with one from another source before you pin any.
 *
 * ```json
 * {
 *   "origin": "test.example/evidence",
 *   "keys": [
 *     {
 *       "kid": "ed25519-8b7577ba7c31a547",
 *       "public_key_hex": "5b4f26380d5f78c7ec9a624879d3549d59d640341e593ced6169d48f5b84ac26",
 *       "vkey": "test.example/evidence+d2bba9d4+AVtPJjgNX3jH7JpiSHnTVJ1Z1kA0Hlk87WFp1I9bhKwm", "status": "current",
 *       "valid_from": "2026-11-23T08:02:44.827Z", "valid_to": null,
 *       "jwk": {
 *         "kty": "OKP", "crv": "Ed25519", "x": "W08mOA1feMfsmmJIedNUnVnWQDQeWTztYWnUj1uErCY",
 *         "kid": "ed25519-8b7577ba7c31a547", "use": "sig", "alg": "EdDSA"
 *       }
 *     }
 *   ],
 *   "endorsements": []
 * }
 * ```
 */
export const ServiceKeys = atoms.Closed({
  origin: Type.String(),
  keys: Type.Array(ServiceKey),
  endorsements: Type.Array(schemas.KeyEndorsement),
});
export type ServiceKeys = Type.Static<typeof ServiceKeys>;

const Ready = atoms.Closed({ status: atoms.OneOf("ready") });
/**
 * The process answers; its version.
 *
 * ```json
 * { "status": "ok", "version": "0.5.0" }
 * ```
 */
export const Health = atoms.Closed({ status: atoms.OneOf("ok"), version: Type.String() });
export type Health = Type.Static<typeof Health>;

export const keys = contract({
  method: "GET",
  path: "/v2/keys",
  chapter: "service",
  summary: "The sealing keys of this service, current and past, and its origin.",
  description: "Compare the fingerprint with one that reached you on another way before you pin a key.",
  access: "public",
  answer: { status: 200, description: "The keys, the newest first.", schema: ServiceKeys },
});

export const health = contract({
  method: "GET",
  path: "/health",
  chapter: "service",
  summary: "That the process answers.",
  access: "public",
  answer: { status: 200, description: "It does.", schema: Health },
});

export const ready = contract({
  method: "GET",
  path: "/ready",
  chapter: "service",
  summary: "That requests can be served: the database can be read, and was written within the last second.",
  access: "public",
  answer: { status: 200, description: "They can.", schema: Ready },
});
