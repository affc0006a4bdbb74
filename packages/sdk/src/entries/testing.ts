/**
 * A service for users' own tests, in their process: the real server, on a database in memory. No other module of the
 * toolkit outside the server imports the server: a stand-in would only agree with itself. It needs Node 24.
 */
import type { PublicKeyHex } from "@svc/core";
import { startInMemory } from "@svc/server/in-memory";

/** A running service. */
export interface TestService {
  /** The service's URL: a free port of the loopback interface. */
  readonly baseUrl: string;
  /** A system key that may do everything but erase. */
  readonly apiKey: string;
  /** A system key that may only erase. */
  readonly eraseKey: string;
  /** The key to pin: `pinKeys(selectKernel(), [publicKeyHex])`. */
  readonly publicKeyHex: PublicKeyHex;
  readonly systemId: string;
  /** A stream to append to. */
  readonly streamId: string;
  /** Stops the service; everything that was recorded is gone. */
  close(): Promise<void>;
}

/**
 * Starts a service with its own clock, keys and database. It leaves nothing behind: its keys and packages are in a
 * temporary folder until it is closed. Resolves when it listens.
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
