/**
 * Compiles contracts/EvidenceAnchor.sol, and writes what deploys and recognizes it to core. The compiler and all of its
 * settings are fixed, and no metadata is appended, so that the same source gives the same bytes everywhere. `--check`
 * writes nothing and fails if the committed bytes are others.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { keccak256 } from "@svc/core/keccak";
import solc from "solc";

const SOURCE = new URL("../../contracts/EvidenceAnchor.sol", import.meta.url);
const TARGET = new URL("../../packages/core/src/objects/anchor/contract-code.ts", import.meta.url);
const COMPILER = "0.8.37";
/** The oldest rules under which the source compiles to the same size: more chains take the code. */
const SETTINGS = {
  evmVersion: "paris",
  viaIR: true,
  optimizer: { enabled: true, runs: 1000 },
  metadata: { bytecodeHash: "none", appendCBOR: false },
  outputSelection: { "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object", "storageLayout"] } },
};

/** A member of the contract's interface. */
interface Member {
  readonly type: "constructor" | "function" | "event" | "error";
  readonly name: string;
  readonly inputs: readonly { readonly type: string }[];
}

/** The part of the compiler's answer that is read. */
interface Compiled {
  readonly errors?: readonly { readonly formattedMessage: string }[];
  readonly contracts: {
    readonly "EvidenceAnchor.sol": {
      readonly EvidenceAnchor: {
        readonly abi: readonly Member[];
        readonly evm: {
          readonly bytecode: { readonly object: string };
          readonly deployedBytecode: { readonly object: string };
        };
        readonly storageLayout: { readonly storage: readonly { readonly label: string; readonly slot: string }[] };
      };
    };
  };
}

const module = moduleOf(compile(readFileSync(SOURCE, "utf8")));
if (!process.argv.includes("--check")) writeFileSync(TARGET, module);
else if (readFileSync(TARGET, "utf8") !== module) {
  console.error(
    "packages/core/src/objects/anchor/contract-code.ts is not what the contract compiles to: run `pnpm contract`.",
  );
  process.exit(1);
}

/** Returns the code that deploys the contract, the code that it has then, both as bare hex, and its interface. */
function compile(content: string) {
  const version = solc.version();
  if (!version.startsWith(`${COMPILER}+`)) throw new Error(`the compiler is ${version}, and ${COMPILER} is pinned`);
  const input = { language: "Solidity", sources: { "EvidenceAnchor.sol": { content } }, settings: SETTINGS };
  const { errors = [], contracts } = JSON.parse(solc.compile(JSON.stringify(input))) as Compiled;
  // A warning counts: there is nothing in this contract about which a compiler should have doubts.
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join("\n"));
  const { abi, evm, storageLayout } = contracts["EvidenceAnchor.sol"].EvidenceAnchor;
  if (storageLayout.storage.find(({ slot }) => slot === "0")?.label !== "epochs")
    throw new Error("the epochs are not at slot 0, where verifiers look for them");
  return { creation: evm.bytecode.object, deployed: evm.deployedBytecode.object, abi };
}

/** Returns the members of one type, each with the beginning of its hash, as lines of an object. */
function namesOf(abi: readonly Member[], type: Member["type"], bytes: number): string {
  return abi
    .filter((member) => member.type === type)
    .map((member) => `  ${member.name}: "0x${hashOf(member).slice(0, 2 * bytes)}",\n`)
    .join("");
}

/** Returns the hash by which a member is called (Solidity ABI); bare hex. */
function hashOf({ name, inputs }: Member): string {
  return hexOf(keccak256(Buffer.from(`${name}(${inputs.map(({ type }) => type).join(",")})`)));
}

function moduleOf({ creation, deployed, abi }: ReturnType<typeof compile>): string {
  return `/**
 * The code of contracts/EvidenceAnchor.sol, compiled by solc ${COMPILER}. tools/contract writes this file, and CI
 * compares it.
 */

/** The code of which a transaction makes the contract; 0x and hex. */
export const EVIDENCE_ANCHOR_CREATION =
  "0x${creation}";

/**
 * Keccak-256 of the code that every contract made of it has: the \`code_hash\` to pin (protocol section 12).
 */
export const EVIDENCE_ANCHOR_CODE_HASH = "0x${hexOf(keccak256(Buffer.from(deployed, "hex")))}";

/** The functions, each by the first four bytes of a call; 0x and hex. */
export const FUNCTIONS = {
${namesOf(abi, "function", 4)}} as const;

/** The refusals, each by the first four bytes of the contract's answer; 0x and hex. */
export const REFUSALS = {
${namesOf(abi, "error", 4)}} as const;

/** The events, each by its topic; 0x and hex. */
export const EVENTS = {
${namesOf(abi, "event", 32)}} as const;
`;
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
