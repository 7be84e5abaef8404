/** A shop that pays out: its policy, its payouts, and people who decide. */
import type { ChangePayoutConfig } from '@kassa/contract/payout-policy/schemas.ts'
import { payoutPolicyRoutes } from '@kassa/contract/payout-policy/routes.ts'
import { recipientsRoutes } from '@kassa/contract/recipients/routes.ts'
import type { RouteCall } from '@kassa/contract/kit/route.ts'
import { payoutRequestRoutes } from '@kassa/contract/withdrawals/request-routes.ts'
import { payoutsRoutes } from '@kassa/contract/withdrawals/routes.ts'
import { sql } from 'kysely'

import type { CallOptions, TestApp } from '../app.ts'
import { openShop, type Shop } from '../shop.ts'

/** An address of a third party: not ours, no token. */
export const PAYEE = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
export const OTHER_PAYEE = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'

type MerchantBody = NonNullable<RouteCall<typeof payoutsRoutes.createMerchantPayout>['body']>
type RecipientBody = NonNullable<RouteCall<typeof payoutRequestRoutes.createPayout>['body']>

type BatchRows = NonNullable<RouteCall<typeof payoutRequestRoutes.createPayouts>['body']>['rows']
type QuoteRows = NonNullable<RouteCall<typeof payoutRequestRoutes.quotePayouts>['body']>['rows']

const ASKED = {
  email: 'payee@example.com',
  blockchainCode: 'ETH',
  currencyCode: 'USDC',
  amount: '100',
  toAddress: PAYEE,
} satisfies MerchantBody

/** What tests of payouts do again and again, for one shop. */
export async function payoutShop(app: TestApp, root: string, name = 'Shop') {
  const shop: Shop = await openShop(app, root, name)
  const { p, apiKey } = shop
  let n = 0
  const setPolicy = (body: ChangePayoutConfig, options: CallOptions = { key: root }) =>
    app.call(payoutPolicyRoutes.changePayoutConfig, { params: { p }, body }, options)
  /** Each call is a payout of its own unless the test says otherwise. */
  const ask = (body: Partial<MerchantBody> = {}, options: CallOptions = {}) => {
    n += 1
    const headers = { 'idempotency-key': `ask-${name}-${n}`, ...options.headers }
    return app.call(
      payoutsRoutes.createMerchantPayout,
      { body: { ...ASKED, ...body } },
      { key: apiKey, ...options, headers },
    )
  }
  const decide =
    (route: typeof payoutsRoutes.approvePayout | typeof payoutsRoutes.rejectPayout) =>
    (id: number, key: string = root, options: CallOptions = {}) =>
      app.call(route, { params: { id: String(id) }, body: {} }, { key, ...options })
  /** One approval of several. */
  const approveAll = (ids: readonly number[], key: string = root, options: CallOptions = {}) =>
    app.call(payoutsRoutes.approvePayouts, { body: { ids: [...ids] } }, { key, ...options })
  const read = async (id: number, key: string = root) =>
    app.call(payoutsRoutes.getPayout, { params: { p, id: String(id) } }, { key })
  /** A recipient that can be paid now. */
  const recipient = async (address = PAYEE, blockchainCode = 'ETH') => {
    n += 1
    const body = {
      name: `Supplier ${n}`,
      email: 's@example.com',
      blockchainCode,
      address,
      projectIDs: [shop.projectId],
    }
    await sql`INSERT INTO recipients (name, email, blockchain_id, address, address_key, status, created_by, verified_by,
        verified_at, created_at, updated_at)
      SELECT ${body.name}, ${body.email}, id, ${address}, decode(${address.slice(2)}, 'hex'), 'active', 'operator:1',
        'operator:1', now(), now(), now() FROM blockchains WHERE code = ${blockchainCode}`.execute(app.ctx.db)
    await sql`INSERT INTO recipient_projects (recipient_id, project_id, blockchain_id, address_key, known_since)
      SELECT id, ${shop.projectId}, blockchain_id, address_key, verified_at FROM recipients
      WHERE name = ${body.name} ORDER BY id DESC LIMIT 1`.execute(app.ctx.db)
    const { rows } = await sql<{ id: number }>`SELECT max(id) AS id FROM recipients`.execute(app.ctx.db)
    return rows[0]?.id ?? 0
  }
  const pay = (body: RecipientBody, options: CallOptions = { key: root }) =>
    app.call(payoutRequestRoutes.createPayout, { params: { p }, body }, options)
  /** A list of payouts, all or none. */
  const payAll = (rows: BatchRows, options: CallOptions = { key: root }) =>
    app.call(payoutRequestRoutes.createPayouts, { params: { p }, body: { rows } }, options)
  const quote = (rows: QuoteRows, options: CallOptions = { key: root }) =>
    app.call(payoutRequestRoutes.quotePayouts, { params: { p }, body: { rows } }, options)
  return {
    ...shop,
    payAll,
    quote,
    setPolicy,
    ask,
    pay,
    read,
    recipient,
    approve: decide(payoutsRoutes.approvePayout),
    approveAll,
    reject: decide(payoutsRoutes.rejectPayout),
    cancel: decide(payoutsRoutes.cancelPayout),
    listRecipients: () => app.call(recipientsRoutes.listRecipientsOfProject, { params: { p } }, { key: root }),
  }
}

/** What accounts of a project hold of an asset: credits less debits. */
export async function claimOf(app: TestApp, kind: string, owner: string): Promise<bigint> {
  const { rows } = await sql<{ units: string }>`
    SELECT coalesce(sum(credits - debits), 0)::text AS units FROM accounts
    WHERE kind = ${kind} AND owner_key = ${owner}`.execute(app.ctx.db)
  return BigInt(rows[0]?.units ?? 0)
}
