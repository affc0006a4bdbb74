/** The types of the events about tenants, systems and their keys. */
import { type AdministrationType, administrationType } from "@svc/host/administration";
import Type from "typebox";

const KEY = "key_01m8s5k0r0fg45prqd9z2gb42e";
const SYSTEM = "sys_01m8s5k0qqs1bbzzfc8tpfxabs";

const Text = Type.String();
const TextOrNull = Type.Union([Text, Type.Null()]);
const TextsOrNull = Type.Union([Type.Array(Text), Type.Null()]);

/** A tenant was made. */
export const tenantCreated = administrationType({
  name: "tenant.created",
  meaning: "A tenant was made.",
  schema: Type.Object({ time_zone: Text }),
  object: "tnt_01m8s5k0qp812m6w41g70vhyct",
  after: { time_zone: "Europe/Zurich" },
});

/** A system was made. */
export const systemCreated = administrationType({
  name: "system.created",
  meaning: "A system was made.",
  schema: Type.Object({ source_timezone: TextOrNull }),
  object: SYSTEM,
  after: { source_timezone: null },
});

/** A system was retired. */
export const systemRetired = administrationType({
  name: "system.retired",
  meaning: "A system records nothing any more; its keys were revoked, each with its own event.",
  schema: Type.Object({ retired_at: Text, revoked_keys: Type.Array(Text) }),
  object: SYSTEM,
  after: { retired_at: "2026-12-01T16:05:42.716Z", revoked_keys: [KEY] },
});

/** A system key was made. */
export const systemKeyCreated = administrationType({
  name: "system_key.created",
  meaning: "A system key was made.",
  schema: Type.Object({
    system_id: Text,
    limits: Type.Union([Type.Object({ actions: TextsOrNull, streams: TextsOrNull }), Type.Null()]),
    expires_at: TextOrNull,
  }),
  object: KEY,
  after: { system_id: SYSTEM, limits: { actions: ["read"], streams: null }, expires_at: null },
});

/** A system key got a successor. */
export const systemKeyRotated = administrationType({
  name: "system_key.rotated",
  meaning: "Another key, with its own event, takes the place of this one, which works until then.",
  schema: Type.Object({ expires_at: Text }),
  object: KEY,
  after: { expires_at: "2026-12-02T16:05:42.716Z" },
});

/** A system key was ended. */
export const systemKeyRevoked = administrationType({
  name: "system_key.revoked",
  meaning: "A system key was ended; `because` says of which other change that is a part.",
  schema: Type.Object({ because: Type.Optional(Text) }),
  object: KEY,
  after: { because: "system_retired" },
});

/** All of them. */
export const TENANCY_EVENTS: readonly AdministrationType[] = [
  tenantCreated,
  systemCreated,
  systemRetired,
  systemKeyCreated,
  systemKeyRotated,
  systemKeyRevoked,
];
