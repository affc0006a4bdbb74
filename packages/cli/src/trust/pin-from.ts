/**
 * `svc trust pin-from`: asks a running service for its key and pins it after a person has compared it. It is the only
 * command that connects.
 */
import process from "node:process";
import { escapeText } from "@svc/report";
import type { ServiceKey, ServiceKeys } from "@svc/sdk";
import { Command } from "commander";
import { collect } from "../evidence-file/options.ts";
import { EXIT, Refusal } from "../exit.ts";
import { openKernel } from "../kernel.ts";
import { fingerprintOf, groupsOf } from "../keys/forms.ts";
import { labelled } from "../keys/lines.ts";
import { askServiceKeys } from "../online/service-keys.ts";
import { printLines } from "../output.ts";
import { wrap } from "../render/text.ts";
import { changeTrust, type TrustFileOption } from "./change.ts";
import { confirm } from "./confirm.ts";
import { parseName } from "./names.ts";
import { addSigner } from "./pins.ts";

interface Options extends TrustFileOption {
  readonly name?: string;
  readonly stream?: string[];
  readonly yes?: true;
}

/** Returns the command. */
export function pinFromCommand(): Command {
  return new Command("pin-from")
    .description("Fetch a service's key, show its fingerprint to compare, and pin it. This one connects.")
    .argument("<url>", "the service, as https://evidence.example")
    .option("--name <name>", "what you call this key; no verdict depends on it")
    .option("--stream <id>", "trust the key only for this stream; repeatable", collect)
    .option("--yes", "you have compared the fingerprint already: do not ask")
    .addHelpText("after", '\nExample:\n  svc trust pin-from https://evidence.example --name "acme 2026"')
    .addHelpText("after", "\nA key that came over the network is only as good as the comparison.")
    .action(pinFrom);
}

async function pinFrom(url: string, options: Options): Promise<void> {
  const kernel = openKernel();
  const name = options.name === undefined ? undefined : parseName(options.name);
  const answer = await askServiceKeys(kernel, url);
  const key = currentKey(url, answer);
  const { kid, public_key_hex } = key;
  printLines([
    ...labelled("from", [escapeText(url)]),
    ...labelled("origin", [escapeText(answer.origin)]),
    ...labelled("kid", [kid]),
    ...labelled("fingerprint", groupsOf(fingerprintOf(kernel, public_key_hex))),
    ...labelled("public key", [public_key_hex]),
    "",
    ...pastKeys(answer),
    ...wrap(
      "This key came over the network. It is only as good as the comparison: the machine at that address, or one " +
        "on the way to it, can name any key. Compare the fingerprint, group by group, with one that you got " +
        "another way: in a contract, on paper, from somebody whose voice you know.",
      { first: "", rest: "" },
    ),
    "",
  ]);
  if (!options.yes) await requireComparison();
  const pin = {
    kid,
    public_key_hex,
    origin: answer.origin,
    ...(options.stream === undefined ? {} : { streams: options.stream }),
  };
  await changeTrust(options, [`Pinned ${kid} for ${answer.origin}.`], (file) => addSigner(file, pin, name));
}

function currentKey(url: string, { keys }: ServiceKeys): ServiceKey {
  const [key, ...others] = keys.filter(({ status }) => status === "current");
  if (key !== undefined && others.length === 0) return key;
  throw new Refusal(
    EXIT.input,
    `"${url}" states ` +
      `${keys.length === 0 ? "no key" : `${others.length + (key === undefined ? 0 : 1)} current keys`}, and svc ` +
      `pins exactly one.`,
    "Ask the operator of the service which key is the right one, and pin it with: svc trust add --public-key-hex <key>",
  );
}

function pastKeys({ keys }: ServiceKeys): string[] {
  const past = keys.filter(({ status }) => status === "past").map(({ kid }) => kid);
  if (past.length === 0) return [];
  const text =
    `Keys that it used before are not pinned: ${past.join(", ")}. Pin one with svc trust add if you need it for ` +
    `old evidence.`;
  return [...wrap(text, { first: "", rest: "" }), ""];
}

async function requireComparison(): Promise<void> {
  if (process.stdin.isTTY !== true)
    throw new Refusal(
      EXIT.usage,
      "Nobody is here to compare the fingerprint: standard input is no terminal. Nothing was pinned.",
      "Compare it, then give --yes.",
    );
  if (await confirm("Is the fingerprint the one that you got another way?")) return;
  throw new Refusal(
    EXIT.usage,
    "Nothing was pinned.",
    "Get the fingerprint from somebody who knows it, and call this again.",
  );
}
