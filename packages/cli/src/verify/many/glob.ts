/**
 * Patterns of file names, for shells that pass them on unchanged: `*` and `?` within a name, `[a-c]` and `[!a]` for one
 * character, and `**` for any folders. Only a pattern that begins with a dot finds a name that does. It does NOT look
 * at any file.
 */

const SPECIAL = /[*?[]/;

/** Says whether a text is a pattern, if no file has it as its name. */
export function isPattern(text: string): boolean {
  return SPECIAL.test(text);
}

/** Returns the folder in which a pattern begins, empty for the current one, and its parts from there on. */
export function splitPattern(pattern: string): { readonly folder: string; readonly parts: readonly string[] } {
  const parts = pattern.split("/");
  const first = parts.findIndex(isPattern);
  const folder = parts.slice(0, first).join("/");
  return {
    folder: first === 1 && folder === "" ? "/" : folder,
    parts: parts.slice(first).filter((part) => part !== ""),
  };
}

/**
 * Says whether a part of a pattern means a name in a folder. It takes time that grows with the product of their
 * lengths.
 */
export function matches(part: string, name: string): boolean {
  if (name.startsWith(".") && !part.startsWith(".")) return false;
  const tokens = part.match(/\[[!^]?\]?[^\]]*\]|[\s\S]/gu) ?? [];
  const characters = [...name];
  let [at, to] = [0, 0];
  // The place of the last `*`, and how far it reaches: after a mismatch behind it, it takes one character more.
  let [star, reach] = [-1, 0];
  while (to < characters.length) {
    const token = tokens[at];
    if (token === "*") [star, reach, at] = [at, to, at + 1];
    else if (token !== undefined && fits(token, characters[to] as string)) [at, to] = [at + 1, to + 1];
    else if (star < 0) return false;
    else {
      reach++;
      [at, to] = [star + 1, reach];
    }
  }
  return tokens.slice(at).every((token) => token === "*");
}

function fits(token: string, character: string): boolean {
  if (token === "?") return true;
  if (token.length === 1 || !token.startsWith("[")) return token === character;
  const [, not = "", members = ""] = /^\[([!^]?)([\s\S]*)\]$/u.exec(token) ?? [];
  const isOneOf = (members.match(/[\s\S]-[\s\S]|[\s\S]/gu) ?? []).some((member) => {
    const [low = "", , high = low] = [...member];
    return low <= character && character <= high;
  });
  return isOneOf === (not === "");
}
