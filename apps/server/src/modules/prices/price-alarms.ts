import type { AlarmKind } from '@kassa/contract/alarms/schemas.ts'

import type { Context } from '../../context.ts'
import { clearAlarm, type NewAlarm, openAlarms, raiseAlarm } from '../alarms/service.ts'
import { priceText, type Verdict } from './rules.ts'
import type { PricedCurrency } from './store.ts'

/** A shorter gap is a hiccup of a source; after it payers cannot pay in this currency. */
const MISSING_MS = 60_000

const KINDS: readonly AlarmKind[] = ['price_missing', 'peg_lost']

export type Decided = {
  readonly currencies: readonly PricedCurrency[]
  readonly verdicts: ReadonlyMap<string, Verdict>
  /** The currencies without a price, and since when. */
  readonly missingSince: ReadonlyMap<string, Date>
}

/** Raises an alarm for each accepted currency without a price, and clears it once there is one. */
export async function raisePriceAlarms(ctx: Context, { currencies, verdicts, missingSince }: Decided): Promise<void> {
  const troubles = currencies
    .filter(({ isAccepted }) => isAccepted)
    .flatMap(({ code }) => troubleOf(ctx.now(), { code, verdict: verdicts.get(code), since: missingSince.get(code) }))
  for (const trouble of troubles) await raiseAlarm(ctx, trouble)
  const open = (await openAlarms(ctx)).filter(({ kind }) => KINDS.includes(kind))
  for (const alarm of open) {
    const isOver = !currencies.some(({ code, isAccepted }) => code === alarm.subject && isAccepted)
    const verdict = verdicts.get(alarm.subject)
    const isResolved = verdict?.facts !== null
    const isOther = alarm.kind === 'price_missing' && verdict?.refusal === 'peg_lost'
    if (isOver || isResolved || isOther) await clearAlarm(ctx, alarm)
  }
}

function troubleOf(
  now: Date,
  { code, verdict, since }: { code: string; verdict: Verdict | undefined; since: Date | undefined },
): NewAlarm[] {
  if (verdict?.refusal === 'peg_lost') {
    const priceInUSD = verdict.median === null ? null : priceText(verdict.median)
    return [{ kind: 'peg_lost', subject: code, params: { currencyCode: code, priceInUSD } }]
  }
  if (!verdict || !since || now.getTime() - since.getTime() <= MISSING_MS) return []
  const sources = verdict.sources.map(({ name, used, why }) => ({ name, why: used ? null : (why ?? 'not used') }))
  return [{ kind: 'price_missing', subject: code, params: { currencyCode: code, sources } }]
}
