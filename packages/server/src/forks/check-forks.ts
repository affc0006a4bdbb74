/** Checks evidence of forks: each document must verify by itself. */
import { verify } from "@svc/core";
import type { Fault } from "@svc/host/checks";
import type { CheckContext } from "../check-context.ts";
import { checkTrust } from "../keys/check-trust.ts";
import { forkDocuments } from "./forks-store.ts";

/** Yields the faults of this evidence. */
export async function* checkForks({ database, kernel, origin, signer }: CheckContext): AsyncGenerator<Fault> {
  const { trust, documents } = await database.read(async (reader) => ({
    ...(await checkTrust(reader, origin, signer)),
    documents: await forkDocuments(reader),
  }));
  for (const { fork_id: id, document } of documents) {
    const [problem] = verify(Buffer.from(document), { trust, kernel }).problems;
    if (problem !== undefined)
      yield { table: "forks", row: { id }, fault: `${problem.code} at ${problem.path}: ${problem.message}` };
  }
}
