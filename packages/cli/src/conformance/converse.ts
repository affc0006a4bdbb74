/**
 * The conversation: a line in, a line out, in order, until the input ends or nobody reads the answers any more. It
 * reads the next line only after the last answer was taken, so that a slow reader holds up the writer, and does not
 * fill this program's memory.
 */
import type { Writable } from "node:stream";
import type { Kernel } from "@svc/core";
import { escapeJson } from "@svc/report";
import { type Answer, answerBytes } from "./answer.ts";
import { type Line, splitLines } from "./lines.ts";

/** The longest request, in bytes without its newline: 32 MiB. */
export const MAX_REQUEST_BYTES = 32 * 1024 ** 2;

/** Answers every line of `input` on `output`. If the reader goes away it ends, without an error. */
export async function converse(
  input: AsyncIterable<Uint8Array>,
  output: Writable,
  kernel: Kernel,
  maxBytes = MAX_REQUEST_BYTES,
): Promise<void> {
  for await (const line of splitLines(input, maxBytes)) {
    // Escaped, since some readers take more characters than the newline for the end of a line.
    const text = escapeJson(JSON.stringify(answerLine(line, kernel, maxBytes)));
    if (!(await isWritten(output, `${text}\n`))) return;
  }
}

function answerLine(line: Line, kernel: Kernel, maxBytes: number): Answer {
  if (line !== null) return answerBytes(line, kernel);
  const message = `The line is longer than ${maxBytes} bytes, the most that a request may have. Send a smaller case.`;
  return { id: null, ok: false, code: "request_too_large", message };
}

/**
 * Waits until the text has left the stream. Resolves to false if it could not be written; the stream's own listeners
 * hear why.
 */
function isWritten(output: Writable, text: string): Promise<boolean> {
  return new Promise((resolve) => {
    output.write(text, (error) => resolve(error === undefined || error === null));
  });
}
