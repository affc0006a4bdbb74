/** The faults of a bundle that its schema cannot express: how its members must fit each other (protocol section 14). */
import type { ShapeFault } from "../../report/shape.ts";
import { checkpointFaults } from "../checkpoint.ts";
import { frontierFaults } from "../checkpoint-roots.ts";
import { forkFaults } from "../fork/sides.ts";
import { witnessPolicyFault } from "../policy.ts";
import { windowFaults } from "../window.ts";
import type { Bundle } from "./schema.ts";

export function bundleFaults(bundle: Bundle): ShapeFault[] {
  const { manifest, artifacts } = bundle;
  const { witness_policies } = artifacts["witnesses.json"];
  const faults: ShapeFault[] = [];
  if (manifest.from_seq_no > manifest.to_seq_no)
    faults.push({ path: "/manifest/to_seq_no", message: "The range ends before it starts." });
  const { window_count } = manifest.prior_windows;
  if (window_count + artifacts["windows.json"].length > Number.MAX_SAFE_INTEGER)
    faults.push({ path: "/manifest/prior_windows/window_count", message: "No tree has room for that many windows." });
  faults.push(...frontierFaults(manifest.prior_windows, "/manifest/prior_windows"));
  for (const [path, here, there] of [
    ["/artifacts/forks.json", artifacts["forks.json"], manifest.artifact_hashes["forks.json"]] as const,
    ["/manifest/artifact_hashes/forks.json", manifest.artifact_hashes["forks.json"], artifacts["forks.json"]] as const,
  ]) {
    if (here !== undefined || there === undefined) continue;
    faults.push({
      code: "missing_member",
      path,
      message: "Fork evidence and the manifest's hash of it come together or not at all.",
    });
  }
  artifacts["windows.json"].forEach((window, index) => {
    for (const fault of windowFaults(window, `/artifacts/windows.json/${index}`)) faults.push(fault);
  });
  artifacts["checkpoints.json"].forEach((checkpoint, index) => {
    for (const fault of checkpointFaults(checkpoint, `/artifacts/checkpoints.json/${index}`)) faults.push(fault);
  });
  artifacts["forks.json"]?.forEach((fork, index) => {
    for (const fault of forkFaults(fork, `/artifacts/forks.json/${index}`)) faults.push(fault);
  });
  witness_policies.forEach((policy, index) => {
    const message = witnessPolicyFault(policy);
    if (message !== null) faults.push({ path: `/artifacts/witnesses.json/witness_policies/${index}`, message });
  });
  return faults;
}
