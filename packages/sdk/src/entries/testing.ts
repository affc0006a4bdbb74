/**
 * A service for users' own tests, in their process: the real server, on a database in memory. The one place of the toolkit beside the server's own
 * that imports it, since a stand-in would only agree with itself. It needs Node 24.
 */
import type { PublicKeyHex } from "@svc/core";
import { startInMemory } from "@svc/server/in-memory";

/** A running service. */
export interface TestService {
  /** Where it listens: a free port of the loopback interface. */
  readonly baseUrl: string;
  /** A system key that may do all but erase. */
  readonly apiKey: string;
  /** A system key that may only erase. */
  readonly eraseKey: string;
  /** The key to pin: `pinKeys(selectKernel(), [publicKeyHex])`. */
  readonly publicKeyHex: PublicKeyHex;
  readonly systemId: string;
  /** A stream to append to. */
  readonly streamId: string;
  /** Ends it; all that was recorded is gone. */
  close(): Promise<void>;
}

/**
 * Starts a service whose clock, keys and database are its own. Nothing of it stays: keys and packages of exports lie in a folder for temporary files
 * until it is closed.
 *
 * @example
 * const service = await startTestService();
 * const client = new SvcClient(service);
 * console.log((await client.health()).status); // ok
 * await service.close();
 */
export function startTestService(): Promise<TestService> {
  return startInMemory();
}
