/**
 * Writes a file that must not exist yet: a key or an endorsement is never overwritten, and is on disk when the command
 * ends.
 */
import { createFile } from "../evidence-file/write.ts";
import { EXIT, Refusal } from "../exit.ts";

/** Makes a file with this mode. Refuses an existing one (64), and any error of the system (70). */
export function writeNewFile(path: string, text: string, mode: number): void {
  try {
    createFile(path, new TextEncoder().encode(text), mode);
  } catch (error) {
    throw refused(path, error as NodeJS.ErrnoException);
  }
}

function refused(path: string, { code = "unknown" }: NodeJS.ErrnoException): Refusal {
  if (code === "EEXIST")
    return new Refusal(
      EXIT.usage,
      `"${path}" is there already, and svc overwrites no such file.`,
      "Give another name, or move that file away first.",
    );
  return new Refusal(
    EXIT.internal,
    `"${path}" could not be written: the system says ${code}.`,
    "Make sure that its folder is there, that you may write in it, and that the disk is not full.",
  );
}
