/** The words of a report: its codes, checks, kinds, verdicts and roles as constants, and what the codes mean. */
import type { Schema, Tables } from "../tables.ts";
import { constants, exported, file, slice, text } from "./source.ts";

/** Returns the file of the package report. */
export function reportFile({ codes, ownActions, checks, kinds, protocol, version, schemas }: Tables): string {
  const { properties = {} } = schemas["report"] as { properties?: Readonly<Record<string, Schema>> };
  const roles = enumOf(properties["signers"], "items", "properties", "role");
  return file(
    "report",
    [],
    [
      constants([
        { name: "Protocol", value: text(protocol), about: "Protocol is the protocol of the tables." },
        { name: "Version", value: text(version), about: "Version is the version of the tables, and of this module." },
      ]),
      constants(
        Object.entries(codes).map(([code, { meaning }]) => ({
          name: `Code${exported(code)}`,
          type: "Code",
          value: text(code),
          about: `Code${exported(code)}: ${meaning}`,
        })),
      ),
      constants(
        checks.order.map((check) => ({
          name: `Check${exported(check)}`,
          type: "CheckID",
          value: text(check),
          about: `Check${exported(check)} is the check ${check}.`,
        })),
      ),
      constants(
        Object.entries(kinds).map(([kind, { noun }]) => ({
          name: `Kind${exported(kind)}`,
          type: "Kind",
          value: text(kind),
          about: `Kind${exported(kind)} is ${noun}.`,
        })),
      ),
      constants(
        roles.map((role) => ({
          name: `Role${exported(role)}`,
          type: "Role",
          value: text(role),
          about: `Role${exported(role)} is that of a key that sealed as ${role}.`,
        })),
      ),
      slice("roles", "Role", "roles are in the order of signers in a report.", roles.map(text)),
      slice(
        "codes",
        "codeRow",
        "codes holds every code, in the order of the table of verdicts.",
        Object.entries(codes).map(
          ([code, { check, meaning, action, convicts, only_vaults }]) =>
            `{${text(code)}, ${text(check)}, ${only_vaults}, ${convicts}, ${text(meaning)}, ${text(action)}}`,
        ),
      ),
      constants(
        Object.entries(ownActions).map(([name, action]) => ({
          name: exported(name),
          value: text(action),
          about: `${exported(name)} is the next step of a single cause.`,
        })),
      ),
    ],
  );
}

/** Returns the values of an enumeration inside of a schema. */
function enumOf(schema: Schema | undefined, ...path: readonly string[]): readonly string[] {
  let part: unknown = schema;
  for (const name of path) part = (part as Readonly<Record<string, unknown>>)[name];
  return (part as { readonly enum: readonly string[] }).enum;
}
