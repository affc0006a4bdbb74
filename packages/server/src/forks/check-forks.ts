/** Evidence of forks: each document verifies by itself. */
import { verify } from "@svc/core";
import type { Fault } from "@svc/host/checks";
import type { CheckContext } from "../check-context.ts";
import { forkDocuments } from "./forks-store.ts";

/** Yields what is wrong with it. */
export async function* checkForks({ database, kernel, trust }: CheckContext): AsyncGenerator<Fault> {
  for (const { fork_id: id, document } of await database.read(forkDocuments)) {
    const [problem] = verify(Buffer.from(document), { trust, kernel }).problems;
    if (problem !== undefined)
      yield { table: "forks", row: { id }, fault: `${problem.code} at ${problem.path}: ${problem.message}` };
  }
}
