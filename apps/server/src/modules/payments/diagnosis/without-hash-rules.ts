/** Which recorded transfers fit what a payer knows of a payment without the hash of its transaction. */
import { parseUnits } from '@kassa/primitives/money/units.ts'

/** What is known: at least an amount or an address. */
export type Clues = {
  /** As the families spell it that it can be of. */
  readonly addresses: readonly string[] | null
  /** Decimal text, in the currency that was sent. */
  readonly amount: string | null
  readonly day: string | null
}

/** A transfer with what can be compared; null where it is not recorded. */
export type Comparable = {
  readonly from: string | null
  readonly to: string
  readonly units: bigint | null
  readonly decimals: number
  readonly at: Date
}

/** An exchange takes its fee from what it sends, and people round. */
const TOLERANCE_PERCENT = 10n

const HOUR_MS = 3_600_000

/** The first place on earth where a day begins, the last where it ends, and a day more at either side: people are not sure. */
const [BEFORE_MS, AFTER_MS] = [(14 + 24) * HOUR_MS, (24 + 12 + 24) * HOUR_MS]

/** Whether everything that is known fits a transfer. */
export function fits({ addresses, amount, day }: Clues, transfer: Comparable): boolean {
  return (
    (addresses === null || addresses.some((one) => one === transfer.from || one === transfer.to)) &&
    (amount === null || isAbout(amount, transfer)) &&
    (day === null || isOnDay(day, transfer.at))
  )
}

function isAbout(amount: string, { units, decimals }: Comparable): boolean {
  if (units === null) return false
  const [whole = '0', fraction = ''] = amount.split('.')
  const asked = parseUnits(`${whole}.${fraction.slice(0, decimals) || '0'}`, Math.max(decimals, 1))
  const sent = decimals === 0 ? units * 10n : units
  const difference = asked > sent ? asked - sent : sent - asked
  return difference * 100n <= asked * TOLERANCE_PERCENT
}

function isOnDay(day: string, at: Date): boolean {
  const start = Date.parse(`${day}T00:00:00Z`)
  return at.getTime() >= start - BEFORE_MS && at.getTime() <= start + AFTER_MS
}
