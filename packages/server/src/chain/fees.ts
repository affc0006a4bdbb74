/**
 * The fee of a transaction: what the next blocks ask for with room to double (EIP-1559), or the one price of a chain
 * without base fees; and, to take the place of one that waits, as much more than that as nodes ask for.
 */
import { AnchorFault } from "./anchor-fault.ts";

const GWEI = 1_000_000_000n;
/** Nodes take another transaction for the same number from ten percent more on; with some room for rounding. */
const [BUMP_NUMERATOR, BUMP_DENOMINATOR] = [9n, 8n];
/** The contract uses about 50,000; chains that charge for their data otherwise ask for more. */
const MAX_GAS = 10_000_000n;

/** A fee, in wei for each unit of gas. */
export interface Fee {
  readonly maxFeeWei: bigint;
  readonly tipWei: bigint;
  /** Whether the chain has no base fees: both are its one price then. */
  readonly isLegacy: boolean;
}

/** Returns the fee for now, beside the newest block's base fee. */
export function feeFor(baseFeeWei: bigint, tipWei: bigint): Fee {
  return { maxFeeWei: 2n * baseFeeWei + tipWei, tipWei, isLegacy: false };
}

/** Returns the fee for now on a chain without base fees. */
export function legacyFee(priceWei: bigint): Fee {
  return { maxFeeWei: priceWei, tipWei: priceWei, isLegacy: true };
}

/** Returns the fee that takes the place of another: at least an eighth more in both parts, or what is asked for now. */
export function bumped(before: Pick<Fee, "maxFeeWei" | "tipWei">, now: Fee): Fee {
  const tipWei = larger(raised(before.tipWei), now.tipWei);
  const maxFeeWei = larger(larger(raised(before.maxFeeWei), now.maxFeeWei), tipWei);
  return now.isLegacy ? legacyFee(maxFeeWei) : { maxFeeWei, tipWei, isLegacy: false };
}

/** Returns the gas limit for a transaction that was tried: a quarter more. Throws AnchorFault for far too much. */
export function gasLimitFor(gas: bigint): bigint {
  const limit = (gas * 5n) / 4n;
  if (limit > MAX_GAS)
    throw new AnchorFault(
      "node_contradicted",
      `it says that the transaction takes ${gas} units of gas, which it cannot`,
    );
  return limit;
}

/** Returns an amount in gwei, rounded up; of more than a number can carry exactly, the largest that it can. */
export function gweiOf(wei: bigint): number {
  return Math.min(Number((wei + GWEI - 1n) / GWEI), Number.MAX_SAFE_INTEGER);
}

function raised(wei: bigint): bigint {
  return (wei * BUMP_NUMERATOR + BUMP_DENOMINATOR - 1n) / BUMP_DENOMINATOR;
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
