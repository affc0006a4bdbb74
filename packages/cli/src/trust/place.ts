/**
 * Finds a person's own trust file. A command that verifies uses it if the call names nobody. ../trust.ts reads its
 * content.
 */
import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { Command } from "commander";
import { EXIT, Refusal } from "../exit.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A trust file, and the origin of its path: an option, the variable SVC_TRUST, or neither for the usual place. */
export interface TrustPlace {
  readonly path: string;
  readonly source: "--trust" | "SVC_TRUST" | "usual";
}

/** Says in every help which trust file is meant. */
export const TRUST_HELP = `
The trust file: --trust, else $SVC_TRUST, else svc/trust.json in
$XDG_CONFIG_HOME, else ~/.config/svc/trust.json.`;

/** Says the same for the commands that verify. */
export const VERIFYING_TRUST_HELP = `
Whom you trust: --trust and --public-key-hex; where neither is given, the file
that $SVC_TRUST names, else svc/trust.json in $XDG_CONFIG_HOME, else
~/.config/svc/trust.json. "svc trust --help" keeps that file.`;

/**
 * Returns the trust file, which need not exist; null if the environment has no home either. An empty variable counts as
 * none.
 */
export function trustPlace(option: string | undefined, env: Environment): TrustPlace | null {
  if (option !== undefined) return { path: option, source: "--trust" };
  const { SVC_TRUST = "", XDG_CONFIG_HOME = "", HOME = "", USERPROFILE = "" } = env;
  if (SVC_TRUST !== "") return { path: SVC_TRUST, source: "SVC_TRUST" };
  const home = HOME === "" ? USERPROFILE : HOME;
  // The XDG base directory specification: a relative path there must be ignored.
  const folder = isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : home === "" ? null : join(home, ".config");
  return folder === null ? null : { path: join(folder, "svc", "trust.json"), source: "usual" };
}

/** Returns the trust file that a command keeps. Refuses standard input, and an environment without a home. */
export function ownTrustPlace(option: string | undefined, env: Environment): TrustPlace {
  const place = trustPlace(option, env);
  if (place?.path === "-")
    throw new Refusal(EXIT.usage, "The trust file cannot be standard input here.", "Name a file with --trust.");
  if (place !== null) return place;
  throw new Refusal(
    EXIT.usage,
    "There is no place for your trust file: none of SVC_TRUST, XDG_CONFIG_HOME and HOME is set.",
    "Name the file with --trust.",
  );
}

/**
 * Says whether a command verifies under a trust policy that the call may name: it has both options for it, and does not
 * keep the file.
 */
export function verifiesUnderTrust(command: Command): boolean {
  const names = command.options.map((option) => option.attributeName());
  return command.parent?.name() !== "trust" && names.includes("trust") && names.includes("publicKeyHex");
}

/**
 * Lets a call that names nobody verify under the person's own trust file, as if `--trust` had named it. A file that
 * SVC_TRUST names must exist; the one at the usual place may be missing.
 */
export function useOwnTrust(command: Command, env: Environment): void {
  if (!verifiesUnderTrust(command)) return;
  const { trust, publicKeyHex } = command.opts<{ trust?: unknown; publicKeyHex?: unknown }>();
  if (trust !== undefined || publicKeyHex !== undefined) return;
  const place = trustPlace(undefined, env);
  if (place === null || (place.source === "usual" && !existsSync(place.path))) return;
  command.setOptionValueWithSource("trust", place.path, "env");
}
