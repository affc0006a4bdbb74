// A stand-in for a verifier: it calls every text without the word "evil" verified. With the argument "blind" it sees
// the word only outside of a member "note". It is right about nothing else, and quick to start.
import { createInterface } from "node:readline";

const isBlind = process.argv[2] === "blind";

for await (const line of createInterface({ input: process.stdin })) {
  const { id, op, bytes = "" } = JSON.parse(line);
  const text = Buffer.from(bytes, "base64").toString();
  const seen = isBlind ? text.replaceAll(/"note":\s*"[^"]*"/g, "") : text;
  const ok = !seen.includes("evil");
  const verdict = ok ? "verified" : "rejected";
  const report = { ok, verdict, kind: null, subject: {}, assurance: {}, signers: [], checks: [], problems: [] };
  const words = { proves: [], does_not_prove: [], verifier: { name: "stand-in" } };
  const answer =
    op === "verify" ? { id, ok, report: { ...report, ...words } } : { id, ok: false, code: "unsupported_op" };
  console.log(JSON.stringify(answer));
}
