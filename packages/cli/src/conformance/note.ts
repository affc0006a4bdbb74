/** `note.open` and `cosignature.verify`: C2SP signed notes and cosignatures (protocol sections 9 and 10). */
import { COSIGNATURE_LINE, openNote, parseVerificationKey, type VerificationKey } from "@svc/core";
import { textListMember, textMember } from "./members.ts";
import type { Operations } from "./operation.ts";

export const NOTE_OPERATIONS: Operations = {
  "note.open": {
    required: ["note", "vkeys"],
    run(request, kernel) {
      const note = textMember(request, "note");
      const keys: VerificationKey[] = [];
      for (const vkey of textListMember(request, "vkeys")) {
        const parsed = parseVerificationKey(kernel, vkey);
        if (!parsed.ok) return { ok: false, code: parsed.code };
        keys.push(parsed.key);
      }
      const opened = openNote(kernel, note, keys);
      if (!opened.ok) return { ok: false, code: opened.code };
      const { text, signatures, ignored } = opened;
      return { ok: true, text, verified: [...new Set(signatures.map(({ key }) => key.name))], ignored };
    },
  },
  "cosignature.verify": {
    required: ["note", "vkey"],
    run(request, kernel) {
      const note = textMember(request, "note");
      const parsed = parseVerificationKey(kernel, textMember(request, "vkey"));
      if (!parsed.ok) return { ok: false, code: parsed.code };
      if (parsed.key.type !== COSIGNATURE_LINE) return { ok: false, code: "unsupported_object" };
      const opened = openNote(kernel, note, [parsed.key]);
      if (!opened.ok) return { ok: false, code: opened.code };
      // The earliest of several cosignatures by one witness proves most.
      const times = opened.signatures.map(({ cosignedAt }) => cosignedAt ?? Number.POSITIVE_INFINITY);
      return { ok: true, time: times.reduce((earliest, time) => Math.min(earliest, time)) };
    },
  },
};
