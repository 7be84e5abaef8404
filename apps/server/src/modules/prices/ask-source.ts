import type { CurrencyCode } from '@kassa/primitives/chains/currencies.ts'

import type { Context } from '../../context.ts'
import { priceSourceFailures } from '../../metrics/registry.ts'
import { MAX_TEXT_LENGTH } from './rules.ts'
import { readJson } from './sources/answer.ts'
import type { Quotation, Source } from './sources/source.ts'

/** A source that takes longer would delay the poll. */
const TIMEOUT_MS = 4_000

/** The gap between two requests to one source: its public limits are counted per second. */
const SPACING_MS = 500

/** Operators see a failure in one line. */
const MAX_FAILURE_LENGTH = 120

/** The outcome of one request: a quotation, or why there is none. */
export type Outcome = {
  readonly currencyCode: string
  readonly source: Source
  readonly askedAt: Date
  readonly quotation: Quotation | null
  readonly failure: string | null
}

export type AskOptions = {
  /** For tests: the address of each source by its name. */
  readonly origins?: Readonly<Record<string, string>>
  readonly spacingMs?: number
  readonly timeoutMs?: number
}

/** Asks a source about the currencies it has a market for, one after the other; it never throws. */
export async function askSource(
  ctx: Context,
  { source, currencyCodes }: { source: Source; currencyCodes: readonly string[] },
  { origins = {}, spacingMs = SPACING_MS, timeoutMs = TIMEOUT_MS }: AskOptions = {},
): Promise<Outcome[]> {
  const asked = currencyCodes.flatMap((currencyCode) => {
    const symbol = source.symbols[currencyCode as CurrencyCode]
    return symbol === undefined ? [] : [{ currencyCode, symbol }]
  })
  return Promise.all(
    asked.map(async ({ currencyCode, symbol }, index) => {
      await new Promise((resolve) => setTimeout(resolve, index * spacingMs))
      const origin = origins[source.name] ?? source.origin
      return { currencyCode, source, askedAt: ctx.now(), ...(await ask(ctx, source, { origin, symbol, timeoutMs })) }
    }),
  )
}

async function ask(
  ctx: Context,
  source: Source,
  { origin, symbol, timeoutMs }: { origin: string; symbol: string; timeoutMs: number },
): Promise<Pick<Outcome, 'quotation' | 'failure'>> {
  try {
    const { status, headers, body } = await ctx.egress.request('price', {
      url: `${origin}${source.path(symbol)}`,
      method: 'GET',
      headers: { accept: 'application/json', 'user-agent': `Kassa/${ctx.config.version}` },
      timeoutMs,
    })
    if (status !== 200) throw new Error(`it answered ${status}`)
    const { price, at } = source.read({ body: readJson(body), date: headers.date }, symbol)
    return { quotation: { price: printable(price), at }, failure: null }
  } catch (thrown) {
    const failure = printable(thrown instanceof Error ? thrown.message : String(thrown), MAX_FAILURE_LENGTH)
    priceSourceFailures.inc({ source: source.name })
    ctx.log.debug({ source: source.name, symbol, reason: failure }, 'price source failed')
    return { quotation: null, failure }
  }
}

/** Untrusted text, cut to one character more than a price may have: it can be stored, and stays refused. */
function printable(text: string, most = MAX_TEXT_LENGTH + 1): string {
  return text.slice(0, most).replaceAll(/[^ -~]/g, '?')
}
