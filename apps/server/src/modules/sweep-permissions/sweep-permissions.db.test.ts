import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { sql } from 'kysely'
import { numberToHex, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../testing/app.ts'
import { type ApprovalShop, approvalShop, ASSETS, UNITS } from '../../testing/money-out/approvals.ts'
import { openAlarms } from '../alarms/service.ts'
import { deriveMore } from '../wallets/pool.ts'
import { warnOfFewDelegations } from './following/delegations-left.ts'

let app: TestApp
let anvil: AnvilChain
let shop: ApprovalShop

beforeAll(async () => {
  ;[app, anvil] = await Promise.all([testApp({ now: new Date() }), openAnvilChain()])
  shop = await approvalShop(app, anvil, await app.signUp())
}, 120_000)
afterAll(async () => {
  await anvil.stop()
  await app.stop()
})

describe('sweep-permissions', () => {
  it('asks for a permit without gas, and the vault collects with it', async () => {
    const one = await shop.deposit('USDC')
    expect((await shop.overview('USDC')).body.counts).toMatchObject({ idle: 1, approved: 0 })
    expect((await shop.initiate('USDC', [one.id])).refusal?.code).toBe('ADDRESS_NOT_APPROVED')
    const { body: batch, status } = await shop.ask('USDC', [one.id])
    expect(status).toBe(201)
    expect(batch).toMatchObject({ gasTopUps: [], approvals: [{ kind: 'permit', from: one.address }] })
    expect((await shop.ask('USDC', [one.id])).refusal?.code).toBe('ADDRESS_LOCKED')
    const { batchID, signatures } = await shop.signBatch('USDC', { batchID: batch.batchID })
    const answer = (await shop.post('USDC', batchID, signatures)).body
    expect(answer).toMatchObject({
      accepted: 1,
      rejected: [],
      data: [{ state: 'approved', approvalState: 'approved' }],
    })
    expect((await shop.post('USDC', batchID, signatures)).body.accepted).toBe(1)
    expect((await shop.overview('USDC')).body.counts).toMatchObject({ idle: 0, approved: 1 })
    const [permission] = await shop.ready('USDC', [one.id])
    expect(permission).toMatchObject({ kind: 'permit', vault: shop.vault })
    const items = [{ id: BigInt(one.address), units: UNITS }]
    const permits = permission?.permit ? [permission.permit] : []
    await shop.sweep({ kind: 'permitAndPull', token: SANDBOX_TOKENS.usdc, permits, items })
    expect(await shop.heldOf(shop.collector, 'USDC')).toBe(UNITS)
    await shop.pass(11 * 60_000)
    await shop.work(2)
    expect((await shop.ready('USDC', [one.id]))[0]).toMatchObject({ kind: 'approve', permit: null })
    expect(await shop.broken()).toEqual([])
  })

  it('brings gas to an address that must send its approval, and counts it at finality', async () => {
    const one = await shop.deposit('USDT')
    expect((await shop.ask('USDT', [one.id])).refusal?.code).toBe('HOT_WALLET_MISSING')
    await shop.addGas()
    const { body: batch } = await shop.ask('USDT', [one.id])
    expect(batch.approvals).toMatchObject([{ kind: 'approve_tx', to: SANDBOX_TOKENS.usdt, nonce: 0 }])
    expect(batch.gasTopUps).toHaveLength(1)
    expect((await shop.list('USDT')).body.data).toMatchObject([{ gasState: 'needed', state: 'pending-approval' }])
    const { batchID, signatures } = await shop.signBatch('USDT', { batchID: batch.batchID })
    expect((await shop.post('USDT', batchID, signatures)).body.data).toMatchObject([{ approvalState: 'signed' }])
    expect(await shop.ready('USDT', [one.id])).toEqual([])
    await shop.work(10)
    expect(await shop.permissionOf(one.id)).toMatchObject({ state: 'approved' })
    expect(BigInt((await shop.permissionOf(one.id))?.fee_units ?? 0)).toBeGreaterThan(0n)
    expect((await shop.ready('USDT', [one.id]))[0]).toMatchObject({ kind: 'approve' })
    expect(await shop.broken()).toEqual([])
    // What is left of the gas on the address is what the ledger says.
    const { rows } = await sql<{ units: string }>`
      SELECT debits - credits AS units FROM accounts WHERE kind = 'chain:deposit-addresses' AND unit_id = ${ASSETS.ETH}
        AND owner_key = ${`address:${one.id}`}`.execute(app.ctx.db)
    expect(BigInt(rows[0]?.units ?? 0)).toBe(await shop.heldOf(one.address, 'ETH'))
    await shop.sweep({
      kind: 'pullToken',
      token: SANDBOX_TOKENS.usdt,
      items: [{ id: BigInt(one.address), units: UNITS }],
    })
    expect(await shop.heldOf(shop.collector, 'USDT')).toBe(UNITS)
  })

  it('takes delegations that were signed ahead, for tokens and coins alike (S-2, S-4)', async () => {
    const one = await shop.deposit('ETH', parseEther('0.1'))
    await deriveMore(shop.ctx, { walletId: shop.walletId, familyId: 1 }, 8)
    const { batchID, signatures } = await shop.signBatch('ETH', { walletID: shop.walletId })
    expect(batchID).toBe(`ahead-${shop.walletId}`)
    expect(signatures.length).toBeGreaterThan(1)
    const answer = await shop.post('ETH', batchID, signatures)
    // An account that has sent something, as for an approval, can delegate no more with what was signed ahead.
    expect(answer.body.rejected.map(({ code }) => code)).toEqual(['LAPSED'])
    expect(answer.body.accepted).toBe(signatures.length - 1)
    await warnOfFewDelegations(shop.ctx)
    expect(await openAlarms(shop.ctx)).toEqual([])
    await sql`UPDATE addresses SET status = 'withheld' WHERE status = 'open'`.execute(app.ctx.db)
    await warnOfFewDelegations(shop.ctx)
    expect(await openAlarms(shop.ctx)).toMatchObject([{ kind: 'delegations_low', params: { walletID: shop.walletId } }])
    await sql`UPDATE addresses SET status = 'open' WHERE status = 'withheld'`.execute(app.ctx.db)
    await warnOfFewDelegations(shop.ctx)
    expect(await openAlarms(shop.ctx)).toEqual([])
    // Addresses of later tests have signed nothing.
    await sql`DELETE FROM sweep_permissions USING addresses AS address WHERE address.id = address_id AND status = 'open'`.execute(
      app.ctx.db,
    )
    const [permission] = await shop.ready('ETH', [one.id])
    expect(permission).toMatchObject({ kind: 'authorization' })
    const signed = permission?.authorization
    const before = await shop.heldOf(shop.collector, 'ETH')
    const word = (value = 0n) => numberToHex(value, { size: 32 })
    const numbers = { chainId: Number(signed?.chainId), nonce: Number(signed?.nonce), yParity: signed?.yParity }
    const tuple = { ...numbers, address: signed?.address, r: word(signed?.r), s: word(signed?.s) }
    const items = [{ id: BigInt(one.address), units: parseEther('0.1') }]
    await shop.sweep({ kind: 'sweepNativeDelegated', items }, [tuple])
    expect((await shop.heldOf(shop.collector, 'ETH')) - before).toBe(parseEther('0.1'))
    await shop.pass(11 * 60_000)
    await shop.work(2)
    expect((await shop.ready('ETH', [one.id]))[0]).toMatchObject({ kind: 'authorization', authorization: null })
  })

  it('asks an address again where a node had counted transactions that it never sent', async () => {
    const one = await shop.deposit('USDT')
    await shop.addGas()
    const counted = (nonce: number) => anvil.call('anvil_setNonce', one.address, numberToHex(nonce))
    const sign = async (nonce: number) => {
      const { body: batch } = await shop.ask('USDT', [one.id])
      expect(batch.approvals).toMatchObject([{ kind: 'approve_tx', nonce }])
      const { batchID, signatures } = await shop.signBatch('USDT', { batchID: batch.batchID })
      expect((await shop.post('USDT', batchID, signatures)).body.accepted).toBe(1)
    }
    await counted(3)
    await sign(3)
    await counted(0)
    await shop.work(6)
    expect(await shop.permissionOf(one.id)).toMatchObject({ state: 'stale' })
    await counted(4)
    await sign(4)
    await counted(0)
    // As when two nodes were wrong: it is broadcast, and no block can take it.
    await sql`UPDATE sweep_permissions SET state = 'broadcast' WHERE address_id = ${one.id} AND state = 'signed'`.execute(
      app.ctx.db,
    )
    await shop.work(2)
    expect(await shop.permissionOf(one.id)).toMatchObject({ state: 'broadcast' })
    await shop.pass(60 * 60_000)
    await shop.work(1)
    expect(await shop.permissionOf(one.id)).toMatchObject({ state: 'stale' })
    await sign(0)
    await shop.work(10)
    expect(await shop.permissionOf(one.id)).toMatchObject({ state: 'approved' })
    expect(await shop.broken()).toEqual([])
  })

  it('brings gas once to an address that is asked again because it never came, and keeps none aside for the first time', async () => {
    await shop.addGas()
    const one = await shop.deposit('USDT')
    const sign = async () => {
      const { body: batch } = await shop.ask('USDT', [one.id])
      const { batchID, signatures } = await shop.signBatch('USDT', { batchID: batch.batchID })
      expect((await shop.post('USDT', batchID, signatures)).body.accepted).toBe(1)
    }
    const needed = async () => Number((await shop.overview('USDT')).body.gas.needed)
    const setGas = (status: 'active' | 'inactive') =>
      sql`UPDATE wallets SET status = ${status} WHERE wallet_type = 'hot_wallet'`.execute(app.ctx.db)
    const before = await needed()
    await sign()
    await setGas('inactive')
    await shop.work(1)
    expect(await needed()).toBeGreaterThan(before)
    await shop.pass(60 * 60_000)
    await shop.work(1)
    expect(await shop.permissionOf(one.id)).toMatchObject({ state: 'stale' })
    expect(await needed()).toBe(before)
    await setGas('active')
    await sign()
    await shop.work(8)
    expect(await shop.permissionOf(one.id)).toMatchObject({ state: 'approved' })
    const { rows } = await sql`
      SELECT FROM sweep_approvals WHERE address_id = ${one.id} AND top_up_send_id IS NOT NULL`.execute(app.ctx.db)
    expect(rows).toHaveLength(1)
    expect(await shop.broken()).toEqual([])
  })

  it('sends coins of an address that has sent something before, by a transfer to the collector', async () => {
    const one = await shop.deposit('ETH', parseEther('0.2'))
    await sql`DELETE FROM sweep_permissions WHERE address_id = ${one.id}`.execute(app.ctx.db)
    await anvil.call('anvil_setNonce', one.address, '0x1')
    const { body: batch } = await shop.ask('ETH', [one.id])
    expect(batch.approvals).toMatchObject([{ kind: 'transfer_tx', to: shop.collector, nonce: 1 }])
    const before = await shop.heldOf(shop.collector, 'ETH')
    const { batchID, signatures } = await shop.signBatch('ETH', { batchID: batch.batchID })
    await shop.post('ETH', batchID, signatures)
    await shop.work(6)
    expect(await shop.permissionOf(one.id)).toMatchObject({ state: 'used' })
    expect((await shop.heldOf(shop.collector, 'ETH')) - before).toBe(BigInt(batch.approvals[0]?.value ?? 0))
    expect(await shop.ready('ETH', [one.id])).toEqual([])
    expect(await shop.broken()).toEqual([])
  })

  it('takes and sends no transfer to a cold wallet that was taken out of use since it was asked for', async () => {
    const one = await shop.deposit('ETH', parseEther('0.2'))
    await sql`DELETE FROM sweep_permissions WHERE address_id = ${one.id}`.execute(app.ctx.db)
    await anvil.call('anvil_setNonce', one.address, '0x1')
    const { body: batch } = await shop.ask('ETH', [one.id])
    const { batchID, signatures } = await shop.signBatch('ETH', { batchID: batch.batchID })
    const before = await shop.heldOf(shop.collector, 'ETH')
    const setCold = (status: 'active' | 'inactive') =>
      sql`UPDATE wallets SET status = ${status} WHERE wallet_type = 'cold_wallet'`.execute(app.ctx.db)
    await setCold('inactive')
    expect((await shop.post('ETH', batchID, signatures)).body).toMatchObject({
      accepted: 0,
      rejected: [{ code: 'LAPSED' }],
    })
    expect((await shop.jobOf('ETH', { batchID })).body.data).toMatchObject([{ approval: null }])
    await setCold('active')
    const held = numberToHex(await shop.heldOf(one.address, 'ETH'))
    await anvil.call('anvil_setBalance', one.address, '0x0')
    expect((await shop.post('ETH', batchID, signatures)).body).toMatchObject({ accepted: 1, rejected: [] })
    await shop.work(1)
    expect(await shop.permissionOf(one.id)).toMatchObject({ state: 'signed' })
    await setCold('inactive')
    await anvil.call('anvil_setBalance', one.address, held)
    await shop.work(6)
    expect(await shop.permissionOf(one.id)).toMatchObject({ state: 'stale' })
    expect(await shop.heldOf(shop.collector, 'ETH')).toBe(before)
    await setCold('active')
    expect(await shop.broken()).toEqual([])
  })

  it('takes a permit again that was worth nothing for a while: its signature is the same', async () => {
    const [one, other] = [await shop.deposit('USDC'), await shop.deposit('USDC')]
    const permit = async ({ id }: { readonly id: number }) => {
      const { body } = await shop.ask('USDC', [id])
      const { batchID, signatures } = await shop.signBatch('USDC', { batchID: body.batchID })
      return (await shop.post('USDC', batchID, signatures)).body
    }
    expect(await permit(one)).toMatchObject({ accepted: 1, rejected: [] })
    expect(await permit(other)).toMatchObject({ accepted: 1, rejected: [] })
    expect(await shop.ready('USDC', [one.id])).toMatchObject([{ kind: 'permit' }])
    // As a node may say that lags or lies, or a token that is paused.
    const setCode = async (code: string) => {
      for (const { address } of [one, other]) await anvil.call('anvil_setCode', address, code)
    }
    await setCode('0x00')
    await shop.pass(11 * 60_000)
    await shop.work(1)
    expect(await shop.permissionOf(one.id)).toMatchObject({ state: 'stale' })
    await setCode('0x')
    expect(await permit(one)).toMatchObject({ accepted: 1, rejected: [], data: [{ approvalState: 'approved' }] })
    expect(await shop.ready('USDC', [one.id])).toMatchObject([{ kind: 'permit' }])
    // Others are what they were, until they give theirs again.
    expect(await shop.permissionOf(other.id)).toMatchObject({ state: 'stale' })
    expect(await permit(other)).toMatchObject({ accepted: 1, rejected: [], data: [{ approvalState: 'approved' }] })
    expect(await shop.broken()).toEqual([])
  })

  it('leaves blocks with an approval that was void, whatever the address has signed since', async () => {
    const one = await shop.deposit('USDT')
    await shop.addGas()
    const sign = async () => {
      const { body } = await shop.ask('USDT', [one.id])
      const { batchID, signatures } = await shop.signBatch('USDT', { batchID: body.batchID })
      expect((await shop.post('USDT', batchID, signatures)).body.accepted).toBe(1)
    }
    await sign()
    const code = await anvil.call('eth_getCode', SANDBOX_TOKENS.usdt, 'latest')
    await anvil.call('anvil_setCode', SANDBOX_TOKENS.usdt, '0x60006000fd')
    await shop.work(8)
    const { rows } = await sql<{ state: string; height: bigint }>`
      SELECT state, height FROM sweep_permissions WHERE address_id = ${one.id}`.execute(app.ctx.db)
    expect(rows).toMatchObject([{ state: 'stale' }])
    await anvil.call('anvil_setCode', SANDBOX_TOKENS.usdt, code)
    await sign()
    await anvil.call('anvil_reorg', (await anvil.height()) - Number(rows[0]?.height) + 1, [])
    await anvil.mine()
    await shop.reader.catchUp()
    const states = async () => {
      const found = await sql<{ state: string }>`
        SELECT state FROM sweep_permissions WHERE address_id = ${one.id} ORDER BY id`.execute(app.ctx.db)
      return found.rows.map(({ state }) => state)
    }
    expect(await states()).toEqual(['broadcast', 'stale'])
    expect(await shop.broken()).toEqual([])
    // Its token takes it this time; the chain has left that too.
    await anvil.call('anvil_setCode', SANDBOX_TOKENS.usdt, code)
    await shop.work(6)
    expect(await states()).toEqual(['approved', 'stale'])
    expect(await shop.broken()).toEqual([])
  })

  it('follows what was signed while the key that brings gas to others cannot be opened', async () => {
    const [one, other] = [await shop.deposit('USDT'), await shop.deposit('USDT')]
    const { body: batch } = await shop.ask('USDT', [one.id])
    const { batchID, signatures } = await shop.signBatch('USDT', { batchID: batch.batchID })
    await shop.post('USDT', batchID, signatures)
    for (let round = 0; round < 6 && (await shop.permissionOf(one.id))?.state === 'signed'; round += 1) {
      await shop.work(1)
    }
    expect(await shop.permissionOf(one.id)).toMatchObject({ state: 'broadcast' })
    await shop.ask('USDT', [other.id])
    const turnABit = () =>
      sql`UPDATE secrets SET sealed = set_bit(sealed, 0, 1 - get_bit(sealed, 0)) WHERE kind = 'hot_key'`.execute(
        app.ctx.db,
      )
    await turnABit()
    for (let round = 0; round < 4; round += 1) {
      await expect(shop.work(1)).rejects.toThrow('cannot be opened')
      await shop.settle()
    }
    expect(await shop.permissionOf(one.id)).toMatchObject({ state: 'approved' })
    await turnABit()
    await shop.work(3)
    expect(await shop.heldOf(other.address, 'ETH')).toBeGreaterThan(0n)
  })

  it('says of each signature that is not taken why, and keeps the others', async () => {
    const [one, other] = [await shop.deposit('USDC'), await shop.deposit('USDC')]
    const { body: batch } = await shop.ask('USDC', [one.id, other.id])
    const { batchID, signatures } = await shop.signBatch('USDC', { batchID: batch.batchID })
    const signed = signatures as { addressID: number; permit: object }[]
    const [first, second] = [one, other].map(({ id }) => signed.find(({ addressID }) => addressID === id))
    const swapped = { ...first, permit: second?.permit }
    const { body } = await shop.post('USDC', batchID, [
      swapped,
      second ?? {},
      { addressID: 999_999, signedTransaction: '0x02' },
    ])
    expect(body).toMatchObject({ accepted: 1, rejected: [{ code: 'WRONG_SIGNER' }, { code: 'NOT_IN_BATCH' }] })
    expect((await shop.post('USDC', batchID, [{ addressID: one.id, signedTransaction: '0x02' }])).refusal?.code).toBe(
      'SIGNATURE_INVALID',
    )
    await shop.pass(31 * 60_000)
    expect((await shop.post('USDC', batchID, [first ?? {}])).body.rejected).toMatchObject([{ code: 'BATCH_EXPIRED' }])
    expect((await shop.list('USDC')).body.data).toMatchObject([{ addressID: one.id, state: 'idle', batchID: null }])
  })

  it.each([
    ['SWEEP_NETWORK_UNSUPPORTED', 'BASE', 'USDC'],
    ['SWEEP_NETWORK_UNSUPPORTED', 'nowhere', 'USDC'],
    ['ASSET_NOT_FOUND', 'ETH', 'DOGE'],
  ])('answers %s for %s %s', async (code, b, c) => {
    const answer = await shop.overview(c, b)
    expect(answer.refusal?.code).toBe(code)
  })

  it('finds no batch of another asset, and asks no address without money', async () => {
    const one = await shop.deposit('USDC')
    const { body: batch } = await shop.ask('USDC', [one.id])
    expect((await shop.jobOf('USDT', { batchID: batch.batchID })).refusal?.code).toBe('SWEEP_BATCH_NOT_FOUND')
    expect(
      (await shop.post('USDT', batch.batchID, [{ addressID: one.id, signedTransaction: '0x' }])).refusal?.code,
    ).toBe('SWEEP_BATCH_NOT_FOUND')
    expect((await shop.ask('USDT', [one.id])).refusal?.code).toBe('SWEEP_BELOW_MINIMUM')
    const { body } = await shop.progress('USDC', batch.batchID)
    expect(body.data).toMatchObject([{ addressID: one.id, state: 'pending-approval', approvalState: 'none' }])
  })

  it('refuses a batch that the hot wallet cannot pay for', async () => {
    await shop.addGas()
    const one = await shop.deposit('USDT')
    await sql`UPDATE assets SET sweep_approval_batch_size = 50 WHERE id = ${ASSETS.USDT}`.execute(app.ctx.db)
    await anvil.call('anvil_setNextBlockBaseFeePerGas', numberToHex(10n ** 15n))
    await anvil.mine()
    const refused = await shop.ask('USDT', [one.id])
    expect(refused.refusal?.code).toBe('INSUFFICIENT_GAS')
    for (let block = 0; block < 120; block += 1) await anvil.mine()
    await shop.reader.catchUp()
  })
})
