/** The pasted texts that the page takes for keys, and what it says of others. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseKeys } from "../src/trust/key-text.ts";

const KEY = "19bf44096984cdfe8541bac167dc3b96c85086aa30b6b6cb0c5c38ad703166e1";
const OTHER = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
const PEM =
  "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC " +
  "KEY-----\n";
const inGroups = KEY.replaceAll(/.{4}(?!$)/g, "$& ");

test("a key counts in each form in which people write one", () => {
  const forms = [KEY, `0x${KEY}`, KEY.toUpperCase(), KEY.replaceAll(/..(?!$)/g, "$&:"), inGroups, `\n ${KEY}\t`, PEM];
  for (const form of forms) assert.deepEqual(parseKeys(form), { keys: [KEY] }, form);
});

test("several keys count, each in its own form", () => {
  for (const text of [`${KEY}\n${OTHER}`, `0x${KEY} 0x${OTHER}`, `${inGroups}\n${OTHER.toUpperCase()}`])
    assert.deepEqual(parseKeys(text), { keys: [KEY, OTHER] }, text);
});

test("a strange character that nobody sees is named with its place", () => {
  for (const [text, said] of [
    [`${KEY.slice(0, 9)}\u200b${KEY.slice(9)}`, "Character 10 of what you gave is no hex digit (U+200B)."],
    [`${KEY}\u{e0020}`, "Character 65 of what you gave is no hex digit (U+E0020)."],
  ] as const) {
    const read = parseKeys(text);
    assert.ok("fault" in read && read.fault.endsWith(said), JSON.stringify(read));
  }
});

test("a text that is no key is refused with the reason, and pins nothing", () => {
  const faults: readonly (readonly [text: string, fault: RegExp])[] = [
    ["", /^Paste a key first/],
    [PEM.replaceAll("PUBLIC", "PRIVATE"), /^This is a private key\. Keep it secret/],
    [PEM.replace("rXAxZuE=", ""), /^This PEM holds no whole public key of Ed25519/],
    [PEM.replace("MCowBQYDK2Vw", "MCowBQYDK2Vv"), /^This PEM holds no whole public key of Ed25519/],
    ["ed25519-4c869819ecf028ae", /^This is a key's fingerprint/],
    [`${KEY.slice(0, 63)}g`, /^This is no key in hex/],
    [KEY.slice(1), /^A key has 64 hex characters, and this has 63\./],
    [`00x${KEY.slice(2)}`, /^This is no key in hex/],
  ];
  for (const [text, fault] of faults) {
    const read = parseKeys(text);
    assert.ok("fault" in read, text);
    assert.match(read.fault, fault, text);
  }
});
