import type { CurrencyCode } from '@kassa/primitives/chains/currencies.ts'
import { type Price, PRICE_DECIMALS } from '@kassa/primitives/money/rate.ts'
import { parseUnits } from '@kassa/primitives/money/units.ts'

import type { Context } from '../../context.ts'
import { remembered } from '../../memory.ts'
import { judgePrice, type Reading, type Verdict } from './rules.ts'
import { SANDBOX_PRICES, sandboxReading } from './sandbox-prices.ts'
import { listReadings, listSandboxPrices } from './store.ts'

/** The inputs of a decision about a currency's price. */
export type Known = {
  readonly readings: readonly (Reading & { readonly askedAt: Date })[]
  /** The last price that could be trusted, and when. */
  readonly previous: Price | null
  readonly previousAt: Date | null
}

/** The inputs for all currencies, the same in every process. */
export type Board = ReadonlyMap<string, Known>

export type PricedAsset = { readonly currencyCode: string; readonly isStable: boolean }

/** A price needs two sources; the sandbox has only its own (money.md 3.3). */
export const MIN_SOURCES = 2

/** A page that needs ten prices reads once; far below the age at which a price is refused. */
const CACHE_MS = 1_000

const cached = remembered((): { last: { readonly board: Board; readonly at: number } | null } => ({ last: null }))

/** Reads what the sources reported last, from the database: at most one statement a second. */
export async function loadBoard(ctx: Context): Promise<Board> {
  if (ctx.config.network === 'sandbox') return sandboxBoard(ctx)
  const { last: known } = cached(ctx)
  if (known && Math.abs(ctx.now().getTime() - known.at) < CACHE_MS) return known.board
  const board = await readBoard(ctx)
  cached(ctx).last = { board, at: ctx.now().getTime() }
  return board
}

/** Makes the next `loadBoard` of this process read again. */
export function forgetBoard(ctx: Context): void {
  cached(ctx).last = null
}

/** Decides the current price of an asset from the board. */
export function judgeNow(ctx: Context, board: Board, { currencyCode, isStable }: PricedAsset): Verdict {
  const known = board.get(currencyCode)
  return judgePrice(known?.readings ?? [], {
    now: ctx.now(),
    isStable,
    minSources: ctx.config.network === 'sandbox' ? 1 : MIN_SOURCES,
    previous: known?.previous ?? null,
  })
}

async function readBoard(ctx: Context): Promise<Board> {
  const board = new Map<string, Known>()
  for (const { currencyCode, lastPrice, lastAt, ...reading } of await listReadings(ctx)) {
    const { readings } = board.get(currencyCode) ?? { readings: [] }
    board.set(currencyCode, {
      readings: [...readings, reading],
      previous: lastPrice === null ? null : parseUnits(lastPrice, PRICE_DECIMALS),
      previousAt: lastAt,
    })
  }
  return board
}

/** The sandbox has one source, and its fixed table as the price before. */
async function sandboxBoard(ctx: Context): Promise<Board> {
  const stated = await listSandboxPrices(ctx)
  const codes = Object.keys(SANDBOX_PRICES) as CurrencyCode[]
  return new Map(codes.map((code) => [code, sandboxKnown(code, stated.get(code), ctx.now())]))
}

function sandboxKnown(code: CurrencyCode, stated: string | undefined, now: Date): Known {
  return {
    readings: [{ ...sandboxReading(code, stated, now), askedAt: now }],
    previous: parseUnits(SANDBOX_PRICES[code], PRICE_DECIMALS),
    previousAt: null,
  }
}
