import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { sql } from 'kysely'
import { type Hex, numberToHex, parseEther } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { asSystem, inTransaction } from '../../../context.ts'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { bookFloat } from '../../../testing/money-out/hot-wallet.ts'
import { claimOf, payoutShop } from '../../../testing/money-out/payouts.ts'
import { setSandboxNode } from '../../blockchains/nodes/service.ts'
import { post, reverse } from '../../ledger/service.ts'
import type { SendMoved } from '../../sends/service.ts'
import { addHotWallet, findHotWallet } from '../../wallets/hot/service.ts'
import { signPending } from './service.ts'

const [CHAIN, ETH, USDC] = [1, 1, 7]

let app: TestApp
let anvil: AnvilChain
let shop: Awaited<ReturnType<typeof payoutShop>>
let walletId: number

beforeAll(async () => {
  ;[app, anvil] = await Promise.all([testApp(), openAnvilChain()])
  const root = await app.signUp()
  shop = await payoutShop(app, root)
  const ctx = asSystem(app.ctx)
  await setSandboxNode(ctx, 'ETH', anvil.node.label)
  await addHotWallet(ctx, { family: 'ETH_Family', name: 'Payouts', generate: true, functions: ['payout'] })
  const wallet = await findHotWallet(ctx, { blockchainId: CHAIN, purpose: 'payout' })
  walletId = wallet?.walletId ?? 0
  const address = wallet?.address as Hex
  await anvil.call('anvil_setBalance', address, numberToHex(parseEther('10')))
  await anvil.transfer(SANDBOX_TOKENS.usdc, address, 1_000_000_000n)
  await bookFloat(ctx, walletId, { [ETH]: parseEther('10'), [USDC]: 1_000_000_000n })
}, 120_000)
afterAll(async () => {
  await app.stop()
  await anvil.stop()
})
beforeEach(() => sql`DELETE FROM rate_buckets`.execute(app.ctx.db))

const held = () => claimOf(app, 'project:held', `project:${shop.projectId}`)
const float = async (kind: 'chain:hot' | 'chain:hot-held') => {
  const { rows } = await sql<{ units: string }>`
    SELECT coalesce(sum(debits - credits), 0)::text AS units FROM accounts
    WHERE kind = ${kind} AND owner_key = ${`wallet:${walletId}`} AND unit_id = ${USDC}`.execute(app.ctx.db)
  return BigInt(rows[0]?.units ?? 0)
}
const sign = () => signPending(asSystem(app.ctx))
const signed = async (amount = '100') => {
  const { id } = (await shop.ask({ amount })).body
  await shop.approve(id)
  expect(await sign()).toBe(1)
  const { rows } = await sql<{ send_id: bigint; tx_id: string }>`
    SELECT send_id, tx_id FROM withdrawals WHERE id = ${id}`.execute(app.ctx.db)
  const [row] = rows
  if (!row) throw new Error('It was not signed')
  return { id, ...row }
}
/** What the chain makes of a send: what the module `sends` writes and tells in one transaction. */
const move = (of: Awaited<ReturnType<typeof signed>>, { state }: Pick<SendMoved, 'state'>, more: object = {}) =>
  inTransaction(asSystem(app.ctx), async (tx) => {
    const isDecided = state === 'processed' || state === 'failed'
    const { rows } = await sql<{ fee_ceiling: string; units: string; decisions: number }>`
      UPDATE sends SET state = ${state === 'reopened' ? 'sent' : state}, decisions = decisions + ${isDecided ? 1 : 0},
        decided_at = ${isDecided ? tx.now() : null}, fee_units = ${isDecided ? '21000' : null}::numeric,
        decided_attempt = ${isDecided ? 1 : null}::int, decided_height = ${isDecided ? 9 : null}::bigint,
        failure_code = ${state === 'failed' ? 'reverted' : null},
        failure_params = CASE WHEN ${state === 'failed'} THEN '{}'::jsonb END
      WHERE id = ${of.send_id} RETURNING fee_ceiling::text, units::text, decisions`.execute(tx.db)
    const [send] = rows
    if (!send) throw new Error('There is no such send')
    const account = (kind: 'chain:hot' | 'chain:hot-held', unitId: number) =>
      ({ kind, owner: `wallet:${walletId}`, unitId }) as const
    const back = (unitId: number, units: bigint) => ({
      debit: account('chain:hot', unitId),
      credit: account('chain:hot-held', unitId),
      units,
    })
    const fees = { kind: 'fees:network', owner: `project:${shop.projectId}`, unitId: ETH } as const
    if (isDecided) {
      const lines = [
        { debit: fees, credit: account('chain:hot-held', ETH), units: 21_000n },
        back(ETH, BigInt(send.fee_ceiling) - 21_000n),
        ...(state === 'failed' ? [back(USDC, BigInt(send.units))] : []),
      ]
      const source = `send-decision:${of.send_id}:decide:${send.decisions}`
      await post(tx, [
        { posting: 'payout.fee', source, projectId: shop.projectId, at: { blockchainId: CHAIN, height: 9 }, lines },
      ])
    }
    if (state === 'reopened') await reverse(tx, [`send-decision:${of.send_id}:`])
    await tx.events.emit(tx, {
      type: 'send.moved',
      projectId: null,
      payload: {
        ...{ sendId: String(of.send_id), purpose: 'payout', item: { withdrawalId: String(of.id) }, state },
        ...{ txId: of.tx_id, feeUnits: isDecided ? '21000' : null, block: isDecided ? BLOCK : null, failure: null },
        ...more,
      },
    })
  })
const BLOCK = { height: 9, hash: `0x${'9'.repeat(64)}` }
const FINAL = { state: 'processed' } as const

describe('payouts: from the decision to the signature', () => {
  it('stores signed bytes once, with the float reserved, and tells of it', async () => {
    const before = [await held(), await float('chain:hot-held')]
    const { id, tx_id: txId } = await signed()
    const { body } = await shop.read(id)
    expect(body).toMatchObject({ status: 'initiated', txHash: txId, fromAddress: expect.stringMatching(/^0x/) })
    expect([await held(), await float('chain:hot-held')]).toEqual(before.map((units) => (units ?? 0n) + 100_000_000n))
    // Nothing signs it a second time, however many look (D-1).
    expect(await Promise.all([sign(), sign(), sign()])).toEqual([0, 0, 0])
    expect((await shop.cancel(id)).refusal?.code).toBe('PAYOUT_NOT_CANCELLABLE')
  })

  it('waits while the float is short, is left alone for some seconds, and is signed once there is enough', async () => {
    const plannedAt = new Map<bigint, number>()
    const begun = app.ctx.now().getTime()
    const pass = (ms: number) => signPending({ ...asSystem(app.ctx), now: () => new Date(begun + ms) }, plannedAt)
    const { id } = (await shop.ask({ amount: '950' })).body
    await shop.approve(id)
    expect(await pass(0)).toBe(0)
    expect((await shop.read(id)).body).toMatchObject({ status: 'pending', waitReason: 'INSUFFICIENT_FUNDS' })
    const wallet = await findHotWallet(asSystem(app.ctx), { blockchainId: CHAIN, purpose: 'payout' })
    await anvil.transfer(SANDBOX_TOKENS.usdc, wallet?.address as Hex, 2_000_000_000n)
    await bookFloat(asSystem(app.ctx), walletId, { [USDC]: 2_000_000_000n })
    const { id: newer } = (await shop.ask({ amount: '900' })).body
    await shop.approve(newer)
    // Each plan asks nodes; meanwhile nothing newer takes the float that has come.
    expect(await pass(9_000)).toBe(0)
    expect(await pass(10_000)).toBe(2)
    expect([(await shop.read(id)).body.status, [...plannedAt]]).toEqual(['initiated', []])
    expect((await shop.read(newer)).body.status).toBe('initiated')
  })

  it('signs the others while the key of one cannot be opened, and that one afterwards', async () => {
    const secret = sql`FROM hot_keys AS key WHERE key.wallet_id = ${walletId} AND key.secret_id = secret.id`
    const turnABit = () =>
      sql`UPDATE secrets AS secret SET sealed = set_bit(sealed, 0, 1 - get_bit(sealed, 0)) ${secret}`.execute(
        app.ctx.db,
      )
    const { id } = (await shop.ask()).body
    await shop.approve(id)
    const { id: other } = (await shop.ask({ blockchainCode: 'BASE' })).body
    await shop.approve(other)
    await turnABit()
    await expect(sign()).rejects.toThrow('cannot be opened')
    // What keeps it there is its own.
    expect((await shop.read(other)).body).toMatchObject({ status: 'pending', waitReason: 'CHAIN_DOWN' })
    await turnABit()
    expect(await sign()).toBe(1)
    expect((await shop.read(id)).body.status).toBe('initiated')
    await shop.cancel(other)
  })

  it('signs the others on a network while payouts in one asset are switched off, and that one afterwards', async () => {
    const [{ id }, { id: other }] = [
      (await shop.ask()).body,
      (await shop.ask({ currencyCode: 'ETH', amount: '0.01' })).body,
    ]
    for (const one of [id, other]) await shop.approve(one)
    const switchTo = (isOn: boolean) =>
      sql`UPDATE assets SET withdrawal_enabled = ${isOn} WHERE id = ${USDC}`.execute(app.ctx.db)
    await switchTo(false)
    expect(await sign()).toBe(1)
    expect((await shop.read(other)).body.status).toBe('initiated')
    expect((await shop.read(id)).body).toMatchObject({ status: 'pending', waitReason: 'ASSET_OFF' })
    await switchTo(true)
    expect(await sign()).toBe(1)
    expect((await shop.read(id)).body.status).toBe('initiated')
  })
})

describe('payouts: what the chain decides', () => {
  it('is sent, then final: settled in the same transaction, and reopened when its block goes', async () => {
    const before = await held()
    const payout = await signed()
    await move(payout, { state: 'sent' })
    expect((await shop.read(payout.id)).body.status).toBe('sent')
    await move(payout, FINAL)
    const { body } = await shop.read(payout.id)
    expect(body).toMatchObject({ status: 'processed', fee: '0.000000000000021', blockNumber: 9 })
    expect(await held()).toBe(before)
    await move(payout, { state: 'reopened' })
    expect((await shop.read(payout.id)).body).toMatchObject({ status: 'sent', fee: null, blockNumber: null })
    expect((await held()) - before).toBe(100_000_000n)
    await move(payout, FINAL)
    expect(await held()).toBe(before)
    expect((await shop.read(payout.id)).body.timeline.map(({ event }) => event)).toEqual([
      'payout.pending-approval',
      'payout.approved',
      'payout.pending',
      'payout.initiated',
      'payout.sent',
      'payout.processed',
      'payout.sent',
      'payout.processed',
    ])
  })

  it('fails with the reason, and the money is free again', async () => {
    const before = await held()
    const payout = await signed()
    await move(payout, { state: 'failed' }, { failure: { code: 'reverted', params: {} } })
    const { body } = await shop.read(payout.id)
    expect([body.status, body.failureReason]).toEqual(['failed', expect.stringContaining('undid it')])
    expect(await held()).toBe(before)
  })
})
