import type { Instruction } from '@kassa/keys/solana/message.ts'
import { COMPUTE_PROGRAM, littleEndian, MICRO_LAMPORTS, MOST_PRIORITY_FEE } from '@kassa/keys/solana/movement.ts'

/** Lamports that each signature costs (https://solana.com/docs/core/fees). */
const FEE_PER_SIGNATURE = 5_000n

/** The compute-unit limit of the simulation that measures a payment; no payment comes near it. */
export const MOST_COMPUTE_UNITS = 200_000n

/** Room for the protections that wallets add to a transaction, which run within the same limit. */
const ROOM = 50_000n

/** The compute-unit limit of a payment, by what its simulation used; 0 means that the node does not say. */
export function computeLimit(used: bigint): bigint {
  const limit = used + used / 5n + ROOM
  return used > 0n && limit < MOST_COMPUTE_UNITS ? limit : MOST_COMPUTE_UNITS
}

/**
 * The price of a compute unit in micro-lamports: the median of recent prices for the same accounts, limited so that the total
 * stays within `MOST_PRIORITY_FEE`.
 */
export function computePrice(paidLately: readonly bigint[]): bigint {
  const sorted = paidLately.toSorted((a, b) => Number(a - b))
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0n
  const most = (MOST_PRIORITY_FEE * MICRO_LAMPORTS) / MOST_COMPUTE_UNITS
  return middle < most ? middle : most
}

/** The lamports of fee that a transaction with one signature takes, rounded up as the network does. */
export function feeOf(limit: bigint, price: bigint): bigint {
  return FEE_PER_SIGNATURE + (limit * price + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS
}

/** Limits the compute units of a transaction and prices them (Compute Budget program, instructions 2 and 3). */
export function budget(limit: bigint, price: bigint): readonly Instruction[] {
  return [
    { program: COMPUTE_PROGRAM, accounts: [], data: Uint8Array.of(2, ...littleEndian(limit, 4)) },
    { program: COMPUTE_PROGRAM, accounts: [], data: Uint8Array.of(3, ...littleEndian(price, 8)) },
  ]
}
