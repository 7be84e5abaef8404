import type { PastRow, PersonKey } from '../rewards/service.ts'
import type { Past } from './rules.ts'

const NONE: Past = { count: 0, units: 0n, firstAt: null }

/** What campaigns gave people so far, kept up to date while rewards are given. */
export type Pasts = {
  readonly of: (person: PersonKey) => Past
  /** Adds units that are owed; `isNew` when nothing of their reward was owed before. */
  readonly add: (
    person: PersonKey,
    given: { readonly units: bigint; readonly at: Date; readonly isNew: boolean },
  ) => void
}

/** Starts with what was given; people without a row were given nothing. */
export function openPasts(rows: readonly PastRow[]): Pasts {
  const pasts = new Map(
    rows.map((row) => {
      const person = { campaignId: row.campaign_id, side: row.side, referrerId: row.referrer_id }
      return [textOf(person), { count: row.count, units: BigInt(row.units), firstAt: row.first_at }]
    }),
  )
  const of = (person: PersonKey) => pasts.get(textOf(person)) ?? NONE
  return {
    of,
    add: (person, { units, at, isNew }) => {
      const { count, units: before, firstAt } = of(person)
      const isFirst = isNew && (firstAt === null || at < firstAt)
      pasts.set(textOf(person), {
        count: count + Number(isNew),
        units: before + units,
        firstAt: isFirst ? at : firstAt,
      })
    },
  }
}

function textOf({ campaignId, side, referrerId }: PersonKey): string {
  return `${campaignId} ${side} ${referrerId}`
}
