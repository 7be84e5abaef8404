import type { Leg } from '../../adapter.ts'

/** The value of a transaction itself. */
export const VALUE_LEG = 'value' as Leg

/** The log at an index within its receipt, counted from 0. */
export function logLeg(ordinal: number): Leg {
  return `log:${ordinal}` as Leg
}

/** The n-th value that calls inside a transaction bring to a receiver, counted from 0; `receiver` is lower-case hex. */
export function internalLeg(receiver: string, nth: number): Leg {
  return `internal:${receiver}:${nth}` as Leg
}

/** A rise of a balance that was seen at a height. */
export function balanceLeg(height: number): Leg {
  return `balance:${height}` as Leg
}
