/**
 * The place of the sealing key, by the environment: in the data folder, in the environment itself, or on a PKCS#11
 * token. No mistake repeats a key.
 */
import type { KeyObject } from "node:crypto";
import { anyText, type Environment, Mistakes, type Parse, setting, type ValuesOf } from "@svc/host/settings";
import { privateKeyOf } from "./file-signer.ts";

/** The keys themselves; `next` is set for a rotation only. */
export interface EnvironmentKeySettings {
  readonly kind: "environment";
  readonly current: KeyObject;
  readonly next: KeyObject | null;
}

/** A sealing key on a PKCS#11 token. */
export interface TokenSettings {
  readonly kind: "pkcs11";
  /** The path of the vendor's library. */
  readonly module: string;
  /** The label of the token. */
  readonly token: string;
  /** The label of the key pair, and of its successors. */
  readonly label: string;
  /** The file with the user's PIN. */
  readonly pinFile: string;
}

/** The place of the sealing key; `file`: in the data folder. */
export type KeySettings = { readonly kind: "file" } | EnvironmentKeySettings | TokenSettings;

/** A text of blanks alone counts as no key. */
const privateKey: Parse<KeyObject | null> = (text, name) =>
  text.trim() === ""
    ? null
    : (privateKeyOf(text.trim()) ??
      new Mistakes(`${name} is no Ed25519 private key; it must be PKCS#8 PEM, or the base64 of the 32-byte seed.`));

const tokenVariables = {
  pkcs11Module: setting({
    variable: "SVC_PKCS11_MODULE",
    meaning: "the library of the PKCS#11 token that holds the sealing key",
    parse: anyText,
  }),
  pkcs11Token: setting({ variable: "SVC_PKCS11_TOKEN", meaning: "the label of that token", parse: anyText }),
  pkcs11Key: setting({ variable: "SVC_PKCS11_KEY", meaning: "the label of the sealing key on it", parse: anyText }),
  pkcs11PinFile: setting({ variable: "SVC_PKCS11_PIN_FILE", meaning: "the file with the user's PIN", parse: anyText }),
};

/** The settings of the sealing key. */
export const keyVariables = {
  signingKey: setting({
    variable: "SVC_SIGNING_KEY",
    meaning: "the sealing key itself, as PKCS#8 PEM or base64 of its seed",
    isSecret: true,
    parse: privateKey,
  }),
  nextSigningKey: setting({
    variable: "SVC_NEXT_SIGNING_KEY",
    meaning: "the key that keys rotate-signing puts in its place",
    isSecret: true,
    parse: privateKey,
  }),
  ...tokenVariables,
};

/**
 * Returns the one place that the variables name, and their contradictions; the place must not be used if there are any.
 */
export function keySettingsOf(
  values: ValuesOf<typeof keyVariables>,
  environment: Environment,
): { readonly settings: KeySettings; readonly mistakes: readonly string[] } {
  const isSet = (variable: string) => (environment[variable] ?? "").trim() !== "";
  const { signingKey, nextSigningKey, pkcs11Module, pkcs11Token, pkcs11Key, pkcs11PinFile } = values;
  const [hasCurrent, hasNext] = [isSet("SVC_SIGNING_KEY"), isSet("SVC_NEXT_SIGNING_KEY")];
  const mistakes: string[] = [];
  const all = Object.values(tokenVariables).map(({ variable }) => variable);
  const named = all.filter((name) => isSet(name));
  if (named.length > 0) {
    const missing = all.filter((name) => !named.includes(name));
    if (missing.length > 0)
      mistakes.push(`Set ${missing.join(", ")} too: without all four, ${named.join(", ")} say nothing.`);
    if (hasCurrent || hasNext)
      mistakes.push(
        "SVC_SIGNING_KEY and SVC_NEXT_SIGNING_KEY do not go with SVC_PKCS11_MODULE: one place holds the key.",
      );
    const [module, token, label, pinFile] = [pkcs11Module, pkcs11Token, pkcs11Key, pkcs11PinFile].map(
      (text) => text ?? "",
    ) as [string, string, string, string];
    return { settings: { kind: "pkcs11", module, token, label, pinFile }, mistakes };
  }
  if (signingKey !== null)
    return { settings: { kind: "environment", current: signingKey, next: nextSigningKey }, mistakes };
  if (hasNext && !hasCurrent) mistakes.push("SVC_NEXT_SIGNING_KEY follows a key in SVC_SIGNING_KEY, which is not set.");
  return { settings: { kind: "file" }, mistakes };
}
