/** An install that has been used: what an upgrade fixture is made of. */
import { analyticsRoutes } from '@kassa/contract/analytics/routes.ts'
import { bulkJobsRoutes } from '@kassa/contract/bulk-jobs/routes.ts'
import { mailRoutes } from '@kassa/contract/mail/routes.ts'
import { paymentRepairRoutes } from '@kassa/contract/payments/repair-routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { webhooksRoutes } from '@kassa/contract/webhooks/routes.ts'
import { sql } from 'kysely'

import { INVARIANTS } from '../../app.ts'
import { asSystem, inTransaction } from '../../context.ts'
import { compact } from '../../modules/analytics/rollups/service.ts'
import { addUpCoins } from '../../modules/ledger/service.ts'
import { raiseAlarm } from '../../modules/alarms/service.ts'
import { recordCheck } from '../../modules/reconciliation/service.ts'
import { checkEntries, sealEntries } from '../../modules/audit/service.ts'
import { type AccountKind, post, sealJournal } from '../../modules/ledger/service.ts'
import { markSeal } from '../../modules/ledger/seal-store.ts'
import { foldCounts } from '../../modules/payments/search/count-store.ts'
import { changePaymentPolicy } from '../../modules/projects/service.ts'
import { deriveMore, fillPoolJob } from '../../modules/wallets/pool.ts'
import { sealJournalJob } from '../../modules/ledger/jobs.ts'
import { expireJob } from '../../modules/payments/jobs.ts'
import { continueRescansJob } from '../../modules/watch/jobs.ts'
import { purgeJob } from '../../modules/webhooks/jobs.ts'
import { saveSetting } from '../../modules/settings/service.ts'
import { addressProofKey } from '../../modules/vaults/service.ts'
import { type TestApp, testApp } from '../app.ts'
import { addOperator } from '../operators.ts'
import { type FakeChain, fakeChain } from '../fake-chain.ts'
import { openShop } from '../shop.ts'
import { ASSET, dollars } from '../cashier.ts'
import { openCashier, type Cashier } from '../cashier.ts'
import { insertRemainingRows } from './fixture-rows.ts'

/** The master key of every fixture: its secrets are worth nothing. */
export const FIXTURE_KEY = Buffer.alloc(32, 'upgrade fixture')

/** When the install was used. */
const USED_AT = new Date('2026-01-31T09:30:00.000Z')
const HOUR = 3_600_000
/** Derived ahead per wallet: a program that runs derives more, which would be most of a fixture. */
const ADDRESSES = 20

/** Starts the program and uses it until every table holds something, money stands in every state, and jobs wait. */
export async function usedApp(): Promise<TestApp> {
  const app = await testApp({ now: USED_AT, masterKey: FIXTURE_KEY })
  const operator = await app.signUp()
  const shop = await openShop(app, operator, 'Shop "One"; DROP\ttable')
  await openShop(app, operator, 'Ünïcode ☕ \\shop')
  await addOperator(app, { projectId: shop.projectId, role: 'project_lead' })
  for (const walletId of [1, 2]) await deriveMore(asSystem(app.ctx), { walletId, familyId: 1 }, ADDRESSES)
  await addEndpoint(app, operator, shop.p)
  await addressProofKey(asSystem(app.ctx))
  await saveSetting(asSystem(app.ctx), { key: 'deposits.quorum_usd', value: '1000' })
  const cashier = openCashier(app, shop)
  const eth = await fakeChain(app.ctx, 1)
  await fakeChain(app.ctx, 2)
  await changePaymentPolicy(asSystem(app.ctx), shop.projectId, { lateGraceHours: 24, uniqueInvoiceID: true })
  await startBulkJob(app, operator, shop.p)
  await arrangeGroup(app, operator, shop.p)
  await makePayments({ app, operator, p: shop.p, cashier, eth })
  await insertRemainingRows(app)
  await holdForSends(app)
  await keepBooks(app)
  await queueJobs(app)
  return app
}

/** A bulk job of one row that waits for a worker. */
async function startBulkJob(app: TestApp, operator: string, p: string): Promise<void> {
  const input = { amountInUSD: '5.00', customerEmail: 'bulk@example.com', customerID: 'bulk-1' }
  const body = { action: 'payment.create', rows: [{ key: 'row-1', line: 2, input }] }
  answered(await app.call(bulkJobsRoutes.startBulkJob, { params: { p }, body }, { key: operator }))
}

async function addEndpoint(app: TestApp, operator: string, p: string): Promise<void> {
  const body = { url: 'https://shop.example/hook', name: 'Shop' }
  answered(await app.call(webhooksRoutes.createWebhook, { params: { p }, body }, { key: operator }))
  const mailServer = {
    host: 'mail.shop.example',
    port: 587,
    username: 'kassa',
    password: 'secret',
    encryption: 'starttls',
    from: 'kassa@shop.example',
  } as const
  answered(await app.call(mailRoutes.saveMailServer, { body: mailServer }, { key: operator }))
}

function answered({ status, text }: { readonly status: number; readonly text: string }): void {
  if (status >= 300) throw new Error(text)
}

type World = {
  readonly app: TestApp
  readonly operator: string
  readonly p: string
  readonly cashier: Cashier
  readonly eth: FakeChain
}

/** Payments in every status, and deposits in every state. The journal is sealed up to its newest entries, which are marked. */
async function makePayments(world: World): Promise<void> {
  const { app, operator, p, cashier, eth } = world
  const pay = (to: string, amount: number, more = {}) =>
    eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(amount), ...more }])
  const resolve = async (ref: string, action: 'accept_underpaid' | 'mark_resolved', note: string) =>
    answered(
      await app.call(
        paymentRepairRoutes.resolvePayment,
        { params: { p, ref }, body: { action, note } },
        { key: operator },
      ),
    )
  const [filled, over, part, accepted, late, resolved, onHold, takenBack] = await severalPayments(cashier, 8)
  for (const [payment, amount] of [
    [filled, 100],
    [over, 150],
    [part, 40],
    [accepted, 70],
    [resolved, 120],
  ] as const)
    await pay(payment.to, amount)
  await pay(onHold.to, 100, { quarantineReason: 'NODE_DISAGREEMENT' })
  await finalize(eth)
  await pay(takenBack.to, 100)
  await eth.reorg(eth.height() - 1)
  await resolve(accepted.ref, 'accept_underpaid', 'the customer is known')
  await resolve(resolved.ref, 'mark_resolved', 'sent back by hand')
  await cancelAndExpire(world)
  await foldCounts(asSystem(app.ctx))
  await compact(asSystem(app.ctx))
  await addUpCoins(asSystem(app.ctx))
  await pay(late.to, 100)
  await pay(filled.to, 7)
  await finalize(eth)
  await sealJournal(asSystem(app.ctx))
  await sealEntries(asSystem(app.ctx))
  await checkEntries(asSystem(app.ctx))
  await cashier.newPayment({ customer: filled.customerID, amount: '3' })
  await cashier.newPayment({ amount: '55', currency: 'ETH' })
  await pay((await cashier.newPayment({ amount: '12' })).to, 12)
  await markSeal(asSystem(app.ctx))
}

type Several = Awaited<ReturnType<Cashier['newPayment']>>

async function severalPayments(
  cashier: Cashier,
  count: 8,
): Promise<[Several, Several, Several, Several, Several, Several, Several, Several]> {
  const made: Several[] = []
  for (let n = 0; n < count; n += 1) made.push(await cashier.newPayment())
  return made as Awaited<ReturnType<typeof severalPayments>>
}

async function finalize(eth: FakeChain): Promise<void> {
  for (let block = 0; block < 3; block += 1) await eth.mine()
}

async function cancelAndExpire({ app, operator, p, cashier }: World): Promise<void> {
  const cancelled = await cashier.newPayment({ amount: '9.99' })
  answered(
    await app.call(
      paymentsRoutes.cancelPayment,
      { params: { p, ref: cancelled.ref }, body: { reason: 'ordered twice' } },
      { key: operator },
    ),
  )
  await cashier.newPayment({ customer: 'again' })
  await cashier.newPayment({ customer: 'again', amount: '101' })
  cashier.pass(2 * HOUR)
  await cashier.expire()
}

/** A group of graphs that the operator moved and filtered. */
async function arrangeGroup(app: TestApp, operator: string, p: string): Promise<void> {
  const body = { sequence: 9, customFilters: [{ filterID: 1, value: '"last_7_days"' }] }
  answered(await app.call(analyticsRoutes.changeAnalyticsGroup, { params: { p, g: '2' }, body }, { key: operator }))
}

/** Comparisons of the books are on record, and alarms. */
/** What the send of the fixture holds of its wallet, which its owner had filled. */
async function holdForSends(app: TestApp): Promise<void> {
  const { rows } = await sql<{ id: bigint; wallet_id: number; units: string; fee_ceiling: string }>`
    SELECT id, wallet_id, units, fee_ceiling FROM sends`.execute(app.ctx.db)
  for (const { id, wallet_id: walletId, units, fee_ceiling: fee } of rows) {
    const move = (debit: AccountKind, credit: AccountKind, unitId: number, amount: string) => {
      const account = (kind: AccountKind) => ({ kind, owner: `wallet:${walletId}` as const, unitId })
      return { debit: account(debit), credit: account(credit), units: BigInt(amount) }
    }
    const entry = { projectId: null, at: null }
    const [usdc, eth] = [7, 1]
    await post(asSystem(app.ctx), [
      {
        ...{ ...entry, posting: 'hot.funded', source: `test-movement:${id}:fund` },
        lines: [move('chain:hot', 'owner:funding', usdc, units), move('chain:hot', 'owner:funding', eth, fee)],
      },
      {
        ...{ ...entry, posting: 'payout.reserve', source: `send:${id}:reserve` },
        lines: [move('chain:hot-held', 'chain:hot', usdc, units), move('chain:hot-held', 'chain:hot', eth, fee)],
      },
    ])
  }
}

async function keepBooks(app: TestApp): Promise<void> {
  const ctx = asSystem(app.ctx)
  const params = { endpoint: 'shop', projectName: 'Shop', minutes: 15 }
  await raiseAlarm(ctx, { kind: 'endpoint_failing', subject: 'shop', params })
  await raiseAlarm(ctx, { kind: 'mail_failing', subject: 'mail', params: { host: 'mail.example', error: null } })
  await sql`UPDATE alarms SET cleared_at = raised_at WHERE kind = 'mail_failing'`.execute(ctx.db)
  await recordCheck(ctx, INVARIANTS)
}

/** Jobs of several queues that a worker of this version left: waiting, due later, and given up by a worker that died. */
async function queueJobs(app: TestApp): Promise<void> {
  const ctx = asSystem(app.ctx)
  await inTransaction(ctx, async (tx) => {
    await fillPoolJob.send(tx, { walletId: 1, familyId: 1 }, { singletonKey: '1:1' })
    await purgeJob.send(tx, {})
    await expireJob.send(tx, {})
    await sealJournalJob.send(tx, {}, { startAfter: new Date(Date.now() - HOUR) })
    await continueRescansJob.send(tx, {}, { startAfter: new Date('2100-01-01T00:00:00.000Z') })
  })
  await sql`
    UPDATE pgboss.job SET state = 'active', started_on = now() - interval '1 day', heartbeat_on = now() - interval '1 day'
    WHERE name = ${expireJob.queue}`.execute(ctx.db)
}
