import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { asSystem } from '../../../context.ts'
import { TEST_PASSWORD } from '../../../testing/app.ts'
import { ASSET, dollars } from '../../../testing/cashier.ts'
import { claimOf, OTHER_PAYEE, PAYEE } from '../../../testing/money-out/payouts.ts'
import { openRefundShop, type RefundShop } from '../../../testing/money-out/refunds.ts'
import { verify } from '../../ledger/service.ts'
import { saveSetting } from '../../settings/service.ts'
import { withdrawalsInvariants } from '../invariants.ts'

let app: RefundShop['app']
let root: string
let shop: RefundShop['shop']
let ann: number
let ben: number
let n = 0

beforeAll(async () => {
  const opened = await openRefundShop()
  ;({ app, root, shop } = opened)
  // What the shop has earned: a hundred dollars.
  const { to } = await opened.cashier.newPayment()
  await opened.eth.mine([{ to, assetId: ASSET.USDC_ON_ETH, units: dollars(100) }])
  await opened.eth.mine()
  ;[ann, ben] = [await knownRecipient(PAYEE), await knownRecipient(OTHER_PAYEE)]
})
afterAll(() => app.stop())
beforeEach(async () => {
  await sql`DELETE FROM rate_buckets`.execute(app.ctx.db)
  await sql`UPDATE withdrawals SET decided_at = decided_at - interval '5 days'`.execute(app.ctx.db)
  await sql`DELETE FROM payout_policies`.execute(app.ctx.db)
})

/** A recipient that was saved before the clock of the test began. */
async function knownRecipient(address: string): Promise<number> {
  const id = await shop.recipient(address)
  await sql`UPDATE recipient_projects SET known_since = '2025-01-01' WHERE recipient_id = ${id}`.execute(app.ctx.db)
  return id
}

/** Rows of USDC in turn to two recipients, each with a reference of its own. */
const rowsOf = (...amounts: string[]) => {
  n += 1
  return amounts.map((amount, at) => ({
    recipientID: at % 2 === 0 ? ann : ben,
    currencyCode: 'USDC',
    amount,
    clientReference: `run-${n}-${at}`,
  }))
}
const held = () => claimOf(app, 'project:held', `project:${shop.projectId}`)
const countAll = async () => {
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM withdrawals`.execute(app.ctx.db)
  return rows[0]?.n
}
type Rows = ReturnType<typeof rowsOf>
const described = async (rows: Rows) =>
  (
    await app.call(
      authRoutes.prepareStepUp,
      { body: { action: 'D21', subject: { params: { p: shop.p }, body: { rows } } } },
      { key: root },
    )
  ).body
const confirm = async (rows: Rows) => {
  const { challengeId } = await described(rows)
  const proof = { method: 'password' as const, password: TEST_PASSWORD, challengeId }
  const { body } = await app.call(authRoutes.stepUp, { body: proof }, { key: root })
  return { key: root, headers: { 'step-up': body.stepUpToken ?? '' } }
}
const limitAsset = (units: string | null) =>
  sql`UPDATE assets SET withdraw_limit_24h_units = ${units}::numeric WHERE currency_code = 'USDC'`.execute(app.ctx.db)

describe('D21: payouts requested together', () => {
  it('are created in the order of their rows, with one confirmation of the sum and of each', async () => {
    const rows = rowsOf('100', '20.5', '3')
    const { display } = await described(rows)
    expect(display.lines.map(({ code }) => code)).toEqual([
      ...['payout_batch', 'payout_list_total', 'payout_to', 'payout_to', 'payout_to'],
    ])
    expect(display.lines[1]?.text).toBe('Together 123.5 USDC on ETH, in 3 payouts.')
    const { status, body } = await shop.payAll(rows, await confirm(rows))
    expect(status).toBe(201)
    expect(
      body.payouts.map(({ amount, clientReference, recipientID }) => [amount, clientReference, recipientID]),
    ).toEqual(rows.map(({ amount, clientReference, recipientID }) => [amount, clientReference, recipientID]))
    expect(body.payouts.map(({ status: one, type }) => [one, type])).toEqual(
      rows.map(() => ['pending-approval', 'payout']),
    )
    const ids = body.payouts.map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted((one, other) => one - other))
    expect(await verify(asSystem(app.ctx), withdrawalsInvariants)).toEqual([])
  })

  it('creates none when the list is not what was confirmed: STEP_UP_MISMATCH', async () => {
    const rows = rowsOf('10', '11')
    const options = await confirm(rows)
    const before = await countAll()
    const changed = rows.map((row) => ({ ...row, amount: '12' }))
    expect((await shop.payAll(changed, options)).refusal?.code).toBe('STEP_UP_MISMATCH')
    const renamed = rows.map((row) => ({ ...row, clientReference: `${row.clientReference}-b` }))
    expect((await shop.payAll(renamed, await confirm(rows))).refusal?.code).toBe('STEP_UP_MISMATCH')
    expect(await countAll()).toBe(before)
  })

  it('holds the sum at once where the policy needs no approval of it', async () => {
    await shop.setPolicy({ autoApproveLimitInUSD: '500' })
    const before = await held()
    const { body } = await shop.payAll(rowsOf('100', '50.25'))
    expect(body.payouts.map(({ status }) => status)).toEqual(['pending', 'pending'])
    expect((await held()) - before).toBe(150_250_000n)
    for (const { id } of body.payouts) await shop.cancel(id)
  })

  it('decides by the sum: rows that needed no approval alone need it together', async () => {
    await shop.setPolicy({ autoApproveLimitInUSD: '150', quorumRules: [] })
    const { body } = await shop.payAll(rowsOf('100', '100'))
    expect(body.payouts.map(({ status }) => status)).toEqual(['pending-approval', 'pending-approval'])
    const { policyDecision } = (await shop.read(body.payouts[0]?.id ?? 0)).body
    expect(policyDecision).toMatchObject({ rule: 'over_auto_limit', list: { payouts: 2 } })
    expect(Number(policyDecision.list?.amountInUSD)).toBeCloseTo(200, 0)
    expect((await shop.approve(body.payouts[1]?.id ?? 0)).body.status).toBe('pending')
    await shop.cancel(body.payouts[1]?.id ?? 0)
  })

  it('counts the sum in the windows: none passes because it came first', async () => {
    await shop.setPolicy({ autoApproveLimitInUSD: '1000', hourlyLimitInUSD: '250' })
    const { body } = await shop.payAll(rowsOf('100', '100', '100'))
    expect(body.payouts.map(({ status }) => status)).toEqual(rowsOf('1', '1', '1').map(() => 'pending-approval'))
    const { policyDecision } = (await shop.read(body.payouts[0]?.id ?? 0)).body
    expect(policyDecision.rule).toBe('over_hourly_limit')
    expect(Number(policyDecision.hourUsed)).toBeCloseTo(300, 0)
  })

  it('asks people about a sum that was not earned, where operators say so', async () => {
    await shop.setPolicy({ autoApproveLimitInUSD: '1000' })
    await saveSetting(asSystem(app.ctx), { key: 'payouts.from', value: 'earned' })
    const [over, within] = [await shop.payAll(rowsOf('60', '60')), await shop.payAll(rowsOf('60', '40'))]
    await saveSetting(asSystem(app.ctx), { key: 'payouts.from', value: 'float' })
    expect(over.body.payouts.map(({ status }) => status)).toEqual(['pending-approval', 'pending-approval'])
    expect((await shop.read(over.body.payouts[0]?.id ?? 0)).body.policyDecision.rule).toBe('not_earned')
    expect(within.body.payouts.map(({ status }) => status)).toEqual(['pending', 'pending'])
    for (const { id } of within.body.payouts) await shop.cancel(id)
  })
})

describe('D21: a row that is refused', () => {
  it.each([
    ['an unknown recipient', { recipientID: 999_999 }, 'RECIPIENT_NOT_FOUND'],
    ['more decimals than the asset has', { amount: '1.0000001' }, 'VALIDATION_FAILED'],
    ['a currency that is not paid out', { currencyCode: 'NOPE' }, 'ASSET_NOT_PAYABLE'],
  ])('leaves none, and is named: %s', async (_what, wrong, code) => {
    await shop.setPolicy({ autoApproveLimitInUSD: '1000' })
    const rows = rowsOf('10', '11', '12').map((row, at) => (at === 1 ? { ...row, ...wrong } : row))
    const [before, sum] = [await countAll(), await held()]
    const { refusal } = await shop.payAll(rows)
    expect(refusal).toMatchObject({ code, data: { row: 1, clientReference: rows[1]?.clientReference } })
    expect(refusal?.details).toMatch(new RegExp(`^${rows[1]?.clientReference}: `))
    expect([await countAll(), await held()]).toEqual([before, sum])
  })

  it('says where the field is', async () => {
    const { refusal } = await shop.payAll(rowsOf('10', '1.0000001'))
    expect(refusal?.fields).toEqual({ 'rows.1.amount': 'Amount must have at most 6 decimals' })
  })

  it('is the one that exceeds the limit of the asset with those before it: AMOUNT_OUT_OF_RANGE', async () => {
    await limitAsset('150000000')
    const before = await countAll()
    expect((await shop.payAll(rowsOf('100', '50', '1'))).refusal).toMatchObject({
      code: 'AMOUNT_OUT_OF_RANGE',
      data: { row: 2 },
    })
    expect(await countAll()).toBe(before)
    expect((await shop.payAll(rowsOf('100', '50'))).status).toBe(201)
    await limitAsset(null)
  })

  it('is not paid to a recipient who is blocked: RECIPIENT_NOT_ACTIVE', async () => {
    const blocked = await knownRecipient('0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb')
    await sql`UPDATE recipients SET status = 'blocked' WHERE id = ${blocked}`.execute(app.ctx.db)
    const rows = rowsOf('10', '11').map((row, at) => (at === 1 ? { ...row, recipientID: blocked } : row))
    expect((await shop.payAll(rows)).refusal).toMatchObject({ code: 'RECIPIENT_NOT_ACTIVE', data: { row: 1 } })
  })

  it.each([
    ['no row', () => [], 'rows'],
    ['more than a hundred', () => rowsOf(...Array.from({ length: 101 }, () => '1')), 'rows'],
    [
      'one reference twice',
      () => rowsOf('1', '2').map((row) => ({ ...row, clientReference: 'x' })),
      'rows.1.clientReference',
    ],
  ])('refuses %s', async (_what, rows, field) => {
    const { refusal } = await shop.payAll(rows())
    expect([refusal?.code, Object.keys(refusal?.fields ?? {})]).toEqual(['VALIDATION_FAILED', [field]])
  })
})

describe('D21: a list that is sent again', () => {
  it('pays once: CLIENT_REFERENCE_EXISTS names the row and its payout', async () => {
    const rows = rowsOf('10', '11')
    const { body } = await shop.payAll(rows)
    const before = await countAll()
    const again = await shop.payAll([...rowsOf('5'), ...rows])
    expect(again.refusal).toMatchObject({ code: 'CLIENT_REFERENCE_EXISTS', data: { row: 1, id: body.payouts[0]?.id } })
    expect(await countAll()).toBe(before)
  })

  it('gets the first answer, by a key that sends the same within five minutes', async () => {
    const rows = rowsOf('10', '11')
    const [first, second] = [
      await shop.payAll(rows, { key: shop.apiKey }),
      await shop.payAll(rows, { key: shop.apiKey }),
    ]
    expect(second.body.payouts.map(({ id }) => id)).toEqual(first.body.payouts.map(({ id }) => id))
    expect(second.headers['idempotency-replayed']).toBe('dedupe')
  })

  it('is created once by 20 calls at the same time', { timeout: 120_000 }, async () => {
    const rows = rowsOf('10', '11', '12')
    const before = (await countAll()) ?? 0
    const answers = await Promise.all(Array.from({ length: 20 }, () => shop.payAll(rows)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(await countAll()).toBe(before + 3)
  })

  it('cannot exceed a window with another list at the same time (X-1)', { timeout: 120_000 }, async () => {
    await shop.setPolicy({ autoApproveLimitInUSD: '1000', hourlyLimitInUSD: '450' })
    const answers = await Promise.all(Array.from({ length: 8 }, () => shop.payAll(rowsOf('50', '50'))))
    const states = answers.flatMap(({ body }) => body.payouts.map(({ status }) => status))
    expect(states.filter((status) => status === 'pending')).toHaveLength(8)
  })
})
