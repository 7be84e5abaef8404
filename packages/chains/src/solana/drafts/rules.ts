import { COMPUTE_PROGRAM, littleEndian } from '@kassa/keys/solana/movement.ts'
import type { Instruction } from '@kassa/keys/solana/message.ts'

/** Lamports that each signature costs (https://solana.com/docs/core/fees). */
const FEE_PER_SIGNATURE = 5_000n

/** Micro-lamports in a lamport: units of work are priced in the smaller one. */
const MICRO = 1_000_000n

/** The most that being served sooner may cost, in lamports: twenty times the plain fee. */
const MOST_PRIORITY = 100_000n

/** Units of work that a payment never comes near, for the run that measures it. */
export const MOST_WORK = 200_000n

/** What a transaction may work, with room for accounts that change before it runs. */
export function withRoom(work: bigint): bigint {
  const room = work + work / 5n
  return room < MOST_WORK ? room : MOST_WORK
}

/**
 * The price of a unit of work in micro-lamports: the middle of what was paid lately for the same accounts, as far as the whole stays
 * within `MOST_PRIORITY`.
 */
export function priceOfWork(paidLately: readonly bigint[]): bigint {
  const sorted = paidLately.toSorted((a, b) => Number(a - b))
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0n
  const most = (MOST_PRIORITY * MICRO) / MOST_WORK
  return middle < most ? middle : most
}

/** The lamports of fee that a transaction with one signature takes, rounded up as the network does. */
export function feeOf(work: bigint, price: bigint): bigint {
  return FEE_PER_SIGNATURE + (work * price + MICRO - 1n) / MICRO
}

/** Limits the work of a transaction and prices it (Compute Budget program, instructions 2 and 3). */
export function budget(work: bigint, price: bigint): readonly Instruction[] {
  return [
    { program: COMPUTE_PROGRAM, accounts: [], data: Uint8Array.of(2, ...littleEndian(work, 4)) },
    { program: COMPUTE_PROGRAM, accounts: [], data: Uint8Array.of(3, ...littleEndian(price, 8)) },
  ]
}
