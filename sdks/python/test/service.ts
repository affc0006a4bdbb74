/** The real service for the tests of the client: a separate process, on a free port, with a fresh data folder. */
import { join } from "node:path";
import { environment, passes } from "@svc/testkit/python";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { Program, type Running } from "../../../tools/chaos/program.ts";

/** A running service, and what a test may know of it. */
export interface TestService {
  readonly program: Program;
  readonly running: Running;
  readonly dataFolder: string;
  readonly apiKey: string;
  readonly streamId: string;
  /** The value of `SVC_TEST_SERVICE`, which the tests in Python read. */
  readonly told: string;
}

/** Starts a service that ends with the test. */
export async function startService(t: { after: (work: () => unknown) => void }): Promise<TestService> {
  const folder = temporaryFolder();
  const program = await Program.build(folder);
  const dataFolder = join(folder, "data");
  const made = JSON.parse(await output(program, "init", "--origin", "sdk.example/evidence", "--data", dataFolder));
  const erasing = JSON.parse(await output(program, "keys", "create", "--allow", "erase", "--data", dataFolder));
  const running = await program.mustStart(dataFolder);
  t.after(async () => {
    running.kill("SIGTERM");
    await running.ended;
  });
  const told = JSON.stringify({
    base_url: running.url,
    api_key: made.api_key,
    erase_key: erasing.api_key,
    system_id: made.system_id,
    public_key_hex: made.public_key_hex,
    data_folder: dataFolder,
  });
  return { program, running, dataFolder, apiKey: made.api_key, streamId: made.stream_id, told };
}

/** Runs tests in Python against a service. */
export async function passesWith(command: string, variables: Record<string, string>, ...words: string[]) {
  Object.assign(process.env, variables);
  await passes(await environment(command), "-m", "pytest", "-p", "no:cacheprovider", ...words);
}

async function output(program: Program, ...words: string[]): Promise<string> {
  const { code, out, err } = await program.run([...words, "--json"]);
  if (code !== 0) throw new Error(`${words[0]} ended with ${code}: ${err}`);
  return out;
}
