/** A key for a person: its forms, one below the other. */
import { escapeText } from "@svc/report";
import { groupsOf, type KeyForms } from "./forms.ts";

/** As wide as the longest label and its gap. */
const LABEL_COLUMNS = "fingerprint".length + 2;

/** Returns the forms of a key as lines. Each verifier key stays on one line of any length, so that it can be copied. */
export function keyLines(forms: KeyForms): string[] {
  const { kid, fingerprint, public_key_hex, public_key_pem, vkey, witness_vkey } = forms;
  return [
    ...labelled("kid", [kid]),
    ...labelled("fingerprint", groupsOf(fingerprint)),
    ...labelled("public key", [public_key_hex]),
    ...labelled("vkey", vkey === undefined ? [] : [escapeText(vkey)]),
    ...labelled("as witness", witness_vkey === undefined ? [] : [escapeText(witness_vkey)]),
    "",
    ...public_key_pem.trimEnd().split("\n"),
  ];
}

/** Returns a label, and its lines beside it. */
export function labelled(label: string, lines: readonly string[]): string[] {
  return lines.map((line, index) => `${(index === 0 ? label : "").padEnd(LABEL_COLUMNS)}${line}`);
}
