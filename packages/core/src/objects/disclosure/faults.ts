/** The faults of a disclosure that its schema cannot express (protocol section 28). */
import type { ShapeFault } from "../../report/shape.ts";
import { keyStatusFaults } from "../../vault/key-status/faults.ts";
import { attestationFaults } from "../attestation/faults.ts";
import { envelopeFaults } from "../envelope/faults.ts";
import { portableReceiptFaults } from "../portable-receipt/faults.ts";
import type { Disclosure } from "./schema.ts";

export function disclosureFaults(disclosure: Disclosure): ShapeFault[] {
  const { fields, audience, nonce, seal, envelope, receipt, keyStatus, attestations } = disclosure;
  const faults: ShapeFault[] = [];
  for (const [name, value] of Object.entries({ audience, nonce })) {
    if (seal !== null || value === null) continue;
    faults.push({ path: `/${name}`, message: "Without a seal nothing binds a disclosure to a reader." });
  }
  if (envelope.content === undefined && fields.length + attestations.length > 0) {
    const message = "Without the content of the envelope nothing can be opened, and no level is claimed.";
    faults.push({ code: "missing_member", path: "/envelope/content", message });
  }
  faults.push(...envelopeFaults(envelope, "/envelope"));
  if (receipt !== null) faults.push(...portableReceiptFaults(receipt).map(within("/receipt")));
  if (keyStatus !== null) faults.push(...keyStatusFaults(keyStatus, "/keyStatus"));
  attestations.forEach((attestation, index) => {
    faults.push(...attestationFaults(attestation, `/attestations/${index}`));
  });
  return faults;
}

function within(place: string): (fault: ShapeFault) => ShapeFault {
  return (fault) => ({ ...fault, path: `${place}${fault.path}` });
}
