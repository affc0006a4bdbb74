/**
 * The opened fields of a disclosure: each is what the vault committed to, at the only place of its name (section 28).
 */
import type { Examination } from "../../report/examination.ts";
import { commitmentOf, valueFault } from "../capsule/commitment.ts";
import { isLeafAt } from "../capsule/paths.ts";
import { countFurther, LISTED_NAMES, MAX_FURTHER_NAMES, pathLength, slotOf } from "../capsule/slot.ts";
import type { Content, SealedEnvelope } from "../envelope/schema.ts";
import type { DisclosedField } from "./schema.ts";

/** Examines the fields of a disclosure against the envelope and its content. */
export function examineFields(
  exam: Examination,
  fields: readonly DisclosedField[],
  envelope: SealedEnvelope,
  content: Content,
): void {
  const further = countFurther(fields.map(({ name }) => name));
  const most = MAX_FURTHER_NAMES[content.capsuleSize];
  exam.expect("disclosure", further <= most, {
    code: "disclosure_field_invalid",
    path: "/fields",
    message:
      `A capsule of ${content.capsuleSize} leaves holds at most ${most} ` + `further names, and ${further} are opened.`,
    expected: `at most ${most}`,
    actual: `${further}`,
  });
  fields.forEach((field, index) => {
    exam.looked("disclosure");
    const before = fields[index - 1];
    examinePlace(exam, field, before === undefined ? -1 : before.index, content, `/fields/${index}`);
    examineOpening(exam, field, envelope, content, `/fields/${index}`);
  });
}

/** Checks that a field stands where its name must stand, behind the field before it, with a value of the right form. */
function examinePlace(exam: Examination, field: DisclosedField, before: number, content: Content, path: string): void {
  const { index, name, value } = field;
  const { slotSalt, capsuleSize } = content;
  const own = slotOf(exam.kernel, name, slotSalt, capsuleSize);
  exam.expect("disclosure", index === own && index > before, {
    code: "disclosure_field_invalid",
    path: `${path}/index`,
    message:
      index === own
        ? `The fields do not ascend by their places at ${name}, or one appears twice.`
        : `${name} is at place ${index}, and its only place is ${own}.`,
    expected: `${own}`,
    actual: `${index}`,
  });
  const fault = valueFault(exam.kernel, value);
  exam.expect("disclosure", fault === null, {
    code: "disclosure_field_invalid",
    path: `${path}/value`,
    message: `No capsule holds such a value of ${name}: ${fault}.`,
  });
}

/** Checks that the commitment to a field is the leaf at its place. */
function examineOpening(
  exam: Examination,
  field: DisclosedField,
  envelope: SealedEnvelope,
  content: Content,
  path: string,
): void {
  const { kernel } = exam;
  const { index, name } = field;
  const { capsuleSize, commitments } = content;
  const due = pathLength(capsuleSize);
  const isOfLength = exam.expect("disclosure", field.path.length === due, {
    code: "capsule_path_invalid",
    path: `${path}/path`,
    message:
      `The path of ${name} has ${field.path.length} hashes, and a capsule of ` +
      `${capsuleSize} leaves demands ${due}.`,
  });
  const commitment = commitmentOf(kernel, envelope, field);
  const listed = LISTED_NAMES[index];
  const isListed = listed === undefined || commitments[listed] === commitment;
  const leads = isLeafAt(kernel, commitment, index, {
    capsuleSize,
    capsuleRoot: envelope.capsuleRoot,
    path: field.path,
  });
  exam.expect("disclosure", isListed && (leads || !isOfLength), {
    code: "commitment_mismatch",
    path,
    message: `The vault did not commit to this value of ${name}.`,
  });
}
