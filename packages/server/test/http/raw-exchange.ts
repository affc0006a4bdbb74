/** Requests as bytes on a bare connection. */
import { connect } from "node:net";

/**
 * Sends text on a new connection, closes its side if `end`, and resolves to everything that comes back until the server
 * closes.
 */
export function exchange(url: string, text: string, { end = false } = {}): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      if (end) socket.end(text);
      else socket.write(text);
    });
    let received = "";
    socket.setEncoding("utf8").on("data", (chunk) => {
      received += chunk;
    });
    socket.on("close", () => resolve(received));
    socket.on("error", reject);
  });
}
