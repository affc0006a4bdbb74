/** `svc trust add`: pins signers and witnesses, and sets the quorum and the requirements for evidence. */
import { COSIGNATURE_LINE, type Kernel, kidOf, parseVerificationKey } from "@svc/core";
import { inGroups } from "@svc/report";
import { Command, Option } from "commander";
import { collect } from "../evidence-file/options.ts";
import { EXIT, Refusal } from "../exit.ts";
import { openKernel } from "../kernel.ts";
import { fingerprintOf } from "../keys/forms.ts";
import { printError } from "../output.ts";
import { parsePublicKeyHex } from "../public-key.ts";
import { changeTrust, type TrustFileOption } from "./change.ts";
import { keyOfFingerprint } from "./key-of-fingerprint.ts";
import { parseName } from "./names.ts";
import { addRequirements, addSigner, addWitness, setQuorum, type WitnessPin } from "./pins.ts";
import { readTlogPolicy } from "./quorum.ts";
import { REQUIREMENTS, type Requirement } from "./requirements.ts";
import type { TrustFile } from "./store.ts";
import { parseNumber } from "./values.ts";

interface Options extends TrustFileOption {
  readonly publicKeyHex?: string;
  readonly fingerprint?: string;
  readonly file?: string;
  readonly name?: string;
  readonly origin?: string;
  readonly stream?: string[];
  readonly validTo?: string;
  readonly endorse: boolean;
  readonly witness?: string;
  readonly quorum?: string;
  readonly quorumFile?: string;
  readonly require?: Requirement[];
  readonly replace?: true;
}

type Change = (file: TrustFile) => TrustFile;

/** Returns the command. One call may add several things; all of them are written, or none. */
export function addTrustCommand(): Command {
  return new Command("add")
    .description("Pin a key or a witness; set the quorum and what you require.")
    .option("--public-key-hex <key>", "a signer's public key, 64 lowercase hex characters")
    .option("--fingerprint <hex>", "its fingerprint, in place of the key; with --file")
    .option("--file <path>", "a file that carries the key: it counts if it has that fingerprint")
    .option("--name <name>", "what you call this key; no verdict depends on it")
    .option("--origin <origin>", "trust the key only for the streams of this service")
    .option("--stream <id>", "trust the key only for this stream; repeatable", collect)
    .option("--valid-to <time>", "trust it only for what is proven to be sealed by then")
    .option("--no-endorse", "let no endorsement by this key count")
    .option("--witness <vkey>", "a witness's C2SP key; or its name, with --public-key-hex")
    .option("--quorum <count>", "how many of your witnesses must have cosigned")
    .addOption(new Option("--quorum-file <path>", "a C2SP tlog-policy that says which").conflicts("quorum"))
    .addOption(
      new Option("--require <what>", "what evidence has to show; repeatable").choices(REQUIREMENTS).argParser(oneOf),
    )
    .option("--replace", "let this pin take the place of one that differs")
    .addHelpText(
      "after",
      `
Examples:
  svc trust add --name "acme 2026" --public-key-hex "$KEY"
  svc trust add --fingerprint "$FINGERPRINT" --file march.bundle.json
  svc trust add --witness "$VKEY" --quorum 1 --require witnessed

A key proves nothing by itself: get it another way than the evidence.`,
    )
    .action(add);
}

function oneOf(value: string, previous: string[] = []): string[] {
  const found = REQUIREMENTS.find((each) => each === value);
  if (found !== undefined) return [...previous, found];
  throw new Refusal(EXIT.usage, `--require: "${value}" is no requirement.`, `Give one of ${REQUIREMENTS.join(", ")}.`);
}

async function add(given: Options): Promise<void> {
  const kernel = openKernel();
  const options = await withKey(kernel, given);
  const steps = [
    ...signerStep(kernel, options),
    ...witnessStep(kernel, options),
    ...(await quorumStep(options)),
    ...requireStep(options),
  ];
  if (steps.length === 0)
    throw new Refusal(EXIT.usage, "There is nothing to add.", '"svc trust add --help" shows what can be added.');
  const done = steps.map(([said]) => said);
  const { policy } = await changeTrust(options, done, (file) => steps.reduce((now, [, change]) => change(now), file));
  const witnesses = new Set(policy.witnesses?.map(({ name }) => name)).size;
  if (typeof policy.quorum === "number" && policy.quorum > witnesses)
    printError(
      `Your quorum asks for ${policy.quorum} witnesses, and you pin ${witnesses}: nothing with a checkpoint can ` +
        `meet it.`,
      "Pin more with: svc trust add --witness <vkey>",
    );
}

/** Resolves to the options with the key, where its fingerprint and a file that carries it are given in its place. */
async function withKey(kernel: Kernel, options: Options): Promise<Options> {
  const { fingerprint, file, publicKeyHex } = options;
  if (fingerprint === undefined && file === undefined) return options;
  if (fingerprint === undefined || file === undefined || publicKeyHex !== undefined)
    throw new Refusal(
      EXIT.usage,
      "--fingerprint and --file go together, in the place of --public-key-hex.",
      "Give the fingerprint that you got, and a file that carries the key.",
    );
  return { ...options, publicKeyHex: await keyOfFingerprint(kernel, fingerprint, file) };
}

type Step = readonly [said: string, change: Change];

function signerStep(kernel: Kernel, options: Options): Step[] {
  const { publicKeyHex, fingerprint: told, witness, name, origin, stream, validTo, endorse, replace } = options;
  if (publicKeyHex === undefined || witness !== undefined) {
    const limits = { name, origin, stream, "valid-to": validTo, "no-endorse": endorse ? undefined : true };
    const given = Object.entries(limits).find(([, value]) => value !== undefined);
    if (given === undefined) return [];
    throw new Refusal(
      EXIT.usage,
      `--${given[0]} says something of a signer's key, and none is given.`,
      "Give the key with --public-key-hex, and a witness in a separate call.",
    );
  }
  const public_key_hex = parsePublicKeyHex(publicKeyHex);
  const pin = {
    kid: kidOf(kernel, public_key_hex),
    public_key_hex,
    ...(origin === undefined ? {} : { origin }),
    ...(stream === undefined ? {} : { streams: stream }),
    ...(validTo === undefined ? {} : { valid_to: validTo }),
    ...(endorse ? {} : { endorse: false }),
  };
  const label = name === undefined ? undefined : parseName(name);
  const called = label === undefined ? "" : `, which you call "${label}"`;
  const fingerprint = inGroups(fingerprintOf(kernel, public_key_hex));
  const question = told === undefined ? ": is that the one that the service gives?" : ", the one that you gave.";
  const said = `Pinned ${pin.kid}${called}. Its fingerprint is ${fingerprint}${question}`;
  return [
    [
      said,
      (file) => {
        refuseFingerprint(kernel, file, public_key_hex);
        return addSigner(file, pin, label, replace);
      },
    ],
  ];
}

/** Refuses the fingerprint of a known key. Both are 64 hex digits, so only that of a known key is recognised. */
function refuseFingerprint(kernel: Kernel, { policy }: TrustFile, given: string): void {
  const owner = policy.signers.find(({ public_key_hex }) => fingerprintOf(kernel, public_key_hex) === given);
  if (owner !== undefined)
    throw new Refusal(
      EXIT.usage,
      `--public-key-hex: this is the fingerprint of ${owner.kid}, which you pin already, and not a key.`,
      "Nothing was changed. A fingerprint is for comparing.",
    );
}

/** A name of a witness holds no plus, and a verifier key always does. */
function witnessStep(kernel: Kernel, { witness, publicKeyHex }: Options): Step[] {
  if (witness === undefined) return [];
  const pin = witness.includes("+") ? witnessOf(kernel, witness, publicKeyHex) : namedWitness(witness, publicKeyHex);
  return [[`Pinned the witness ${pin.name}.`, (file) => addWitness(file, pin)]];
}

function namedWitness(name: string, publicKeyHex: string | undefined): WitnessPin {
  if (publicKeyHex !== undefined) return { name, public_key_hex: parsePublicKeyHex(publicKeyHex) };
  throw new Refusal(
    EXIT.usage,
    "--witness: this is the name of a witness without its key.",
    "Give its C2SP key (name+id+key), or its raw key with --public-key-hex.",
  );
}

function witnessOf(kernel: Kernel, vkey: string, publicKeyHex: string | undefined): WitnessPin {
  if (publicKeyHex !== undefined)
    throw new Refusal(
      EXIT.usage,
      "--witness holds the key already, and --public-key-hex gives another.",
      "Leave one of them out, or make two calls.",
    );
  const read = parseVerificationKey(kernel, vkey);
  if (!read.ok) throw new Refusal(EXIT.usage, `--witness: ${VKEY_FAULTS[read.code]}`, "Was all of it copied?");
  const { name, type, publicKeyHex: public_key_hex } = read.key;
  if (type === COSIGNATURE_LINE) return { name, public_key_hex };
  throw new Refusal(
    EXIT.usage,
    "--witness: this is the key of an ordinary signer (type 0x01), not of a witness (0x04).",
    "Ask the witness for the key of its cosignatures.",
  );
}

const VKEY_FAULTS = {
  malformed: "this is no C2SP key: a name, 8 hex characters and base64, joined by plus signs.",
  unsupported_object: "this is a key of another type than Ed25519.",
  kid_mismatch: "the id inside it is not that of its name and key.",
} as const;

async function quorumStep({ quorum, quorumFile }: Options): Promise<Step[]> {
  if (quorum !== undefined) {
    const count = parseNumber("--quorum", quorum);
    return [[`Set the quorum to ${count}.`, (file) => setQuorum(file, count)]];
  }
  if (quorumFile === undefined) return [];
  const text = await readTlogPolicy(quorumFile);
  return [["Set the quorum to that tlog-policy.", (file) => setQuorum(file, text)]];
}

function requireStep({ require = [] }: Options): Step[] {
  if (require.length === 0) return [];
  return [[`From now on you require: ${require.join(", ")}.`, (file) => addRequirements(file, require)]];
}
