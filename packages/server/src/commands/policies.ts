/**
 * `svc-server policies declare | list | show`: the intervals at which a tenant's events are sealed, and their witnesses
 * (protocol section 6).
 */
import { closeSync, openSync, readSync } from "node:fs";
import { MAX_BODY_BYTES } from "@svc/api/limits";
import type { Json } from "@svc/core";
import { REASONS } from "@svc/host/http/body";
import { UsageError } from "@svc/host/settings";
import { Command, InvalidArgumentError } from "commander";
import { anchoringOf } from "../chain/settings.ts";
import { kernel } from "../kernel.ts";
import { declarePolicy } from "../policies/declare-policy.ts";
import {
  newestPolicies,
  newestPolicy,
  type PolicyVersion,
  policyVersion,
  tenantsWithPolicy,
} from "../policies/policies-store.ts";
import { type OwnKeys, ownKeys, type PolicyDocument, readPolicyDocument } from "../policies/policy-document.ts";
import { unmetDemands } from "../policies/unmet-demands.ts";
import type { Program } from "../program/program.ts";
import { serviceRow } from "../signing/service-store.ts";
import {
  chosenTenant,
  columns,
  type Deployment,
  type DeploymentOptions,
  operatorOf,
  show,
  withDeployment,
} from "./deployment.ts";

const DATA = "the data folder (default: $SVC_DATA or ./svc-data)";
const JSON_HELP = "print one JSON object instead of text";

interface DeclareOptions extends DeploymentOptions {
  readonly file: string;
  readonly tenant?: string;
}

interface ShowOptions extends DeploymentOptions {
  readonly version?: number;
  readonly tenant?: string;
}

/** Returns the command `policies`. */
export function policiesCommand(program: Program): Command {
  return new Command("policies")
    .description("policies: how often windows and checkpoints are made, and who witnesses them")
    .addCommand(
      new Command("declare")
        .description("declare a policy of a tenant, or its next version; new windows follow it at once")
        .requiredOption("--file <json>", "the policy as JSON; what it leaves out is as in the policy default")
        .option("--tenant <id>", "the tenant whose policy it is (default: the only one)")
        .option("--data <folder>", DATA)
        .option("--json", JSON_HELP)
        .action((options: DeclareOptions) => declare(program, options)),
    )
    .addCommand(
      new Command("list")
        .description("list the policies of all tenants, each by its newest version")
        .option("--data <folder>", DATA)
        .option("--json", JSON_HELP)
        .action((options: DeploymentOptions) =>
          withDeployment(program, options, async ({ database }) => {
            const versions = await database.read(newestPolicies);
            show(options, { policies: versions.map(shown) }, columns(HEAD, versions.map(row)));
          }),
        ),
    )
    .addCommand(
      new Command("show")
        .description("show a policy with its witnesses")
        .argument("<id>", "the id of the policy")
        .option("--version <number>", "the version (default: the newest)", parseVersion)
        .option("--tenant <id>", "the tenant whose policy it is (default: the only one that has the id)")
        .option("--data <folder>", DATA)
        .option("--json", JSON_HELP)
        .action((policyId: string, options: ShowOptions) =>
          withDeployment(program, options, async (deployment) => {
            const { version } = options;
            const tenantId = await tenantOf(deployment, policyId, options.tenant);
            const found = await deployment.database.read((reader) =>
              version === undefined
                ? newestPolicy(reader, tenantId, policyId)
                : policyVersion(reader, tenantId, policyId, version),
            );
            if (found === null)
              throw new UsageError([
                `There is no policy ` +
                  `${JSON.stringify(policyId)}${version === undefined ? "" : ` of version ${version}`}. policies ` +
                  `list shows them.`,
              ]);
            show(options, shown(found), words(found));
          }),
        ),
    );
}

/**
 * Resolves to the tenant whose policy of an id is meant: the named one, or the only one that has the id; null for a
 * built-in policy. Rejects with UsageError, with the list, if several have it.
 */
async function tenantOf(deployment: Deployment, policyId: string, wanted: string | undefined): Promise<string | null> {
  if (wanted !== undefined) return (await chosenTenant(deployment, wanted)).tenant_id;
  const [only = null, ...others] = await deployment.database.read((reader) => tenantsWithPolicy(reader, policyId));
  if (others.length === 0) return only;
  const list = [only, ...others].map((id) => `  ${id}`).join("\n");
  throw new UsageError([
    `Several tenants have a policy ${JSON.stringify(policyId)}; choose one with --tenant:\n${list}`,
  ]);
}

async function declare(program: Program, options: DeclareOptions): Promise<void> {
  const value = readFile(options.file);
  await withDeployment(program, options, async (deployment) => {
    const { config, database, now } = deployment;
    const { evidence_origin: origin } = (await database.read(serviceRow)) ?? { evidence_origin: "" };
    const document = checked(options.file, value, await database.read(ownKeys), now);
    const { tenant_id } = await chosenTenant(deployment, options.tenant);
    const version = await database.write((writer) =>
      declarePolicy(writer, kernel, operatorOf(tenant_id), document, now),
    );
    const isAnchoring = anchoringOf(config) !== null;
    const unmet = unmetDemands(version, { origin, addressed: config.witnesses, isAnchoring });
    show(options, { ...shown(version), unmet }, [
      ...words(version),
      "",
      ...(unmet.length === 0 ? ["In force for new windows, also on a running server."] : unmet),
    ]);
  });
}

/** Returns the JSON value of a file, by the strict rules for requests (protocol section 2). Throws UsageError. */
function readFile(path: string): Json {
  const bytes = Buffer.alloc(MAX_BODY_BYTES + 1);
  let size = 0;
  try {
    const file = openSync(path, "r");
    try {
      for (let read = 1; read > 0 && size < bytes.length; size += read)
        read = readSync(file, bytes, size, bytes.length - size, null);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new UsageError([`${path} cannot be read: ${(error as Error).message}`]);
  }
  if (size > MAX_BODY_BYTES) throw new UsageError([`${path} is larger than the ${MAX_BODY_BYTES} bytes of a policy.`]);
  const parsed = kernel.parseJson(bytes.subarray(0, size));
  if (parsed.ok) return parsed.value;
  throw new UsageError([`${path} is refused at byte ${parsed.offset} (${parsed.code}): ${REASONS[parsed.code]}`]);
}

function checked(path: string, value: Json, own: OwnKeys, now: string): PolicyDocument {
  const read = readPolicyDocument(value, own, now);
  if ("policy_id" in read) return read;
  const lines = read.map((problem) => `  ${problem.path === "" ? "the document" : problem.path} ${problem.message}`);
  throw new UsageError([`${path} declares no policy:`, ...lines]);
}

function shown({
  tenantId,
  explicit,
  policy,
  policyDigest,
  witnessPolicy,
  witnessPolicyDigest,
  whenUnmet,
}: PolicyVersion) {
  return {
    tenant_id: tenantId,
    explicit,
    policy,
    policy_digest: policyDigest,
    witness_policy: witnessPolicy,
    witness_policy_digest: witnessPolicyDigest,
    when_unmet: whenUnmet,
  };
}

const HEAD = ["policy", "version", "tenant", "declared", "window", "checkpoint", "anchor", "witnesses", "packs"];

function row({ tenantId, explicit, policy, witnessPolicy, whenUnmet }: PolicyVersion): string[] {
  const { mode, threshold, witnessKeys } = witnessPolicy;
  return [
    policy.policy_id,
    `${policy.policy_version}`,
    tenantId ?? "built in",
    explicit ? "yes" : "no",
    `${policy.window_max_events} events or ${policy.window_max_seconds} s`,
    `${policy.checkpoint_max_windows} windows`,
    policy.anchor,
    `${threshold} of ${new Set(witnessKeys.map(({ witness_id }) => witness_id)).size}, ${mode}`,
    whenUnmet === "closed" ? "wait for them" : "do not wait for them",
  ];
}

function words(version: PolicyVersion): string[] {
  const { policyDigest, witnessPolicy, witnessPolicyDigest } = version;
  const width = Math.max(...HEAD.map((name) => name.length));
  const cells = row(version);
  return [
    ...HEAD.map((name, index) => `${name.padEnd(width)}  ${cells[index]}`),
    "",
    ...columns(
      ["witness", "epoch", "name", "public key", "run by"],
      witnessPolicy.witnessKeys.map((key) => [
        key.witness_id,
        `${key.key_epoch}`,
        key.name,
        key.public_key_hex,
        key.managed ? "this service" : "others",
      ]),
    ),
    "",
    `policy digest          ${policyDigest}`,
    `witness policy digest  ${witnessPolicyDigest}`,
  ];
}

function parseVersion(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Give a whole number from 1.");
}
