import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { pricesRoutes } from '@kassa/contract/prices/routes.ts'
import { sql } from 'kysely'

import { asSystem, type Context } from '../../context.ts'
import { createEgress } from '../../egress/guarded.ts'
import { pollPrices } from '../../modules/prices/poll-prices.ts'
import { testApp } from '../app.ts'
import { EXCHANGES, fakeExchanges } from './fake-exchanges.ts'
import { fakeChain } from '../fake-chain.ts'
import { openShop } from '../shop.ts'

/** The prices of coins until a test changes them. */
const PRICES = { ETH: '3000', USDC: '1', USDT: '1', CBBTC: '60000' }

export const MINUTE = 60_000

/** A source that is silent is waited for so long; one that answers does so within it, also on a busy machine. */
const ANSWERED_WITHIN_MS = 2_000

/** A shop on a testnet whose price sources are fakes, and a clock that stands still until the test moves it. */
export type ExchangeShop = Awaited<ReturnType<typeof openExchange>>

/** Opens it; `reset` before each test, `close` after the last. */
export async function openExchange() {
  const app = await testApp({ now: new Date('2026-01-31T09:30:00.000Z'), config: { network: 'testnet' } })
  // Nodes that are not asked: only the sandbox may be given them without a check.
  const config = { ...app.ctx.config, network: 'sandbox' as const }
  const shop = await openShop({ ...app, ctx: { ...app.ctx, config } }, await app.signUp())
  const eth = await fakeChain(app.ctx, 1)
  const internet = await fakeExchanges(app.clock)
  const egress = createEgress('sandbox')
  let payers = 0
  /** The way out leads to the fakes; everything else is the program's own. */
  const context = (): Context => ({ ...asSystem(app.ctx), egress })
  const pass = (ms: number) => {
    app.clock.now = new Date(app.clock.now.getTime() + ms)
  }
  const ticker = async (asset = 'ETH:ETH') => {
    const { body } = await app.call(pricesRoutes.ticker)
    return body.find((row) => `${row.blockchainCode}:${row.currencyCode}` === asset)
  }
  return {
    app,
    shop,
    eth,
    internet,
    context,
    pass,
    ticker,
    priceOf: async (asset?: string) => (await ticker(asset))?.price,
    /** Lets time pass, then asks the sources if it is time. */
    poll: async ({ after = 15_000 } = {}) => {
      pass(after)
      await pollPrices(context(), { origins: internet.origins, spacingMs: 0, timeoutMs: ANSWERED_WITHIN_MS })
    },
    newLink: async (): Promise<string> => {
      payers += 1
      const body = { customerID: `payer-${payers}`, customerEmail: 'payer@example.com', amountInUSD: '30' }
      return (await app.call(paymentsRoutes.createPayment, { body }, { key: shop.apiKey })).body.reference_id
    },
    pin: (ref: string, currency: string) =>
      app.call(paymentsRoutes.pinPayment, {
        params: { ref },
        body: { blockchain_code: 'ETH', currency_code: currency },
      }),
    /** What each source last reported about a currency, or its failure. */
    reported: async (code: string) => {
      const { rows } = await sql<{ source: string; reported: string }>`
        SELECT source, coalesce(failure, price) AS reported FROM price_readings WHERE currency_code = ${code}`.execute(
        app.ctx.db,
      )
      return new Map(rows.map((row) => [row.source, row.reported]))
    },
    /** All sources are honest, nothing was ever asked, and every rate lock has ended. */
    reset: async () => {
      internet.spoil(EXCHANGES, null)
      for (const [code, price] of Object.entries(PRICES)) internet.prices.set(code, price)
      internet.asked.length = 0
      await sql`TRUNCATE price_readings, last_prices, price_history, alarms`.execute(app.ctx.db)
      pass(10 * MINUTE)
    },
    close: async () => {
      await egress.close()
      await internet.close()
      await app.stop()
    },
  }
}
