import type { Address, Leg } from '../../adapter.ts'

/** The output at a place within its transaction, counted from 0: it survives re-inclusion in another block. */
export function outputLeg(at: number): Leg {
  return `vout:${at}` as Leg
}

/** What the one output of a transaction got from an address of ours. */
export function shareLeg(at: number, from: Address): Leg {
  return `vout:${at}:${from}` as Leg
}

/** What left an address of ours in a transaction of several outputs: nobody can say which of them got it. */
export function spentLeg(from: Address): Leg {
  return `spent:${from}` as Leg
}

/** The place of the output that a transfer made; null where it made none. */
export function outputOfLeg(leg: string): number | null {
  const place = /^vout:(\d+)(?::|$)/.exec(leg)?.[1]
  return place === undefined ? null : Number(place)
}
