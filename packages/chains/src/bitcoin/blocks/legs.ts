import type { Address, Leg } from '../../adapter.ts'

/**
 * The output at an index within its transaction, counted from 0: it stays the same when another block includes the transaction.
 */
export function outputLeg(at: number): Leg {
  return `vout:${at}` as Leg
}

/** What the one output of a transaction received from an address of ours. */
export function shareLeg(at: number, from: Address): Leg {
  return `vout:${at}:${from}` as Leg
}

/** The amount that left an address of ours in a transaction of several outputs; the receiver of each part is not known. */
export function spentLeg(from: Address): Leg {
  return `spent:${from}` as Leg
}

/** The index of the output that a transfer made; null where it made none. */
export function outputOfLeg(leg: string): number | null {
  const place = /^vout:(\d+)(?::|$)/.exec(leg)?.[1]
  return place === undefined ? null : Number(place)
}
