import { type Context, inTransaction } from '../../context.ts'
import { priceAgeSeconds } from '../../metrics/registry.ts'
import { type AskOptions, askSource, type Outcome } from './ask-source.ts'
import { type Board, forgetBoard, judgeNow, loadBoard, MIN_SOURCES, type PricedAsset } from './board.ts'
import { inDollars, judgePrice, priceText, type Verdict } from './rules.ts'
import { SOURCES } from './sources/all-sources.ts'
import {
  deleteHistory,
  insertHistory,
  listPricedAt,
  listPricedCurrencies,
  moveTurn,
  type PricedCurrency,
  upsertFailures,
  upsertLastPrices,
  upsertReadings,
} from './store.ts'
import { raisePriceAlarms } from './tell-alarms.ts'

/** Ten seconds between two rounds, give or take two: many installs must not ask at the same moment (money.md 3.3). */
const ROUND_MS = { least: 8_000, spread: 4_000 } as const

/** The last resort's public limit is a handful of calls a minute. */
const LAST_RESORT_MS = 20_000

/** The longest grace for late money, and what a person needs to look into it. */
const HISTORY_MS = 40 * 24 * 3_600_000

const TETHER = 'USDT'

/**
 * Asks every source, when it is time and no other process does: stores what they say, decides each price, remembers it, and
 * raises or clears the alarms. If the process dies on the way, the next turn is another process's; nothing is half true.
 */
export async function pollPrices(ctx: Context, options: AskOptions = {}): Promise<void> {
  if (ctx.config.network === 'sandbox') return
  const wait = ROUND_MS.least + Math.random() * ROUND_MS.spread
  if (await moveTurn(ctx, new Date(ctx.now().getTime() + wait))) await askAll(ctx, options)
  await measureAges(ctx)
}

/** Forgets prices that nothing can be valued at any more. */
export async function forgetOldPrices(ctx: Context): Promise<void> {
  await deleteHistory(ctx, new Date(ctx.now().getTime() - HISTORY_MS))
}

async function askAll(ctx: Context, options: AskOptions): Promise<void> {
  const currencies = await listPricedCurrencies(ctx)
  if (currencies.length === 0) return
  const currencyCodes = [...new Set([...currencies.map(({ code }) => code), TETHER])]
  const usual = SOURCES.filter(({ isLastResort }) => !isLastResort)
  const asked = await Promise.all(usual.map((source) => askSource(ctx, { source, currencyCodes }, options)))
  await store(ctx, inDollarsAll(ctx, asked.flat()))
  await askLastResort(ctx, currencies, options)
  await decide(ctx, currencies)
}

/** Only for what is one source short: alone it would not be believed, and its limit is low. */
async function askLastResort(ctx: Context, currencies: readonly PricedCurrency[], options: AskOptions): Promise<void> {
  const board = await loadBoard(ctx)
  for (const source of SOURCES.filter(({ isLastResort }) => isLastResort)) {
    const due = currencies.filter((currency) => isShort(ctx, board, { currency, name: source.name }))
    const currencyCodes = due.map(({ code }) => code)
    await store(ctx, await askSource(ctx, { source, currencyCodes }, options))
  }
}

function isShort(ctx: Context, board: Board, { currency, name }: { currency: PricedCurrency; name: string }): boolean {
  const known = board.get(currency.code)
  const own = known?.readings.find((reading) => reading.name === name)
  if (!known || (own && ctx.now().getTime() - own.askedAt.getTime() < LAST_RESORT_MS)) return false
  const others = known.readings.filter((reading) => reading !== own)
  const verdict = judgeNow(ctx, new Map([[currency.code, { ...known, readings: others }]]), pricedAsset(currency))
  const isHeard = others.some(({ at }) => ctx.now().getTime() - at.getTime() < LAST_RESORT_MS * 3)
  return verdict.refusal === 'too_few_sources' && isHeard
}

/** Binance speaks of USDT: its prices become dollars at what the others say USDT costs, off its peg or not. */
function inDollarsAll(ctx: Context, outcomes: readonly Outcome[]): Outcome[] {
  const readings = outcomes.flatMap(({ source, currencyCode, quotation }) =>
    currencyCode === TETHER && quotation && !source.isInTether ? [{ name: source.name, ...quotation }] : [],
  )
  const question = { now: ctx.now(), isStable: true, minSources: MIN_SOURCES, previous: null }
  const { median } = judgePrice(readings, question)
  return outcomes.map((outcome) => {
    const { source, quotation } = outcome
    if (!source.isInTether || !quotation) return outcome
    if (median === null) return { ...outcome, quotation: null, failure: 'nobody can say what USDT is worth' }
    return { ...outcome, quotation: { ...quotation, price: inDollars(quotation.price, median) } }
  })
}

async function store(ctx: Context, outcomes: readonly Outcome[]): Promise<void> {
  const readings = outcomes.flatMap(({ currencyCode, source, askedAt, quotation }) => {
    return quotation
      ? [{ currencyCode, source: source.name, askedAt, price: quotation.price, sourceAt: quotation.at }]
      : []
  })
  const failures = outcomes.flatMap(({ currencyCode, source, askedAt, failure }) => {
    return failure === null ? [] : [{ currencyCode, source: source.name, askedAt, failure }]
  })
  await upsertReadings(ctx, readings)
  await upsertFailures(ctx, failures)
  forgetBoard(ctx)
}

async function decide(ctx: Context, currencies: readonly PricedCurrency[]): Promise<void> {
  const board = await loadBoard(ctx)
  const verdicts = new Map<string, Verdict>()
  for (const currency of currencies) verdicts.set(currency.code, judgeNow(ctx, board, pricedAsset(currency)))
  const decisions = [...verdicts].map(([currencyCode, { facts }]) => {
    return { currencyCode, price: facts && priceText(facts.price), at: facts && facts.at }
  })
  const priced = decisions.flatMap(({ currencyCode, price }) => (price === null ? [] : [{ currencyCode, price }]))
  await inTransaction(ctx, async (tx) => {
    const missingSince = await upsertLastPrices(tx, decisions)
    await insertHistory(tx, priced)
    await raisePriceAlarms(tx, { currencies, verdicts, missingSince })
  })
  forgetBoard(ctx)
}

function pricedAsset({ code, isStable }: PricedCurrency): PricedAsset {
  return { currencyCode: code, isStable }
}

async function measureAges(ctx: Context): Promise<void> {
  for (const { code, at } of await listPricedAt(ctx)) {
    if (at) priceAgeSeconds.set({ currency: code }, Math.max(0, ctx.now().getTime() - at.getTime()) / 1000)
  }
}
