/**
 * Packages made on a separate thread, as the recording thread sees it. Each package has a new thread with a small heap,
 * so that the memory of a build neither depends on its size nor stays with the process. The thread cannot write to the
 * database and holds no private key: it asks for both.
 */
import type { DatabaseLocation } from "@svc/host/store";
import { fromThrown, ThreadPool } from "@svc/host/threads";
import type { DataFolder } from "../data-folder/data-folder.ts";
import type { MissingEvidence } from "../packs/missing-evidence.ts";
import type { MadePackage, PackageOrder } from "./making.ts";
import type { MakingAnswer, MakingReply, MakingStep, MakingTask } from "./making-messages.ts";
import { type MakersCalls, MakingEnded, MakingLost, type PackageMaker } from "./package-maker.ts";
import { PackageTooLarge } from "./write-artifact.ts";

/** The program is beside this file, or beside the built program. */
const PROGRAM = import.meta.url.endsWith(".ts")
  ? new URL("./thread.ts", import.meta.url)
  : new URL("./export-thread.mjs", import.meta.url);
/**
 * The memory of the thread, in MiB, at the first build of a package. Each further build has twice as much, so that the
 * last one has 1.5 GiB.
 */
const MIN_HEAP_MIB = 96;
/** By itself the runtime lets this part of a heap grow to many times as much, for speed alone. */
const YOUNG_HEAP_MIB = 4;

/** The folders of the packages and of the archive. */
type MakingFolders = Pick<DataFolder, "exportsPath" | "archivePath">;

/** Makes packages on threads, which read the database. */
export class MakingThread implements PackageMaker {
  readonly #databaseLocation: DatabaseLocation;
  readonly #folders: MakingFolders;
  readonly #minHeapMib: number;

  /** `minHeapMib`: the heap of the first build. */
  constructor(databaseLocation: DatabaseLocation, folders: MakingFolders, minHeapMib = MIN_HEAP_MIB) {
    this.#databaseLocation = databaseLocation;
    this.#folders = folders;
    this.#minHeapMib = minHeapMib;
  }

  async make(order: PackageOrder, calls: MakersCalls, stop: AbortSignal): Promise<MadePackage | MissingEvidence> {
    const answer = await this.#answer(order, calls, stop);
    if ("made" in answer) return answer.made;
    const { thrown } = answer;
    throw "name" in thrown && thrown.name === "PackageTooLarge"
      ? new PackageTooLarge(thrown.message)
      : fromThrown(thrown);
  }

  async #answer(order: PackageOrder, calls: MakersCalls, stop: AbortSignal): Promise<MakingAnswer> {
    if (stop.aborted) throw new MakingEnded();
    const { export_id, attempts } = order.build;
    const pool = new ThreadPool<MakingTask, MakingAnswer, MakingStep, MakingReply>({
      program: PROGRAM,
      threads: 1,
      // How much memory the evidence of a stream takes is not known before, so a build that was lost gets more.
      heapMib: this.#minHeapMib * 2 ** (attempts - 1),
      youngHeapMib: YOUNG_HEAP_MIB,
      taskMs: null,
      waitMs: 1000,
      maxWaiting: 1,
      lasting: false,
    });
    const end = () => void pool.close();
    stop.addEventListener("abort", end);
    let refusal: unknown = null;
    const reply = (step: MakingStep) =>
      replyOf(calls, step).catch((error: unknown) => {
        refusal = error;
        throw error;
      });
    const { exportsPath, archivePath } = this.#folders;
    const question = { databaseLocation: this.#databaseLocation, folder: exportsPath, archivePath, order };
    try {
      return (await pool.run({ owner: export_id, question, reply })).answer;
    } catch (error) {
      if (stop.aborted) throw new MakingEnded();
      if (error === refusal) throw error;
      throw new MakingLost(`the thread that makes ${export_id} has ended: ${(error as Error).message}`, {
        cause: error,
      });
    } finally {
      stop.removeEventListener("abort", end);
      // The thread must write nothing any more when the files of the build are removed.
      await pool.close();
    }
  }
}

async function replyOf({ keep, sign, check }: MakersCalls, step: MakingStep): Promise<MakingReply> {
  if ("keep" in step) return keep(step.keep.streamId, step.keep.evidence);
  // A signature may be a part of a larger buffer, all of which would cross.
  if ("sign" in step) return Uint8Array.from(await sign(step.sign));
  await check();
  return null;
}
