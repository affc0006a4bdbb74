/**
 * A real witness as its owner runs it: one file with plain Node, through its own commands: init, origins add, start,
 * forks list.
 */
import { WITNESS_FILE } from "../packages/witness/build.ts";
import { type RunningProgram, run, start } from "./program.ts";

/** A witness that runs, and what its owner tells others. */
export interface Witness extends RunningProgram {
  readonly owner: string;
  readonly name: string;
  readonly vkey: string;
  readonly publicKeyHex: string;
  readonly folder: string;
  /** Lets the witness watch a log. */
  watch(logVkey: string): Promise<void>;
  /** Resolves to the files of its evidence against the log of an origin, the newest first. */
  forks(origin: string): Promise<string[]>;
}

/** Makes a witness in a fresh folder, starts it on a free loopback port, and resolves once it listens. */
export async function startWitness(owner: string, folder: string): Promise<Witness> {
  const name = `${owner}.example/witness`;
  const settings = {
    SVC_WITNESS_DATA: `${folder}/data`,
    SVC_WITNESS_KEYS: `${folder}/keys`,
    SVC_WITNESS_HOST: "127.0.0.1",
    SVC_WITNESS_PORT: "0",
  };
  const witness = (...words: string[]) => run([WITNESS_FILE, ...words], settings);
  const { vkey } = JSON.parse(await witness("init", "--name", name, "--json")) as { vkey: string };
  const running = await start("witness", [WITNESS_FILE, "start", "--json"], settings);
  return {
    ...running,
    owner,
    name,
    vkey,
    publicKeyHex: publicKeyOf(vkey),
    folder,
    watch: async (logVkey) => void (await witness("origins", "add", "--vkey", logVkey)),
    forks: async (origin) => {
      const lines = (await witness("forks", "list", "--json")).split("\n").filter((line) => line !== "");
      const all = lines.map((line) => JSON.parse(line) as { origin: string; file: string });
      return all.filter((one) => one.origin === origin).map(({ file }) => file);
    },
  };
}

/** Returns the key of a vkey: `name+hash+base64` of a type byte and the key. Neither name nor hash holds a plus. */
function publicKeyOf(vkey: string): string {
  const [, , ...typed] = vkey.split("+");
  return Buffer.from(typed.join("+"), "base64").subarray(1).toString("hex");
}
