/** The public routes that say who this service is: its keys, and that it is up. HTTP only. */
import { atoms, schemas, VERSION } from "@svc/core";
import Type from "typebox";
import { json, type Route, route } from "../http/route.ts";
import type { Service } from "../open-service.ts";

const Keys = atoms.Closed({
  origin: Type.String(),
  keys: Type.Array(
    atoms.Closed({
      kid: atoms.KidText,
      public_key_hex: atoms.PublicKey,
      vkey: Type.String({ description: "the key as C2SP signed notes name it" }),
      status: atoms.OneOf("current", "past"),
      valid_from: atoms.ServiceTime,
      valid_to: Type.Unsafe<string | null>({
        ...atoms.NullableServiceTime,
        description: "null for the current key; when a past one was retired",
      }),
      jwk: Type.Object(
        {
          kty: atoms.OneOf("OKP"),
          crv: atoms.OneOf("Ed25519"),
          x: Type.String({ pattern: "^[A-Za-z0-9_-]{43}$", description: "the key in base64url" }),
          kid: atoms.KidText,
          use: atoms.OneOf("sig"),
          alg: atoms.OneOf("EdDSA"),
        },
        { additionalProperties: false, description: "the key as a JSON Web Key (RFC 8037)" },
      ),
    }),
  ),
  endorsements: Type.Array(schemas.KeyEndorsement),
});
const Ready = atoms.Closed({ status: atoms.OneOf("ready") });
const Health = atoms.Closed({ status: atoms.OneOf("ok"), version: Type.String() });

export function keyRoutes({ readiness, readKeys }: Service): Route[] {
  return [
    route({
      method: "GET",
      path: "/v2/keys",
      chapter: "service",
      summary: "The sealing keys of this service, current and past, and its origin.",
      description: "Compare the fingerprint with one that reached you on another way before you pin a key.",
      access: "public",
      answer: { status: 200, description: "The keys, the newest first.", schema: Keys },
      handle: async () => json(await readKeys.read()),
    }),
    route({
      method: "GET",
      path: "/health",
      chapter: "service",
      summary: "That the process answers.",
      access: "public",
      answer: { status: 200, description: "It does.", schema: Health },
      handle: () => json({ status: "ok", version: VERSION }),
    }),
    route({
      method: "GET",
      path: "/ready",
      chapter: "service",
      summary: "That requests can be served: the database can be read, and was written within the last second.",
      access: "public",
      answer: { status: 200, description: "They can.", schema: Ready },
      handle: async () => {
        await readiness.check();
        return json({ status: "ready" });
      },
    }),
  ];
}
