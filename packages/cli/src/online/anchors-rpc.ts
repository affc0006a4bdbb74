/**
 * `svc anchors verify --rpc`: verifies an anchor offline, under the reader's own trust, and then asks a node whether
 * the chain still says the same. The node's answers change no verdict but to the worse: they are its word.
 */
import process from "node:process";
import { type Anchor, epochHash, type Kernel, type Report, type TrustPolicy, verify } from "@svc/core";
import { escapeText } from "@svc/report";
import { EXIT, exitCodeOf } from "../exit.ts";
import { FORMATTERS, type FormatFlags, formatOf } from "../formats/list.ts";
import { printLines } from "../output.ts";
import { wrap } from "../render/text.ts";
import { type Node, nodeAt } from "./chain-node.ts";

/** One thing that the node was asked for. It is a `type`, so that it is Json. */
type Asked = {
  readonly what: string;
  readonly agrees: boolean;
  readonly node: string;
  readonly anchor: string;
};

/** Verifies the bytes of an anchor, and asks the node. Prints both, and sets the exit code. */
export async function verifyWithNode(
  kernel: Kernel,
  bytes: Uint8Array,
  anchor: Anchor,
  trust: TrustPolicy | undefined,
  { rpc, ...flags }: FormatFlags & { readonly rpc: string },
): Promise<void> {
  const report = verify(bytes, { kind: "anchor", kernel, ...(trust === undefined ? {} : { trust }) });
  const node = nodeAt(rpc);
  // An object that is no anchor by its shape says nothing that could be asked.
  const isAnchor = report.checks.some(({ id, status }) => id === "shape" && status === "pass");
  const asked = isAnchor ? await askNode(kernel, node, anchor) : [];
  const answer = { value: { report, node: asked }, page: () => page(report, isAnchor ? anchor : null, asked) };
  printLines(FORMATTERS[formatOf(flags)].answer(answer));
  process.exitCode = asked.some(({ agrees }) => !agrees) ? EXIT.rejected : exitCodeOf(report.verdict);
}

/** Resolves to what the node says of each statement of an anchor that it can know. */
async function askNode(kernel: Kernel, node: Node, anchor: Anchor): Promise<Asked[]> {
  const { network, contract, tx_hash, block_number, block_hash, epoch_no } = anchor;
  if (network === null || contract === null) return [];
  const asked: Asked[] = [];
  const compare = (what: string, of: string, stated: string) =>
    asked.push({ what, agrees: of === stated, node: of, anchor: stated });
  const found = await node.network();
  compare("the chain", found, network);
  // Everything else would be of another chain.
  if (found !== network) return asked;
  if (block_number !== null && block_hash !== null)
    compare(`the block at ${block_number}`, (await node.blockHash(block_number)) ?? "none", block_hash);
  compare(
    `the hash of epoch ${epoch_no} in the contract`,
    await node.epochHash(contract, epoch_no),
    epochHash(kernel, anchor),
  );
  // The evidence may be of a later block than the transaction's.
  if (tx_hash !== null && block_hash !== null)
    compare("the transaction", (await node.blockOf(tx_hash)) === null ? "in no block" : "in a block", "in a block");
  return asked;
}

/** Returns the lines for a person. `anchor`: null for an object of another shape, whose members may be anything. */
function page(report: Report, anchor: Anchor | null, asked: readonly Asked[]): string[] {
  const { problems } = report;
  const line = (text: string) => wrap(escapeText(text), { first: "  ", rest: "    " });
  return [
    headOf(report, anchor),
    ...problems.flatMap(({ code, path, message }) => line(`${code} at ${path || "/"}: ${message}`)),
    "",
    ...asked.flatMap(({ what, agrees, node, anchor }) =>
      line(agrees ? `✓ ${what} is ${node}` : `✗ ${what} is ${node}, and the anchor says ${anchor}`),
    ),
    ...wrap(summaryOf(report, anchor, asked), { first: "", rest: "" }),
  ];
}

/** Returns the verdict, and what it is about. A block that a rejected anchor names is no block of its epoch. */
function headOf({ verdict, assurance }: Report, anchor: Anchor | null): string {
  if (anchor === null) return verdict;
  const { epoch_no, block_number } = anchor;
  if (verdict === "rejected") return `${verdict}: epoch ${epoch_no}`;
  const place = block_number === null ? "" : ` in block ${block_number}`;
  return `${verdict}: epoch ${epoch_no}${place}, anchored ${assurance.anchored}`;
}

function summaryOf({ verdict }: Report, anchor: Anchor | null, asked: readonly Asked[]): string {
  if (anchor === null) return "The node was not asked: the file has not the form of an anchor.";
  if (asked.length === 0) return "There was nothing to ask the node: the anchor names no chain.";
  if (asked.some(({ agrees }) => !agrees))
    return (
      "THE NODE SAYS OTHERWISE. Ask another one; if that agrees with it, the anchor is of a chain that is gone or " +
      "never was."
    );
  return verdict === "verified"
    ? "The node says the same. It is the node's word: the proof is the evidence, and your pins."
    : "The node says the same. It is the node's word, and makes no verdict better.";
}
