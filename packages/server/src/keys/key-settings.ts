/** Where the sealing key is, by the environment: in the data folder, in the environment itself, or on a PKCS#11 token. No mistake repeats a key. */
import type { KeyObject } from "node:crypto";
import { privateKeyOf } from "./file-signer.ts";

/** Variables that hold secrets: they are taken out of the environment of a running server, so that nothing inherits them. */
export const SECRET_VARIABLES = ["SVC_SIGNING_KEY", "SVC_NEXT_SIGNING_KEY", "SVC_METRICS_TOKEN"] as const;

/** The keys themselves; `next` is there for a rotation only. */
export interface EnvironmentKeySettings {
  readonly kind: "environment";
  readonly current: KeyObject;
  readonly next: KeyObject | null;
}

export interface TokenSettings {
  readonly kind: "pkcs11";
  /** The path of the vendor's library. */
  readonly module: string;
  /** The label of the token. */
  readonly token: string;
  /** The label of the key pair, that of its successors too. */
  readonly label: string;
  /** The file that holds the user's PIN. */
  readonly pinFile: string;
}

export type KeySettings = { readonly kind: "file" } | EnvironmentKeySettings | TokenSettings;

const TOKEN_VARIABLES = {
  module: "SVC_PKCS11_MODULE",
  token: "SVC_PKCS11_TOKEN",
  label: "SVC_PKCS11_KEY",
  pinFile: "SVC_PKCS11_PIN_FILE",
} as const;

/** What is wrong is added to `mistakes`; the answer is then of no use. */
export function readKeySettings(
  environment: Readonly<Record<string, string | undefined>>,
  mistakes: string[],
): KeySettings {
  const current = keyIn("SVC_SIGNING_KEY", environment, mistakes);
  const next = keyIn("SVC_NEXT_SIGNING_KEY", environment, mistakes);
  const named = Object.values(TOKEN_VARIABLES).filter((name) => (environment[name] ?? "") !== "");
  if (named.length > 0) {
    const missing = Object.values(TOKEN_VARIABLES).filter((name) => !named.includes(name));
    if (missing.length > 0)
      mistakes.push(`Set ${missing.join(", ")} too: without all four, ${named.join(", ")} say nothing.`);
    if (environment.SVC_SIGNING_KEY || environment.SVC_NEXT_SIGNING_KEY)
      mistakes.push(
        "SVC_SIGNING_KEY and SVC_NEXT_SIGNING_KEY do not go with SVC_PKCS11_MODULE: one place holds the key.",
      );
    const text = (name: keyof typeof TOKEN_VARIABLES) => environment[TOKEN_VARIABLES[name]] ?? "";
    return {
      kind: "pkcs11",
      module: text("module"),
      token: text("token"),
      label: text("label"),
      pinFile: text("pinFile"),
    };
  }
  if (current !== null) return { kind: "environment", current, next };
  if (environment.SVC_NEXT_SIGNING_KEY && !environment.SVC_SIGNING_KEY)
    mistakes.push("SVC_NEXT_SIGNING_KEY follows a key in SVC_SIGNING_KEY, which is not set.");
  return { kind: "file" };
}

function keyIn(
  name: "SVC_SIGNING_KEY" | "SVC_NEXT_SIGNING_KEY",
  environment: Readonly<Record<string, string | undefined>>,
  mistakes: string[],
): KeyObject | null {
  const text = environment[name]?.trim() ?? "";
  if (text === "") return null;
  const key = privateKeyOf(text);
  if (key === null)
    mistakes.push(`${name} is no Ed25519 private key; it must be PKCS#8 PEM, or the base64 of the 32-byte seed.`);
  return key;
}
