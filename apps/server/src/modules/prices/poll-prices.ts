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
  movePoll,
  type PricedCurrency,
  upsertFailures,
  upsertLastPrices,
  upsertReadings,
} from './store.ts'
import { raisePriceAlarms } from './price-alarms.ts'

/** Ten seconds between two polls, give or take two: many installs must not ask at the same moment (money.md 3.3). */
const POLL_MS = { least: 8_000, spread: 4_000 } as const

/** The last-resort source allows a handful of calls a minute. */
const LAST_RESORT_MS = 20_000

/** The longest grace period for late payments, and time for an operator to look into it. */
const HISTORY_MS = 40 * 24 * 3_600_000

const TETHER = 'USDT'

/**
 * Asks every source, when a poll is due and no other process took it: stores what they report, decides each price,
 * stores it, and raises or clears the alarms. If the process dies on the way, another process takes the next poll;
 * every stored part is complete in itself.
 */
export async function pollPrices(ctx: Context, options: AskOptions = {}): Promise<void> {
  if (ctx.config.network === 'sandbox') return
  const wait = POLL_MS.least + Math.random() * POLL_MS.spread
  if (await movePoll(ctx, new Date(ctx.now().getTime() + wait))) await askAll(ctx, options)
  await measureAges(ctx)
}

/** Deletes prices that are too old to value anything. */
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

/** Asks only for what lacks exactly one source: alone it would not be enough, and its limit is low. */
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
  if (!known || (own && Math.abs(ctx.now().getTime() - own.askedAt.getTime()) < LAST_RESORT_MS)) return false
  const others = known.readings.filter((reading) => reading !== own)
  const verdict = judgeNow(ctx, new Map([[currency.code, { ...known, readings: others }]]), pricedAsset(currency))
  const hasAnswered = others.some(({ at }) => ctx.now().getTime() - at.getTime() < LAST_RESORT_MS * 3)
  return verdict.refusal === 'too_few_sources' && hasAnswered
}

/** Binance quotes in USDT: its prices become dollars at what the others report for USDT, off its peg or not. */
function inDollarsAll(ctx: Context, outcomes: readonly Outcome[]): Outcome[] {
  const readings = outcomes.flatMap(({ source, currencyCode, quotation }) =>
    currencyCode === TETHER && quotation && !source.isInTether ? [{ name: source.name, ...quotation }] : [],
  )
  const question = { now: ctx.now(), isStable: true, minSources: MIN_SOURCES, previous: null }
  const { median } = judgePrice(readings, question)
  return outcomes.map((outcome) => {
    const { source, quotation } = outcome
    if (!source.isInTether || !quotation) return outcome
    if (median === null) return { ...outcome, quotation: null, failure: 'there is no price for USDT' }
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
