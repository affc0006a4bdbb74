/**
 * The epoch before another one, beside it (protocol section 32): with it, the state in which the later one starts is no
 * longer its own word. It does not check that the epoch before holds; its caller does.
 */
import type { Json } from "../../kernel/kernel.ts";
import type { Examination } from "../../report/examination.ts";
import { validatorOf } from "../../schema/check.ts";
import { shapeProblems } from "../../schema/validate.ts";
import { asCosigned } from "../checkpoint.ts";
import { examineSuccession, IVC_NOTE } from "./examine.ts";
import { ivcEpochHash } from "./issue.ts";
import { IvcEpoch } from "./schema.ts";

const validator = validatorOf(IvcEpoch);

/**
 * Examines how an epoch follows the one that it names, if that one is among others, with its checkpoints. `holds` says
 * whether an epoch holds by itself. Epochs that do not hold are ignored, and so is everything else.
 */
export function examineEpochBefore(
  exam: Examination,
  epoch: IvcEpoch,
  others: readonly Json[],
  holds: (before: Json) => boolean,
): void {
  const { kernel } = exam;
  const isNamed = (other: Json) =>
    shapeProblems(validator, other).length === 0 &&
    ivcEpochHash(kernel, other as unknown as IvcEpoch) === epoch.previous_ivc_epoch_hash;
  const before = others.find((other) => isNamed(other) && holds(other)) as IvcEpoch | undefined;
  const last = before?.checkpoints?.at(-1);
  const [first] = epoch.checkpoints ?? [];
  if (before === undefined || last === undefined || first === undefined) return;
  const follows =
    before.stream_id === epoch.stream_id &&
    before.origin === epoch.origin &&
    before.ivc_epoch_no + 1 === epoch.ivc_epoch_no &&
    before.to_checkpoint_no + 1 === epoch.from_checkpoint_no &&
    before.final_state === epoch.initial_state;
  exam.expect("ivc", follows, {
    code: "ivc_epoch_chain_broken",
    path: "/initial_state",
    message: "The epoch before, which it names by its hash, does not end where this one starts.",
  });
  if (!follows) return;
  examineSuccession(exam, asCosigned(kernel, last), first, "/checkpoints/0");
  const { ivc_epoch_no } = before;
  const still = ivc_epoch_no === 1 ? "" : ", whose own initial state is its own word";
  exam.notChecked("ivc", `${IVC_NOTE}; it goes on from epoch ${ivc_epoch_no}, recomputed too${still}`);
}
