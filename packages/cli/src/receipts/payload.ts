/**
 * `--payload` and `--salt` of `svc receipts verify`. A receipt and its payload often come apart: somebody may be
 * allowed to see that an event was recorded, and not its content. They are joined before core sees them (protocol
 * section 7).
 */
import { detectKind, isPayloadEntry, type JsonObject, joinPayload, type Kernel } from "@svc/core";
import { InvalidArgumentError, Option } from "commander";
import { refuseOther } from "../evidence-file/not-evidence.ts";
import { named } from "../evidence-file/open.ts";
import { once } from "../evidence-file/options.ts";
import { shellWord } from "../evidence-file/shell-word.ts";
import { EXIT, Refusal } from "../exit.ts";
import { readInput } from "../input.ts";
import { readByAll } from "../kernels-agree.ts";
import type { Preparation } from "../verify/file.ts";
import type { Kernels } from "../verify/kernels.ts";

interface Flags {
  readonly payload?: string;
  readonly salt?: string;
}

/** The options, and the receipt's bytes with its payload in it. */
export const withPayload: Preparation<Flags> = {
  addOptions: (command) =>
    command
      .addOption(
        new Option("--payload <path>", "the payload that the receipt leaves out, with its salt or bare").argParser(
          once,
        ),
      )
      .addOption(
        new Option("--salt <hex>", "the salt of a bare payload, 32 lowercase hex characters").argParser(parseSalt),
      ),
  paths: ({ payload }) => ({ "--payload": payload }),
  words: ({ payload, salt }) => [
    ...(payload === undefined ? [] : [`--payload ${shellWord(payload)}`]),
    ...(salt === undefined ? [] : [`--salt ${salt}`]),
  ],
  prepare: addPayload,
};

function parseSalt(text: string, previous: string | undefined): string {
  if (/^[0-9a-f]{32}$/.test(text)) return once(text, previous);
  throw new InvalidArgumentError(
    /^[0-9a-fA-F]{32}$/.test(text) ? "Write it in lowercase." : "A salt is 32 lowercase hex characters.",
  );
}

/**
 * Resolves to the receipt with the payload of `--payload`. Bytes that are no receipt do not change: core finds their
 * fault.
 */
async function addPayload(kernels: Kernels, bytes: Uint8Array, { payload: path, salt }: Flags): Promise<Uint8Array> {
  if (path === undefined) {
    if (salt === undefined) return bytes;
    throw new Refusal(EXIT.usage, "--salt goes with a payload, and none is given.", "Give the payload with --payload.");
  }
  const payload = await readInput(path);
  refuseOther(named(path), payload);
  const whole = (kernel: Kernel) => joined(kernel, bytes, readEntry(kernel, path, payload, salt));
  return readByAll(kernels, "payload", whole, (joint) => Buffer.from(joint).toString("latin1"));
}

/** Returns the receipt's bytes with the members in it that it leaves out. */
function joined(kernel: Kernel, bytes: Uint8Array, entry: JsonObject): Uint8Array {
  const parsed = kernel.parseJson(bytes);
  if (!parsed.ok || detectKind(parsed.value) !== "receipt") return bytes;
  const whole = joinPayload(parsed.value as JsonObject, entry);
  if (whole !== null) return kernel.canonicalize(whole);
  throw new Refusal(
    EXIT.usage,
    "The receipt carries its payload already, and --payload gives another.",
    "Leave --payload out.",
  );
}

/** Returns the members that a receipt leaves out. */
function readEntry(kernel: Kernel, path: string, bytes: Uint8Array, salt: string | undefined): JsonObject {
  const parsed = kernel.parseJson(bytes);
  if (!parsed.ok)
    throw new Refusal(
      EXIT.input,
      `${named(path)} is not JSON as svc reads it: ${parsed.code} at byte ${parsed.offset}.`,
      "Check that it is the file you meant; a cut download looks like this.",
    );
  const isEntry = isPayloadEntry(parsed.value);
  if (salt === undefined && isEntry) return parsed.value as JsonObject;
  if (salt !== undefined && !isEntry) return { payload: parsed.value, payload_salt: salt };
  throw isEntry
    ? new Refusal(EXIT.usage, `${named(path)} holds the salt already.`, "Leave --salt out.")
    : new Refusal(
        EXIT.usage,
        `${named(path)} is a bare payload: it does not have exactly the members payload and payload_salt.`,
        "Give its salt with --salt; without it nobody can tell whether the payload is the one that was recorded.",
      );
}
