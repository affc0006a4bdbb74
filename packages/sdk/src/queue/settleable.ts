/** A promise and the functions that settle it: `Promise.withResolvers` for runtimes without it. */
export interface Settleable<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

export function settleable<T>(): Settleable<T> {
  let [resolve, reject]: [Settleable<T>["resolve"], Settleable<T>["reject"]] = [() => {}, () => {}];
  const promise = new Promise<T>((onValue, onError) => {
    [resolve, reject] = [onValue, onError];
  });
  return { promise, resolve, reject };
}
