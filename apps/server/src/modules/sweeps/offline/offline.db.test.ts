import { bitcoinAdapter } from '@kassa/chains/bitcoin/adapter.ts'
import { signPsbt, spendElsewhere } from '@kassa/chains/testing/offline-signer.ts'
import { findBitcoinProgram } from '@kassa/chains/testing/bitcoin-node/program.ts'
import { auditRoutes } from '@kassa/contract/audit/routes.ts'
import { devicesRoutes } from '@kassa/contract/devices/routes.ts'
import { offlineSweepsRoutes } from '@kassa/contract/sweeps/offline-routes.ts'
import { sweepsRoutes } from '@kassa/contract/sweeps/routes.ts'
import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'

import { INVARIANTS } from '../../../app.ts'
import type { Context } from '../../../context.ts'
import { killAtEachStep } from '../../../testing/crashes/kill-at-each-step.ts'
import {
  BITCOIN,
  CENT,
  COLD,
  COLD_SCRIPT,
  CONFIRMED,
  type OfflineShop,
  openOfflineShop,
} from '../../../testing/money-out/offline-sweeps.ts'
import { testReader } from '../../../testing/test-follower.ts'
import { verify } from '../../ledger/service.ts'
import { compareAddresses } from '../../reconciliation/compare-addresses.ts'
import { bookDiscrepancy } from '../../reconciliation/service.ts'
import { openAlarms } from '../../alarms/service.ts'
import { checkSignature, followDevices, takeSignature } from './service.ts'
import { sweepDue } from '../automatic/service.ts'

const program = findBitcoinProgram()
const shop = program === null ? null : await openOfflineShop(program)

describe.runIf(shop !== null)('sweeps of Bitcoin', () => {
  const { app, ctx, key, device, local, reader, paid, settle, plan, begin, batch, post, list, read, ...more } = (shop ??
    {}) as OfflineShop
  const { keyAt, planOf, send, ledger, drift, expectEqual, follow } = more
  afterAll(() => shop?.stop())

  const planned = async () =>
    (await sql<{ id: bigint }>`SELECT id FROM sweeps WHERE status = 'planned' ORDER BY id`.execute(ctx.db)).rows
  /** What the paired device signs comes back to a process. */
  async function signAs(process: Context, id: bigint): Promise<void> {
    const psbt = signPsbt((await batch(Number(id))).body.psbt, keyAt)
    const checked = await checkSignature(process, 'every', { id, psbt })
    await takeSignature(process, 'every', { id, checked })
  }

  const scriptPaidBy = async (txId: string) => {
    const { rows } = await sql<{ key: Buffer }>`
      SELECT address.key FROM deposits AS deposit JOIN addresses AS address ON address.id = deposit.address_id
      WHERE deposit.tx_id = ${txId}`.execute(ctx.db)
    return rows[0]?.key ?? Buffer.alloc(0)
  }

  it('are handed to a paired device, taken back signed, sent and settled', async () => {
    await paid(CENT, CENT / 2n)
    const planned = (await plan()).body
    expect(planned).toMatchObject({
      skipped: [],
      batches: [{ addressCount: 2, amount: '0.015', fundCollectorAddress: COLD }],
    })
    const id = await begin()
    expect((await plan()).body.batches).toEqual([])
    expect(await list()).toMatchObject({
      totalCount: 1,
      sweepTransactionInfo: [{ id, status: 'pending', total: '0.015', numberOfUTXOs: 2 }],
    })
    const { body } = await batch(id)
    expect(body).toMatchObject({ destination: COLD, blockchainType: 'BTC' })
    expect(body.sweepTransactions.map(({ path }) => path).toSorted()).toEqual(["m/84'/1'/0'/0/0", "m/84'/1'/0'/0/1"])
    expect(await read(id)).toMatchObject({
      status: 'planned',
      path: 'device',
      sentBy: 'device',
      waits: { code: 'WAITS_FOR_SIGNATURE' },
    })

    expect((await post(id, body.psbt)).refusal).toMatchObject({ code: 'SIGNATURE_INVALID' })
    const elsewhere = { ...planOf(body), to: 'bcrt1q6rz28mcfaxtmd6v789l9rrlrusdprr9pz3cppk' }
    const other = await bitcoinAdapter.psbts.build(BITCOIN, elsewhere)
    const forged = await post(id, signPsbt(other.psbt, keyAt))
    expect(forged.refusal).toMatchObject({ code: 'SWEEP_TX_MISMATCH', data: { reason: { code: 'OTHER_OUTPUT' } } })

    const signed = signPsbt(body.psbt, keyAt)
    const answers = await Promise.all([post(id, signed), post(id, signed, key)])
    expect(new Set(answers.map(({ refusal }) => refusal?.code))).toEqual(new Set(['SWEEP_TX_RECORDED', undefined]))
    expect(await read(id)).toMatchObject({ status: 'sweep-initiated', txHash: body.txHash })
    const { data } = (await app.call(auditRoutes.listAuditEntries, {}, { key })).body
    const [first] = data.filter(
      ({ eventName, apiStatus }) => eventName === 'signOfflineSweep' && apiStatus === 'SUCCESS',
    )
    expect([first?.device?.name ?? first?.Member?.email]).not.toEqual([undefined])
    await followDevices(ctx)
    // In no block yet, while the node calls its outputs spent.
    expect(await drift()).toEqual([0n])
    await follow()
    expect(await read(id)).toMatchObject({
      status: 'completed',
      sweptCount: 2,
      networkFee: body.fee,
      txHash: body.txHash,
    })
    expect(await list()).toMatchObject({ sweepTransactionInfo: [{ id, status: 'done' }] })
    expect(await ledger('chain:deposit-addresses')).toBe(0n)
    await expectEqual()
  }, 60_000)

  it('move what they hold once, wherever the process dies', { timeout: 3_600_000 }, async () => {
    let heldBefore = 0n
    const work = async (process: Context) => {
      await sweepDue(process)
      for (const { id } of await planned()) await signAs(process, id)
      const own = await testReader(process, 'BTC')
      for (let round = 0; round < 2; round += 1) {
        await followDevices(process)
        await local.mine(CONFIRMED)
        await own.catchUp()
      }
      await followDevices(process)
    }
    const awaits = await killAtEachStep({
      ctx,
      prepare: async () => {
        await paid(CENT)
        await sql`UPDATE deposits SET final_at = final_at - interval '31 minutes'`.execute(ctx.db)
        heldBefore = await local.balance(COLD_SCRIPT)
      },
      work,
      resume: async (wasKilled) => {
        if (wasKilled) await work(ctx)
        await reader.lead()
        const { rows } = await sql<{ status: string; fee_units: string; transactions: number }>`
          SELECT status, fee_units, (SELECT count(DISTINCT tx_id)::int FROM movements
            WHERE from_address_id = (SELECT max(id) FROM addresses)) AS transactions
          FROM sweeps WHERE id = (SELECT max(sweep_id) FROM sweep_items WHERE address_id = (SELECT max(id) FROM addresses))`.execute(
          ctx.db,
        )
        expect(rows).toMatchObject([{ status: 'completed', transactions: 1 }])
        expect((await local.balance(COLD_SCRIPT)) - heldBefore).toBe(CENT - BigInt(rows[0]?.fee_units ?? 0))
        await expectEqual()
      },
      stride: 11,
    })
    expect(awaits).toBeGreaterThan(10)
  })

  it('do not wait for coins that were spent elsewhere between plan and start, signed or not', async () => {
    const started: number[] = []
    const outputs = [{ script: COLD_SCRIPT, amount: CENT - 1_000n }]
    for (const isSigned of [false, true]) {
      await paid(CENT)
      const before = await begin()
      const { psbt } = (await batch(before)).body
      await app.call(offlineSweepsRoutes.releaseOfflineSweep, { params: { id: before } }, { key })
      const { planID } = (await plan()).body
      await send(spendElsewhere(psbt, outputs, keyAt))
      await local.mine(1)
      await reader.catchUp()
      const { body } = await app.call(sweepsRoutes.startSweep, { body: { planID } }, { key })
      const id = body.sweeps[0]?.id ?? 0
      if (isSigned) await post(id, signPsbt((await batch(id)).body.psbt, keyAt))
      else await followDevices(ctx)
      if (!isSigned) expect((await read(id)).status).toBe('sweep-cancelled')
      started.push(id)
      await follow()
      await settle()
    }
    expect(await Promise.all(started.map(read))).toMatchObject([
      { status: 'sweep-cancelled', errors: [{ statusCode: 'DEPOSIT_GONE' }] },
      { status: 'failed', errors: [{ statusCode: 'DEPOSIT_GONE' }] },
    ])
    await expectEqual()
  }, 60_000)

  it('fail where a reorganisation removed one of their deposits for good, and release the others', async () => {
    await paid(CENT)
    const [gone] = await paid(CENT / 2n)
    if (!gone) throw new Error('Nobody paid')
    const id = await begin()
    await post(id, signPsbt((await batch(id)).body.psbt, keyAt))
    await local.reorganize(CONFIRMED)
    await local.send({ to: local.payer, units: CENT / 2n, fee: 20_000n, replaces: gone })
    await settle()
    await followDevices(ctx)
    expect(await read(id)).toMatchObject({ status: 'failed', errors: [{ statusCode: 'DEPOSIT_GONE' }] })
    await expectEqual()
    const again = await begin()
    await post(again, signPsbt((await batch(again)).body.psbt, keyAt))
    await follow()
    expect(await read(again)).toMatchObject({ status: 'completed', sweptCount: 1 })
    await expectEqual()
  }, 60_000)

  it('wait for no output that a reorganisation removed, though its address received as much again', async () => {
    const ids: number[] = []
    for (const isSigned of [false, true]) {
      const [gone] = await paid(CENT)
      if (!gone) throw new Error('Nobody paid')
      const id = await begin()
      const { psbt } = (await batch(id)).body
      const script = await scriptPaidBy(gone.txId)
      await local.reorganize(CONFIRMED)
      await local.send({ to: local.payer, units: CENT, fee: 20_000n, replaces: gone })
      await local.send({ to: script, units: CENT })
      await settle()
      if (isSigned) await post(id, signPsbt(psbt, keyAt))
      await followDevices(ctx)
      ids.push(id)
      await expectEqual()
      const again = await begin()
      await post(again, signPsbt((await batch(again)).body.psbt, keyAt))
      await follow()
      expect(await read(again)).toMatchObject({ status: 'completed', sweptCount: 1 })
      await expectEqual()
    }
    expect(await Promise.all(ids.map(read))).toMatchObject([
      { status: 'sweep-cancelled', errors: [{ statusCode: 'DEPOSIT_GONE' }] },
      { status: 'failed', errors: [{ statusCode: 'DEPOSIT_GONE' }] },
    ])
  }, 60_000)

  it('are replaced with the same coins at a higher fee', async () => {
    await paid(CENT)
    const id = await begin()
    const first = (await batch(id)).body
    expect((await app.call(sweepsRoutes.retrySweep, { params: { id }, body: {} }, { key })).refusal?.code).toBe(
      'SWEEP_NOT_FAILED',
    )
    await post(id, signPsbt(first.psbt, keyAt))
    await followDevices(ctx)
    expect(await read(id)).toMatchObject({ status: 'broadcast' })
    const cheap = { params: { id }, body: { maxFee: first.fee } }
    expect((await app.call(sweepsRoutes.retrySweep, cheap, { key })).refusal?.code).toBe('SWEEP_NOT_FAILED')
    expect(
      (await app.call(sweepsRoutes.retrySweep, { params: { id }, body: { maxFee: '0.00001' } }, { key })).refusal,
    ).toBeUndefined()
    const second = (await batch(id)).body
    expect(second).toMatchObject({ status: 'pending', fee: '0.00001', sweepTransactions: first.sweepTransactions })
    await post(id, signPsbt(second.psbt, keyAt))
    await follow()
    expect(await read(id)).toMatchObject({ status: 'completed', networkFee: '0.00001', txHash: second.txHash })
    await expectEqual()
  }, 60_000)

  it('are found on the chain when their wallet sends them without Kassa, even after they were abandoned', async () => {
    await paid(CENT)
    const id = await begin()
    const { body } = await batch(id)
    const { psbt } = body
    const released = await app.call(offlineSweepsRoutes.releaseOfflineSweep, { params: { id } }, { key })
    expect(released.body.sweep.status).toBe('sweep-cancelled')
    expect((await post(id, signPsbt(psbt, keyAt))).refusal?.code).toBe('SWEEP_NOT_FOUND')
    const again = await begin()
    const signed = await bitcoinAdapter.psbts.check(BITCOIN, planOf(body), signPsbt(psbt, keyAt))
    if (signed.kind === 'refused') throw new Error(signed.why.code)
    await send(Buffer.from(signed.raw).toString('hex'))
    await follow()
    expect([(await read(id)).status, (await read(again)).status]).toEqual(['completed', 'sweep-cancelled'])
    await expectEqual()
  }, 60_000)

  it('are accepted no more once their cold wallet is deactivated, and are planned anew when it may receive again', async () => {
    await paid(CENT)
    const id = await begin()
    const psbt = signPsbt((await batch(id)).body.psbt, keyAt)
    const { rows } = await sql<{ id: number }>`SELECT wallet_id AS id FROM cold_addresses`.execute(ctx.db)
    const setCold = (status: string) =>
      app.call(walletsRoutes.setWalletStatus, { params: { id: rows[0]?.id ?? 0, status } }, { key })
    await setCold('inactive')
    expect((await post(id, psbt)).refusal?.code).toBe('SWEEP_PLAN_EXPIRED')
    await follow()
    expect(await read(id)).toMatchObject({ status: 'sweep-cancelled' })
    expect((await list()).sweepTransactionInfo.filter((one) => one.id === id)).toEqual([])
    await setCold('active')
    expect((await post(id, psbt)).refusal?.code).toBe('SWEEP_NOT_FOUND')
    const again = await begin()
    expect((await post(again, signPsbt((await batch(again)).body.psbt, keyAt))).status).toBe(200)
    await follow()
    await settle()
    await follow()
    await expectEqual()
  })

  it('no longer wait for coins that were spent elsewhere, and are accepted from no unpaired device', async () => {
    await paid(CENT)
    const id = await begin()
    const { psbt, sweepTransactions } = (await batch(id)).body
    const devices = (await app.call(devicesRoutes.listDevices, {}, { key })).body.devices
    expect((await app.call(sweepsRoutes.listSweeps, {}, { key: device })).refusal?.code).toBe('FORBIDDEN')
    await app.call(devicesRoutes.unpairDevice, { params: { id: devices[0]?.id ?? 0 } }, { key })
    expect((await post(id, signPsbt(psbt, keyAt))).refusal?.code).toBe('UNAUTHORIZED')
    // The owner spends the coins with their own wallet: to the cold wallet, and with change.
    const outputs = [
      { script: COLD_SCRIPT, amount: CENT / 2n },
      { script: local.payer, amount: CENT / 2n - 1_000n },
    ]
    await send(spendElsewhere(psbt, outputs, keyAt))
    await follow()
    expect(await drift()).toEqual([-CENT])
    await compareAddresses(ctx)
    const alarms = async () => (await openAlarms(ctx)).map(({ kind, text }) => [kind, text])
    expect(await alarms()).toEqual([['ledger_imbalance', expect.stringContaining('0.01 BTC on BTC')]])
    expect(await read(id)).toMatchObject({ status: 'sweep-cancelled', errors: [{ statusCode: 'DEPOSIT_GONE' }] })
    expect((await plan()).body).toMatchObject({ batches: [], skipped: [{ reason: { code: 'WOULD_FAIL' } }] })
    expect(await verify(ctx, INVARIANTS)).toEqual([])
    const at = { chain: 'BTC', address: sweepTransactions[0]?.address ?? '', asset: 'BTC' }
    await bookDiscrepancy(ctx, { ...at, amount: '0.01', note: 'moved by hand' })
    await compareAddresses(ctx)
    expect([await drift(), await alarms()]).toEqual([[0n], []])
  }, 60_000)
})
