/**
 * Statements of one transaction that need not wait for each other. A remote database gets them at once, and answers
 * them in one round trip.
 */

/**
 * Resolves to the results of all, in order. Rejects with the first failure, but only when all have ended: a statement
 * that is still under way when its transaction ends would run in the next one of its connection.
 */
export async function together<const Results extends readonly unknown[]>(
  underWay: { readonly [Index in keyof Results]: Promise<Results[Index]> },
): Promise<Results> {
  const outcomes = await Promise.allSettled(underWay);
  return outcomes.map((outcome) => {
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  }) as unknown as Results;
}
