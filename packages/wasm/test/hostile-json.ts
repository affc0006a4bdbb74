/** Texts that cost a JSON reader as much time or memory as possible; each has about the given number of bytes. */

const encoder = new TextEncoder();

/** A text by name, and the kernel's status for it: null if it accepts the text. */
export interface HostileJson {
  readonly bytes: Uint8Array;
  readonly refused: { readonly status: number; readonly offset: number } | null;
}

/** Returns a text that repeats one piece, between a beginning and an end. */
function repeated(before: string, piece: string, after: string, size: number): Uint8Array {
  return encoder.encode(before + piece.repeat(Math.max(1, Math.floor(size / piece.length))) + after);
}

/** Returns an object of the given size whose names are made from a number. */
function named(size: number, name: (no: number) => string): Uint8Array {
  const members: string[] = [];
  for (let length = 0, no = 0; length < size; no++) {
    const member = `"${name(no)}":0`;
    members.push(member);
    length += member.length + 1;
  }
  return encoder.encode(`{${members.join(",")}}`);
}

/** Returns numbers in an order that is neither up nor down: multiples of a large odd number modulo a power of two. */
function shuffled(no: number): number {
  return (no * 2654435761) % 2 ** 32;
}

const accepted = (bytes: Uint8Array): HostileJson => ({ bytes, refused: null });

/** All texts. The status numbers are those of crates/glue/src/documents.rs. */
export const HOSTILE: Readonly<Record<string, (size: number) => HostileJson>> = {
  "brackets that never close": (size) => ({ bytes: repeated("", "[", "", size), refused: { status: 5, offset: 64 } }),
  "one string": (size) => accepted(repeated('"', "a", '"', size)),
  "one string of escapes": (size) => accepted(repeated('"', "\\u0041", '"', size)),
  "one number of zeros": (size) => accepted(repeated("0.", "0", "", size)),
  "one number of digits": (size) => ({ bytes: repeated("1", "1", "", size), refused: { status: 3, offset: 0 } }),
  "white space": (size) => accepted(repeated("", " \n", "1", size)),
  "ill-formed at the very end": (size) => {
    const bytes = repeated('"', "a", '""', size);
    bytes[bytes.length - 1] = 0xff;
    return { bytes, refused: { status: 4, offset: bytes.length - 1 } };
  },
  "short literals that are long in canonical form": (size) => accepted(repeated("[1", ",1e20", "]", size)),
  "names that fall": (size) => accepted(named(size, (no) => String(2 ** 31 - no).padStart(10, "0"))),
  "names in disorder": (size) => accepted(named(size, (no) => shuffled(no).toString(36))),
  "names that differ at the end alone": (size) =>
    accepted(named(size, (no) => `${"n".repeat(80)}${shuffled(no).toString(36)}`)),
  "names that collide in a hash by 31": (size) => {
    // "Aa" and "BB" have the same hash h = 31 h + c, and so has every sequence of them.
    const word = (no: number) => [...no.toString(2).padStart(24, "0")].map((bit) => (bit === "1" ? "BB" : "Aa"));
    return accepted(named(size, (no) => word(shuffled(no) % 2 ** 24).join("")));
  },
  "names with escapes": (size) => accepted(named(size, (no) => `\\u0061${shuffled(no).toString(36)}`)),
  "objects in disorder, each in the other": (size) => {
    const inside = "0".repeat(Math.max(1, size - 64 * 12)).replaceAll("0", "a");
    let text = `"${inside}"`;
    for (let depth = 0; depth < 64; depth++) text = `{"b":0,"a":${text}}`;
    return accepted(encoder.encode(text));
  },
  "objects in disorder, each in the other, that grow": (size) => {
    // Each level has as many members as all levels above it, with numbers that are long in canonical form.
    const levels = 60;
    const members: string[] = [];
    for (let length = 0, no = 0; length < size / levels; no++) {
      const member = `"${(shuffled(no) % 531441).toString(36)}${no % 7}":1e20`;
      members.push(member);
      length += member.length + 1;
    }
    const part = [...new Set(members)].join(",");
    let text = "0";
    for (let level = 0; level < levels; level++) text = `{${part},"zzzzzz":${text}}`;
    return accepted(encoder.encode(text));
  },
  "a duplicate behind all others": (size) => {
    const text = new TextDecoder().decode(named(size, (no) => `n${shuffled(no).toString(36)}`));
    const offset = text.length;
    return { bytes: encoder.encode(`${text.slice(0, -1)},"n0":0}`), refused: { status: 2, offset } };
  },
  "one name over and over, after one out of order": (size) => ({
    bytes: repeated('{"b":0', ',"":0', "}", size),
    refused: { status: 2, offset: 12 },
  }),
  "empty objects": (size) => accepted(repeated("[{}", ",{}", "]", size)),
};
