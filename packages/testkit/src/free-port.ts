/** Free ports of the loopback interface, for programs that cannot choose one and say which. */
import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Systems give outgoing connections ports from 32768 on: one of these would stand in the way of a later start. */
const [LEAST, MOST] = [20_000, 32_000];

/**
 * Resolves to a port that nobody listens on. It is one of many, by chance, so that nobody else takes it while a program
 * starts, or is stopped for a while.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LEAST, MOST);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve(false);
      else reject(error);
    });
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
