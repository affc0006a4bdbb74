/**
 * `svc bundles provenance-verify`: verifies a bundle of events that vaults sealed, and perhaps the proof that one of
 * their envelopes is in it (protocol section 27).
 */
import type { Json, JsonObject, Kernel, Report } from "@svc/core";
import { type Command, Option } from "commander";
import { openBytes } from "../evidence-file/open.ts";
import { once } from "../evidence-file/options.ts";
import { shellWord } from "../evidence-file/shell-word.ts";
import { EXIT, Refusal } from "../exit.ts";
import { readInput } from "../input.ts";
import { readByAll } from "../kernels-agree.ts";
import { type Preparation, verifyFileCommand } from "../verify/file.ts";

interface Flags {
  readonly file: string;
  readonly inclusion?: string;
}

/** Returns the command. */
export function provenanceVerifyCommand(): Command {
  return verifyFileCommand(
    "provenance-verify",
    "bundle",
    "Verify a bundle of envelopes on this machine alone; no connection is opened.",
    "svc bundles provenance-verify march.provenance.json --trust acme.trust.json",
    WITH_INCLUSION,
  );
}

const WITH_INCLUSION: Preparation<Flags> = {
  addOptions: (command) =>
    command.addOption(
      new Option("--inclusion <path>", "the proof that one envelope is in the range of this bundle").argParser(once),
    ),
  paths: ({ inclusion }) => ({ "--inclusion": inclusion }),
  words: ({ file, inclusion }) => [
    shellWord(file),
    ...(inclusion === undefined ? [] : [`--inclusion ${shellWord(inclusion)}`]),
  ],
  command: "svc bundles provenance-verify",
  beside: async (kernels, { inclusion: path }) => {
    if (path === undefined) return {};
    const bytes = await readInput(path);
    // With its own manifest or without: this bundle's manifest is the one that counts.
    const read = (kernel: Kernel): Json => {
      const { value } = openBytes(kernel, path, bytes, ["provenance-inclusion"]);
      return (value as JsonObject).inclusion ?? value;
    };
    return { inclusion: readByAll(kernels, "inclusion", read) };
  },
  refuse: (name, { kind, verdict, assurance }: Report) => {
    if (kind !== "bundle" || verdict === "rejected" || assurance.provenance !== undefined) return;
    throw new Refusal(
      EXIT.input,
      `${name} is a bundle of a stream without envelopes: no vault has sealed anything in it.`,
      "Verify it with svc bundles offline-verify; or ask for a bundle of the provenance stream.",
    );
  },
};
