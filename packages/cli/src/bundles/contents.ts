/**
 * The contents of a bundle for a person: range, windows, checkpoints, witnesses, keys. Everything is the file's own
 * word, and nothing of it is verified; the first line and the last say so.
 */
import type { Bundle, Checkpoint, WitnessPolicy } from "@svc/core";
import { counted, escapeAll, escapeText, grouped, shorten } from "@svc/report";
import { shellWord } from "../evidence-file/shell-word.ts";
import { type Row, table } from "../render/table.ts";
import { wrap } from "../render/text.ts";

/** So many rows of a list are shown unless all are asked for. */
export const SHOWN_ROWS = 20;
const INDENT = { first: "  ", rest: "  " };

/**
 * Returns the page, as lines of at most 80 columns except for the command at its end. `path` is the file's, `-` for
 * standard input.
 */
export function bundleContents(raw: Bundle, path: string, isWhole: boolean): string[] {
  const bundle = escapeAll(raw);
  const { manifest, artifacts } = bundle;
  const windows = artifacts["windows.json"];
  const anchors = artifacts["anchors.json"];
  const rowsOf = (title: string, rows: readonly Row[]) => section(title, rows, isWhole);
  return [
    ...unverified(path),
    "",
    ...table(facts(bundle)),
    ...rowsOf("Windows", [
      ["no", "events", "closed at (the signer's word)", "root"],
      ...windows.map(
        ({ window_no, from_seq_no, to_seq_no, closed_at, window_root }): Row => [
          `${window_no}`,
          range(from_seq_no, to_seq_no),
          closed_at,
          shorten(window_root),
        ],
      ),
    ]),
    ...rowsOf("Checkpoints", [
      ["no", "windows", "to event", "cosigned by", "root"],
      ...artifacts["checkpoints.json"].map(
        (checkpoint): Row => [
          `${checkpoint.checkpoint_no}`,
          `1 to ${checkpoint.window_count}`,
          `${checkpoint.to_seq_no}`,
          cosignedBy(bundle, checkpoint),
          shorten(checkpoint.checkpoint_root),
        ],
      ),
    ]),
    ...rowsOf("Witnesses, as its policies name them", [
      ["witness", "key", "whose"],
      ...artifacts["witnesses.json"].witness_policies.flatMap(witnessRows),
    ]),
    ...rowsOf("Keys that sealed it, as it names them", [["key", "what"], ...sealers(bundle)]),
    ...rowsOf("Anchors", [
      ["epoch", "log size", "network", "block"],
      ...anchors.map(
        ({ epoch_no, log_size, network, block_number }): Row => [
          `${epoch_no}`,
          `${log_size}`,
          network ?? "published only",
          block_number === null ? "not mined yet" : `${block_number}`,
        ],
      ),
    ]),
    ...rowsOf("Fork evidence", [
      ["id", "kind"],
      ...(artifacts["forks.json"] ?? []).map(({ fork_id, kind }): Row => [fork_id, kind]),
    ]),
    "",
    ...wrap(`To verify ${manifest.bundle_id}, with a key that you got another way:`, INDENT),
    `    svc bundles offline-verify ${shellWord(path)} --public-key-hex <key>`,
  ];
}

/** Returns the first line of every page about a file that nobody has checked. */
export function unverified(path: string): string[] {
  const name = path === "-" ? "standard input" : escapeText(path);
  return wrap(`NOT VERIFIED: what ${name} says of itself. Nothing of it was checked.`, { first: "", rest: "" });
}

function facts({ manifest, artifacts, payloads = {} }: Bundle): Row[] {
  const records = artifacts["receipts.json"];
  const shown = Object.keys(payloads).length;
  const { window_count } = manifest.prior_windows;
  const origin = artifacts["checkpoints.json"].at(-1)?.origin;
  return [
    ["bundle", manifest.bundle_id],
    ["stream", manifest.stream_id],
    ["origin", origin ?? "no checkpoint names one"],
    ["events", `${range(manifest.from_seq_no, manifest.to_seq_no)}; ${counted(records.length, "receipt")} in the file`],
    [
      "payloads",
      `${grouped(shown)} of ${grouped(records.length)}${shown < records.length ? "; the others are left out" : ""}`,
    ],
    [
      "before it",
      window_count === 0 ? "nothing: it starts where the stream does" : `${counted(window_count, "window")}`,
    ],
    ["made at", `${manifest.created_at} (the signer's word)`],
  ];
}

/** Returns the names of the cosigners, from statements beside the checkpoint and from lines of its note. */
function cosignedBy({ artifacts }: Bundle, { checkpoint_id, note }: Checkpoint): string {
  const statements = artifacts["witnesses.json"].statements.filter((one) => one.checkpoint_id === checkpoint_id);
  const names = [...new Set(statements.map(({ witness_id }) => witness_id))];
  // A line of the sealing key is in every note; escaped text shows line ends as \u{a}.
  const lines = Math.max(note.split("\\u{a}\u2014 ").length - 2, 0);
  const inNote = lines === 0 ? [] : [`${counted(lines, "more line")} in its note`];
  return [...names, ...inNote].join(", ") || "nobody";
}

function witnessRows({ policy_version, threshold, witnessKeys }: WitnessPolicy): Row[] {
  return witnessKeys.map(({ name, public_key_hex, managed }) => [
    name,
    shorten(public_key_hex),
    `${managed ? "the signer's own" : "somebody else's"}; version ${policy_version} asks for ${threshold}`,
  ]);
}

function sealers({ seal, artifacts, key_hints }: Bundle): Row[] {
  const sealed: readonly (readonly [string, readonly string[]])[] = [
    ["the bundle", [seal.kid]],
    ["receipts", artifacts["receipts.json"].map(({ receipt }) => receipt.kid)],
    ["windows", artifacts["windows.json"].map((window) => window.seal.kid)],
    ["checkpoints", artifacts["checkpoints.json"].map((checkpoint) => checkpoint.seal.kid)],
    ["anchors", artifacts["anchors.json"].map((anchor) => anchor.seal.kid)],
  ];
  const kids = [...new Set(sealed.flatMap(([, own]) => own))];
  const carried = new Set(key_hints.map(({ kid }) => kid as string));
  return kids.map((kid) => {
    const what = sealed.filter(([, own]) => own.includes(kid)).map(([name]) => name);
    return [
      kid,
      `${what.join(", ")}${carried.has(kid) ? "; its key travels in the file" : "; its key is not in the file"}`,
    ];
  });
}

/** Returns a list with its heading as the first row; nothing for an empty list. */
function section(title: string, [heading, ...rows]: readonly Row[], isWhole: boolean): string[] {
  if (heading === undefined || rows.length === 0) return [];
  const shown = isWhole ? rows : rows.slice(0, SHOWN_ROWS);
  const more = rows.length - shown.length;
  return [
    "",
    `  ${title}`,
    ...table([heading, ...shown], "    "),
    ...(more > 0 ? [`    ... and ${grouped(more)} more; --all shows every one.`] : []),
  ];
}

function range(from: number, to: number): string {
  return from === to ? `${from}` : `${from} to ${to}`;
}
