/**
 * Runs `svc` on a separate terminal, which a small Python program makes: no pipe can show the questions and the
 * answers there.
 */
import process from "node:process";
import { without } from "@svc/testkit/runtimes";
import { commandOf, type Outcome, put, runProcess } from "./svc.ts";

/** The reason why a test on a terminal is skipped; false if it is not. */
export const NO_TERMINAL = without("python3");

const PROGRAM = `import os, pty, sys
marker, answer, target = sys.argv[1:4]
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[4], sys.argv[4:])
seen = b""
asked = False
while True:
    try:
        data = os.read(terminal, 4096)
    except OSError:
        break
    if not data:
        break
    seen += data
    if not asked and marker.encode() in seen:
        asked = True
        if target:
            with open(target, "w") as pipe:
                pipe.write(open(answer).read())
        else:
            os.write(terminal, answer.encode())
sys.stdout.buffer.write(seen)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

/** Runs `svc`. When it has printed `marker`, the answer is typed. The text of the terminal comes back as stdout. */
export function onTerminal(marker: string, answer: string, args: readonly string[]): Promise<Outcome> {
  return runProcess("python3", [
    put("terminal.py", PROGRAM),
    marker,
    answer,
    "",
    ...commandOf(process.execPath),
    ...args,
  ]);
}

/** Does the same; when it has printed `marker`, the content of the file `source` is written into the pipe `target`. */
export function onTerminalWithPipe(
  marker: string,
  source: string,
  target: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const call = [put("terminal.py", PROGRAM), marker, source, target, ...commandOf(process.execPath), ...args];
  return runProcess("python3", call, { env });
}
