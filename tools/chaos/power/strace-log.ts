/**
 * Reads strace's log of one process: the system calls that change files or send bytes, in the order in which they
 * began. The lines are those of `strace -f -y -xx`, with interleaved threads; a call that never returned has no end. It
 * does not know what the calls mean.
 */

/**
 * The traced calls: every call that changes a file, a name or its durability, and every call that sends bytes out of
 * the process.
 */
export const CALLS = [
  ..."openat,open,creat,close,dup,dup2,dup3,write,writev,pwrite64,pwritev,pwritev2,sendmsg,sendto".split(","),
  ..."fsync,fdatasync,sync_file_range,ftruncate,truncate,fallocate,copy_file_range,sendfile".split(","),
  ..."rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,rmdir,io_uring_setup".split(","),
] as const;

/** Returns the program that a traced one runs under, with its arguments. */
export function tracer(log: string): string[] {
  const what = ["-e", `trace=${CALLS.join(",")}`, "-e", "signal=none"];
  return ["strace", "-f", "-qq", "-y", "-xx", "-s", "2000000", "--seccomp-bpf", ...what, "-o", log];
}

/** One system call. */
export interface Call {
  readonly name: string;
  /** As strace has written them. */
  readonly words: string;
  /** Its result; null if it never returned. */
  readonly answer: number | null;
  /** strace's text behind the number, such as the path of a descriptor. */
  readonly answerWords: string;
  /** The lines of its beginning and its end. */
  readonly at: number;
  readonly done: number;
}

const LINE = /^(\d+) +(.*)$/s;
const BEGUN = / <unfinished \.\.\.>$/;
const RESUMED = /^<\.\.\. (\w+) resumed>(.*)$/s;
const WHOLE = /^(\w+)\((.*)\) += (-?\d+)(.*)$/s;
/** A call during which the process was killed, as far as strace could read it. */
const CUT_OFF = /^(\w+)\((.*?)(?: *<(?:unfinished|detached) \.\.\.>)?\)?(?: += \?.*)?$/s;

/**
 * Returns the calls of a log, in the order in which they began. Throws Error for a line that it does not understand.
 */
export function parseLog(text: string): Call[] {
  const begun = new Map<string, { readonly text: string; readonly at: number }>();
  const calls: Call[] = [];
  for (const [at, line] of text.split("\n").entries()) {
    const [, thread = "", rest = ""] = LINE.exec(line) ?? [];
    // Signals, and the end of a thread.
    if (rest === "" || rest.startsWith("+++") || rest.startsWith("---")) continue;
    if (BEGUN.test(rest)) {
      begun.set(thread, { text: rest.replace(BEGUN, ""), at });
      continue;
    }
    const [, resumed, end = ""] = RESUMED.exec(rest) ?? [];
    const start = begun.get(thread);
    begun.delete(thread);
    if (resumed !== undefined && start === undefined) throw new Error(`strace resumes what never began: ${rest}`);
    calls.push(callOf(resumed === undefined ? rest : `${start?.text}${end}`, start?.at ?? at, at));
  }
  for (const { text: cut, at } of begun.values()) calls.push(callOf(cut, at, Number.POSITIVE_INFINITY));
  return calls.sort((one, other) => one.at - other.at);
}

function callOf(text: string, at: number, done: number): Call {
  const [, name, words = "", answer, answerWords = ""] = WHOLE.exec(text) ?? [];
  if (name !== undefined) return { name, words, answer: Number(answer), answerWords, at, done };
  const [, cutName, cutWords = ""] = CUT_OFF.exec(text) ?? [];
  if (cutName === undefined)
    throw new Error(`strace has written what is no call: ${text.slice(0, 40)} ... ${text.slice(-200)}`);
  return { name: cutName, words: cutWords, answer: null, answerWords: "", at, done: Number.POSITIVE_INFINITY };
}

/**
 * Returns the bytes of all texts in the arguments of a call, one behind the other. Throws Error for a text that strace
 * has cut.
 */
export function bytesOf(words: string): Buffer {
  if (words.includes('"...')) throw new Error("strace has cut a text: its -s is too small");
  const texts = [...words.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, text = ""]) => text);
  return Buffer.from(texts.join("").replaceAll("\\x", ""), "hex");
}

/** Returns the descriptor of a call. */
export function descriptorOf({ words }: Call): number {
  return Number(/^-?\d+/.exec(words)?.[0]);
}

/** Returns the path of the descriptor that a call returned. */
export function answeredPath({ answerWords }: Call): string {
  return Buffer.from((/^<([^>]*)>/.exec(answerWords)?.[1] ?? "").replaceAll("\\x", ""), "hex").toString();
}
