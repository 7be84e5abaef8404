import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import type { PaymentPublic } from '@kassa/contract/payments/schemas.ts'
import { sql } from 'kysely'

import { asSystem } from '../context.ts'
import { expirePayments } from '../modules/payments/lifecycle/service.ts'
import type { TestApp } from './app.ts'
import type { Shop } from './shop.ts'

/** Ids of the sandbox's assets (primitives/chains/assets.ts). */
export const ASSET = { ETH: 1, USDC_ON_ETH: 7, USDC_ON_BASE: 8, USDT_ON_ETH: 11 } as const

export type Pinned = {
  readonly ref: string
  readonly to: string
  readonly customerID: string
  readonly due: string | undefined
}
export type EmittedEvent = {
  readonly type: string
  readonly sequence: number
  readonly payload: Record<string, unknown>
}

/** Creates and shows payments: with a shop's key, and as the payer's page does. */
export type Cashier = ReturnType<typeof openCashier>

/** Opens a cashier of a shop on a program whose clock the test moves. */
export function openCashier(app: TestApp, shop: Shop) {
  let customers = 0
  return {
    newPayment: async ({ amount = '100', customer = '', chain = 'ETH', currency = 'USDC' } = {}): Promise<Pinned> => {
      customers += 1
      const customerID = customer || `payer-${customers}`
      const body = { customerID, customerEmail: 'payer@example.com', amountInUSD: amount }
      const created = await app.call(paymentsRoutes.createPayment, { body }, { key: shop.apiKey })
      const ref = created.body.reference_id
      const pinned = await pick(app, ref, chain, currency)
      return { ref, to: pinned.body.Address, customerID, due: pinned.body.quote?.amount }
    },
    pick: (ref: string, chain: string, currency: string) => pick(app, ref, chain, currency),
    show: async (ref: string): Promise<PaymentPublic> =>
      (await app.call(paymentsRoutes.getPaymentByReference, { params: { ref } })).body,
    events: (ref: string) => eventsOf(app, ref),
    /** The events emitted after the link was created and pinned. */
    emitted: async (ref: string) => {
      const types = (await eventsOf(app, ref)).map(({ type }) => type)
      return types.filter((type) => type !== 'payment.created' && type !== 'payment.pinned')
    },
    expire: () => expirePayments(asSystem(app.ctx)),
    pass: (ms: number) => {
      app.clock.now = new Date(app.clock.now.getTime() + ms)
    },
  }
}

/** What the payer picks to pay with. */
function pick(app: TestApp, ref: string, chain: string, currency: string) {
  const body = { blockchain_code: chain, currency_code: currency }
  return app.call(paymentsRoutes.pinPayment, { params: { ref }, body })
}

async function eventsOf(app: TestApp, ref: string): Promise<EmittedEvent[]> {
  const { rows } = await sql<EmittedEvent>`
    SELECT type, sequence, payload FROM events WHERE reference_id = ${ref} ORDER BY id`.execute(app.ctx.db)
  return rows
}

/** The deposits at an address, oldest first. */
export async function depositsTo(app: TestApp, address: string) {
  const { rows } = await sql<{ status: string; reason: string | null; late: boolean; payment_id: bigint | null }>`
    SELECT status, reason, late, payment_id FROM deposits WHERE to_address = ${address} ORDER BY id`.execute(app.ctx.db)
  return rows
}

/** The balance of all accounts of a kind, on its own side. */
export async function balanceOf(app: TestApp, kind: string, assetId: number): Promise<bigint> {
  const { rows } = await sql<{ balance: string }>`
    SELECT coalesce(sum(CASE side WHEN 'C' THEN credits - debits ELSE debits - credits END), 0) AS balance
    FROM accounts WHERE kind = ${kind} AND unit_id = ${assetId}`.execute(app.ctx.db)
  return BigInt(rows[0]?.balance ?? 0)
}

/** Dollars as units of a coin with six decimals. */
export function dollars(amount: number): bigint {
  return BigInt(Math.round(amount * 1e6))
}
