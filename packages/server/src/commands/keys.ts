/**
 * `svc-server keys create | list | rotate | revoke`: system keys, also while the server runs. A key is shown once, when
 * it is made, and stored only as a keyed hash.
 */
import { KEY_ACTIONS, type KeyAction, USUAL_ACTIONS } from "@svc/api";
import { serviceTime } from "@svc/host/clock";
import type { KeyLimits } from "@svc/host/principal";
import { UsageError } from "@svc/host/settings";
import { Command, InvalidArgumentError, Option } from "commander";
import { createKey, limitsOf, revokeKey, rotateKey } from "../administration/change-keys.ts";
import type { Program } from "../program/program.ts";
import { allSystemKeys, findSystemKey, type ListedKey } from "../tenancy/credentials-store.ts";
import {
  chosenSystem,
  columns,
  type Deployment,
  type DeploymentOptions,
  operatorOf,
  show,
  withDeployment,
} from "./deployment.ts";
import { inWords } from "./refusals.ts";

/** The actions of a key without limits, in words. */
const USUAL = USUAL_ACTIONS.join(", ");
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const DATA = "the data folder (default: $SVC_DATA or ./svc-data)";
const JSON_HELP = "print one JSON object instead of text";

interface CreateOptions extends DeploymentOptions {
  readonly system?: string;
  readonly allow?: readonly KeyAction[];
  readonly stream?: readonly string[];
  readonly days?: number;
}

interface RotateOptions extends DeploymentOptions {
  readonly overlapHours: number;
  readonly days?: number;
}

/** Returns the command `keys create`. */
export function createKeyCommand(program: Program): Command {
  return new Command("create")
    .description("make a system key; it is shown once")
    .option("--data <folder>", DATA)
    .option("--system <id>", "the system that the key is for (default: the only one)")
    .addOption(
      new Option(
        "--allow <actions>",
        `what the key may do, with commas between: ${KEY_ACTIONS.join(", ")} (default: ${USUAL})`,
      ).argParser(parseActions),
    )
    .option("--stream <id>", "a stream that the key is kept to; repeatable (default: all of the system)", collect)
    .addOption(
      new Option("--days <number>", "how long the key works (default: until it is revoked)").argParser(parseDays),
    )
    .option("--json", JSON_HELP)
    .action((options: CreateOptions) => makeKey(program, options));
}

/** Returns the command `keys list`. */
export function listKeysCommand(program: Program): Command {
  return new Command("list")
    .description("list the system keys, without their secrets")
    .option("--data <folder>", DATA)
    .option("--json", JSON_HELP)
    .action((options: DeploymentOptions) =>
      withDeployment(program, options, async ({ database, now }) => {
        const keys = await database.read(allSystemKeys);
        const rows = keys.map((key) => [
          key.credential_id,
          key.principal_id,
          stateOf(key, now),
          key.last_used_at ?? "never used",
          limitsText(limitsOf(key)),
        ]);
        show(options, { keys: keys.map(withLimits) }, columns(["key", "system", "state", "last used", "may"], rows));
      }),
    );
}

/** Returns the command `keys revoke`. */
export function revokeKeyCommand(program: Program): Command {
  return new Command("revoke")
    .description("end a key at once")
    .argument("<key>", "the id of the key: key_..., as keys list shows it")
    .option("--data <folder>", DATA)
    .option("--json", JSON_HELP)
    .action((keyId: string, options: DeploymentOptions) =>
      withDeployment(program, options, async (deployment) => {
        const { database, now } = deployment;
        const actor = operatorOf((await existingKey(deployment, keyId)).tenant_id);
        await inWords({ key_not_in_force: (id) => `${id} has been revoked already.` }, () =>
          database.write((writer) => revokeKey(writer, actor, keyId, now)),
        );
        show(options, { key_id: keyId, revoked_at: now }, [`${keyId} is revoked. It works nowhere from now on.`]);
      }),
    );
}

/** Returns the command `keys rotate`. */
export function rotateKeyCommand(program: Program): Command {
  return new Command("rotate")
    .description("make a key in the place of another, which works for some hours more")
    .argument("<key>", "the id of the key: key_..., as keys list shows it")
    .addOption(new Option("--overlap-hours <number>", "how long the old key works").default(24).argParser(parseHours))
    .addOption(
      new Option("--days <number>", "how long the new key works (default: until it is revoked)").argParser(parseDays),
    )
    .option("--data <folder>", DATA)
    .option("--json", JSON_HELP)
    .action((keyId: string, options: RotateOptions) =>
      withDeployment(program, options, async (deployment) => {
        const { database, keys, now } = deployment;
        const actor = operatorOf((await existingKey(deployment, keyId)).tenant_id);
        const until = serviceTime(Date.parse(now) + options.overlapHours * HOUR_MS);
        const { days } = options;
        const expiresAt = days === undefined ? null : serviceTime(Date.parse(now) + days * DAY_MS);
        const over = (id: string) =>
          `${id} is not in force, so that there is nothing to rotate. Make a new key with keys create.`;
        const { apiKey, replaced, worksUntil } = await inWords({ key_not_in_force: over }, () =>
          database.write((writer) => rotateKey(writer, keys, actor, { keyId, until, expiresAt }, now)),
        );
        show(options, { api_key: apiKey, replaces: keyId, expires_at: expiresAt, old_key_works_until: worksUntil }, [
          `API key in the place of ${keyId}. It is shown this once and not stored.`,
          "",
          `  ${apiKey}`,
          "",
          `It may ${limitsText(limitsOf(replaced))}, as the old one, until ${expiresAt ?? "it is revoked"}.`,
          `The old key works until ${worksUntil}.`,
        ]);
      }),
    );
}

async function makeKey(program: Program, options: CreateOptions): Promise<void> {
  await withDeployment(program, options, async (deployment) => {
    const { database, keys, now } = deployment;
    const system = await chosenSystem(deployment, options.system);
    const { allow = null, stream = null, days } = options;
    const limits = allow === null && stream === null ? null : { actions: allow, streams: stream };
    const expiresAt = days === undefined ? null : serviceTime(Date.parse(now) + days * DAY_MS);
    const { tenant_id, system_id } = system;
    const strange = (id: string) =>
      `There is no stream ${JSON.stringify(id)} of ${system_id}. GET /v2/streams lists them.`;
    const apiKey = await inWords({ stream_not_found: strange }, () =>
      database.write((writer) =>
        createKey(writer, keys, operatorOf(tenant_id), { systemId: system_id, limits, expiresAt }),
      ),
    );
    show(options, { api_key: apiKey, system_id, tenant_id, limits, expires_at: expiresAt }, [
      `API key of ${system_id} (${system.name}). It is shown this once and not stored.`,
      "",
      `  ${apiKey}`,
      "",
      `It may ${limitsText({ actions: allow, streams: stream })}, until ${expiresAt ?? "it is revoked"}.`,
      'Send it as "Authorization: Bearer <key>". It works at once, also on a running server.',
    ]);
  });
}

async function existingKey({ database }: Deployment, keyId: string): Promise<ListedKey> {
  const found = await database.read((reader) => findSystemKey(reader, keyId));
  if (found === null) throw new UsageError([`There is no key ${JSON.stringify(keyId)}. keys list shows them.`]);
  return found;
}

function stateOf({ revoked_at, expires_at }: ListedKey, now: string): string {
  if (revoked_at !== null) return `revoked ${revoked_at}`;
  if (expires_at !== null && expires_at <= now) return `expired ${expires_at}`;
  return expires_at === null ? "in force" : `in force until ${expires_at}`;
}

function withLimits({ limits, credential_id, ...key }: ListedKey) {
  return { key_id: credential_id, ...key, limits: limits === null ? null : (JSON.parse(limits) as KeyLimits) };
}

/** Returns the rights of a key, for people. */
function limitsText({ actions, streams }: KeyLimits): string {
  return [
    actions === null ? USUAL : actions.join(", "),
    ...(streams === null ? [] : [`in ${streams.join(", ")}`]),
  ].join(" ");
}

function parseActions(text: string): KeyAction[] {
  const actions = text.split(",").map((action) => action.trim());
  const wrong = actions.find((action) => !(KEY_ACTIONS as readonly string[]).includes(action));
  if (wrong !== undefined)
    throw new InvalidArgumentError(`${JSON.stringify(wrong)} is not one of ${KEY_ACTIONS.join(", ")}.`);
  return actions as KeyAction[];
}

function parseDays(text: string): number {
  return whole(text, 1, 36_500);
}

function parseHours(text: string): number {
  return whole(text, 0, 8760);
}

function whole(text: string, least: number, most: number): number {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`);
}

function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}
