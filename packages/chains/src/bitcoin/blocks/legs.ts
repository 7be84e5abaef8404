import type { Leg } from '../../adapter.ts'

/** The output at a place within its transaction, counted from 0: it survives re-inclusion in another block. */
export function outputLeg(at: number): Leg {
  return `vout:${at}` as Leg
}
