/**
 * Joins a trust policy and the demands of a call. The result never asks for less than the policy does: ranges grow, the
 * higher count of witnesses holds, requirements are united. Demands that cannot hold together are a wrong call (64).
 */
import { type Kernel, parseTrustPolicy, TRUST_PATH, type TrustPolicy } from "@svc/core";
import { EXIT, Refusal } from "../exit.ts";
import type { Requirement } from "../trust/requirements.ts";

/** The demands of a call. */
export interface Demands {
  readonly stream?: string;
  /** The first and the last event that must be there. */
  readonly from?: number;
  readonly to?: number;
  /** A count of pinned witnesses, or the text of a C2SP tlog-policy. */
  readonly quorum?: number | string;
  readonly require?: readonly Requirement[];
  /** The expectations of a command by its own options. */
  readonly expect?: Expect;
}

export type Expect = NonNullable<TrustPolicy["expect"]>;
type Quorum = NonNullable<TrustPolicy["quorum"]>;

/** Returns the policy under which a call verifies; undefined without a policy and without demands. */
export function tightened(kernel: Kernel, policy: TrustPolicy | undefined, demands: Demands): TrustPolicy | undefined {
  if (Object.keys(demands).length === 0) return policy;
  const expect = expected(policy?.expect ?? {}, demands);
  const quorum = demanded(policy?.quorum, demands.quorum);
  const require = [...new Set([...(policy?.require ?? []), ...(demands.require ?? [])])];
  return wellFormed(kernel, {
    ...(policy ?? { signers: [] }),
    ...(Object.keys(expect).length === 0 ? {} : { expect }),
    ...(quorum === undefined ? {} : { quorum }),
    ...(require.length === 0 ? {} : { require }),
  });
}

function expected(own: Expect, { stream, from, to, expect = {} }: Demands): Expect {
  for (const name of ["audience", "nonce", "content_sha256"] as const)
    if (expect[name] !== undefined && own[name] !== undefined && expect[name] !== own[name])
      throw new Refusal(
        EXIT.usage,
        `The call expects another ${name} than your trust file.`,
        "A disclosure cannot meet both. Leave one of them out.",
      );
  if (stream !== undefined && own.stream_id !== undefined && own.stream_id !== stream)
    throw new Refusal(
      EXIT.usage,
      `--stream asks for ${stream}, and your trust file expects ${own.stream_id}.`,
      "Evidence cannot be of both. Leave one of them out.",
    );
  const first = least(own.from_seq_no, from, Math.min);
  const last = least(own.to_seq_no, to, Math.max);
  if (from !== undefined && last !== undefined && from > last)
    throw new Refusal(EXIT.usage, `--from ${from} is behind the last event expected, ${last}.`, "Exchange them.");
  if (to !== undefined && first !== undefined && first > to)
    throw new Refusal(EXIT.usage, `--to ${to} is before the first event expected, ${first}.`, "Exchange them.");
  return {
    ...own,
    ...expect,
    ...(stream === undefined ? {} : { stream_id: stream }),
    ...(first === undefined ? {} : { from_seq_no: first }),
    ...(last === undefined ? {} : { to_seq_no: last }),
  };
}

/** Returns the stricter of two bounds; of one, that one. */
function least(
  own: number | undefined,
  asked: number | undefined,
  wider: (a: number, b: number) => number,
): number | undefined {
  return own === undefined ? asked : asked === undefined ? own : wider(own, asked);
}

function demanded(own: Quorum | undefined, asked: Quorum | undefined): Quorum | undefined {
  if (own === undefined || asked === undefined || own === asked) return asked ?? own;
  if (typeof own === "number" && typeof asked === "number") return Math.max(own, asked);
  throw new Refusal(
    EXIT.usage,
    "--quorum and your trust file ask for witnesses in ways that cannot be joined: one is a tlog-policy, the " +
      "other is not the same.",
    "Leave --quorum out, or use a trust file without a quorum.",
  );
}

/** Adds the pins of a tlog-policy's text to the policy; an invalid text is refused with its first fault. */
function wellFormed(kernel: Kernel, policy: TrustPolicy): TrustPolicy {
  const read = parseTrustPolicy(kernel, policy);
  if (read.ok) return read.policy;
  const [fault] = read.problems;
  if (fault?.path !== `${TRUST_PATH}/quorum`) throw new TypeError(`a policy was refused at ${fault?.path}`);
  throw new Refusal(
    EXIT.usage,
    `--quorum: the file is no C2SP tlog-policy: ${fault.message}`,
    "Correct the file, or give a number of witnesses.",
  );
}
