import type { AlarmKind } from '@kassa/contract/alarms/schemas.ts'

import type { Context } from '../../context.ts'
import { clearAlarm, openAlarms, raiseAlarm } from '../alarms/service.ts'
import { type Evidence, priceText, type Verdict } from './rules.ts'
import type { PricedCurrency } from './store.ts'

/** A shorter gap is a source's hiccup; from then on payers are being turned away. */
const MISSING_MS = 60_000

const KINDS: readonly AlarmKind[] = ['price_missing', 'peg_lost']

export type Decided = {
  readonly currencies: readonly PricedCurrency[]
  readonly verdicts: ReadonlyMap<string, Verdict>
  /** Since when the currencies without a price have had none. */
  readonly missingSince: ReadonlyMap<string, Date>
}

type Trouble = { readonly kind: AlarmKind; readonly subject: string; readonly text: string }

/** Tells operators of the accepted currencies that have no price, and takes it back once they have one. */
export async function raisePriceAlarms(ctx: Context, { currencies, verdicts, missingSince }: Decided): Promise<void> {
  const troubles = currencies
    .filter(({ isAccepted }) => isAccepted)
    .flatMap(({ code }) => troubleOf(ctx.now(), { code, verdict: verdicts.get(code), since: missingSince.get(code) }))
  for (const trouble of troubles) await raiseAlarm(ctx, trouble)
  const open = (await openAlarms(ctx)).filter(({ kind }) => KINDS.includes(kind))
  for (const alarm of open) {
    const isOver = !currencies.some(({ code, isAccepted }) => code === alarm.subject && isAccepted)
    const verdict = verdicts.get(alarm.subject)
    const isMended = verdict?.facts !== null
    const isOther = alarm.kind === 'price_missing' && verdict?.refusal === 'peg_lost'
    if (isOver || isMended || isOther) await clearAlarm(ctx, alarm)
  }
}

function troubleOf(
  now: Date,
  { code, verdict, since }: { code: string; verdict: Verdict | undefined; since: Date | undefined },
): Trouble[] {
  if (verdict?.refusal === 'peg_lost') return [{ kind: 'peg_lost', subject: code, text: pegText(code, verdict) }]
  if (!verdict || !since || now.getTime() - since.getTime() <= MISSING_MS) return []
  return [{ kind: 'price_missing', subject: code, text: missingText(code, verdict.sources) }]
}

function pegText(code: string, { median }: Verdict): string {
  const price = median === null ? '' : ` ($${priceText(median)})`
  return `${code} is more than 2 % away from one dollar${price}. New payments in it are paused until it is back; prices already held stay valid. Decide whether to go on accepting it.`
}

function missingText(code: string, sources: readonly Evidence[]): string {
  const said = sources.map(({ name, used, why }) => `${name}: ${used ? 'alone' : (why ?? 'not used')}`).join('; ')
  return `There is no trustworthy price for ${code}, so no new payments in it. At least two sources must agree. ${said || 'No source has answered.'}${said ? '.' : ''} Check that this server reaches the internet and that its clock is right.`
}
