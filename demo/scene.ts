/** Where the story plays: one server with its file, or several on a database that can lose machines. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import type { StreamClient } from "@svc/sdk";
import { step } from "./progress.ts";
import { type Initialised, initService, startService } from "./service.ts";
import type { SplitFiles } from "./split-audit.ts";
import type { Tampering } from "./tampering.ts";

/** A thing that goes wrong while events are recorded. */
export interface Mishap {
  /** How many receipts are there when it begins. */
  readonly afterReceipts: number;
  readonly happen: () => Promise<void>;
}

/** A service that is there for as long as the story needs it. */
export interface Scene {
  readonly made: Initialised;
  readonly url: string;
  readonly mishaps: readonly Mishap[];
  /** The part of the story after the recording, as whole lines. */
  readonly ending: string;
  /** Resolves when the evidence has all that this scene adds to it. `events`: how many were recorded. */
  readonly complete?: (stream: StreamClient, events: number) => Promise<void>;
  /** Shows an auditor what this scene has added to a bundle, when nothing else is left. `pinned`: the signer's pin. */
  readonly audit?: (bundle: string, pinned: readonly string[]) => Promise<void>;
  /** More ways of tampering with a bundle of this scene. */
  readonly tamperings?: readonly Tampering[];
  /** More calls of `svc` to repeat by hand. `at`: shortens a path. */
  readonly again?: (bundle: string, at: (file: string) => string) => readonly string[];
  /** Lets the service tell two histories, when all are recorded; resolves to the files that are left of it. */
  readonly split?: () => Promise<SplitFiles>;
  /** Stops what still runs, and deletes all that it kept. */
  remove(): Promise<void>;
}

/** Starts one server, whose database is a file in its data folder. */
export async function oneServer(dataFolder: string, origin: string): Promise<Scene> {
  const made = await initService(dataFolder, origin);
  step("service created", `${made.origin}, key ${made.kid}`);
  const server = await startService(dataFolder);
  step("server started", server.url);
  return {
    made,
    url: server.url,
    mishaps: [],
    ending: `service committed to them in windows and checkpoints, and its witness cosigned. Then the
service was stopped and its data deleted. The bundle still verifies, and no change to it
goes unnoticed.`,
    async remove() {
      assert.equal(await server.stop(), 0, "the server must drain and end with 0");
      rmSync(dataFolder, { recursive: true });
      step("server stopped, its data deleted", "from here on there is only the file and the key");
    },
  };
}
