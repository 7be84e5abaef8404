import type { Leg } from '../../adapter.ts'

/** The value of a transaction itself. */
export const VALUE_LEG = 'value' as Leg

/** A log, by its index within its transaction, counted from 0. */
export function logLeg(ordinal: number): Leg {
  return `log:${ordinal}` as Leg
}

/** The n-th value that internal calls bring to a receiver, counted from 0; `receiver` is hex without its prefix. */
export function internalLeg(receiver: string, nth: number): Leg {
  return `internal:${receiver}:${nth}` as Leg
}

/** The n-th value that contracts leave a receiver as they are destroyed; counted apart, so that legs of calls stay what they are. */
export function destructionLeg(receiver: string, nth: number): Leg {
  return `destruction:${receiver}:${nth}` as Leg
}
