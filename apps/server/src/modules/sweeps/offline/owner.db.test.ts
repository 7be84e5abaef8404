import { bitcoinAdapter } from '@kassa/chains/bitcoin/adapter.ts'
import { findBitcoinProgram } from '@kassa/chains/testing/bitcoin-node/program.ts'
import { signPsbt, spendElsewhere } from '@kassa/chains/testing/offline-signer.ts'
import { offlineSweepsRoutes } from '@kassa/contract/sweeps/offline-routes.ts'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'

import { INVARIANTS } from '../../../app.ts'
import {
  BITCOIN,
  CENT,
  COLD_SCRIPT,
  type OfflineShop,
  openOfflineShop,
} from '../../../testing/money-out/offline-sweeps.ts'
import { verify } from '../../ledger/service.ts'
import { compareAddresses } from '../../reconciliation/compare-addresses.ts'
import { bookDiscrepancy } from '../../reconciliation/service.ts'
import { followDevices } from './service.ts'

const program = findBitcoinProgram()
const shop = program === null ? null : await openOfflineShop(program)

describe.runIf(shop !== null)('sweeps of Bitcoin, and what their owner does alone', () => {
  const { app, ctx, key, local, reader, paid, settle, begin, batch, post, read, ...more } = (shop ?? {}) as OfflineShop
  const { keyAt, planOf, send, expectEqual, follow, addressBefore } = more
  afterAll(() => shop?.stop())

  it('fail where their wallet sent them, and sent another transaction in their place after a reorganisation', async () => {
    await paid(CENT)
    const id = await begin()
    const { body } = await batch(id)
    const signed = await bitcoinAdapter.psbts.check(BITCOIN, planOf(body), signPsbt(body.psbt, keyAt))
    if (signed.kind === 'refused') throw new Error(signed.why.code)
    await send(Buffer.from(signed.raw).toString('hex'))
    await local.mine(1)
    await reader.catchUp()
    expect(await read(id)).toMatchObject({ status: 'broadcast' })
    await local.reorganize(1)
    await send(spendElsewhere(body.psbt, [{ script: COLD_SCRIPT, amount: CENT - 20_000n }], keyAt))
    await followDevices(ctx)
    expect(await read(id)).toMatchObject({ status: 'broadcast' })
    await follow()
    expect(await read(id)).toMatchObject({ status: 'failed', errors: [{ statusCode: 'DEPOSIT_GONE' }] })
    // Transfers of the other transaction are booked once the sweep releases them.
    await settle()
    await expectEqual()
  }, 60_000)

  it('are not needed where the owner moves coins to another deposit address, less the fee of the network', async () => {
    await paid(CENT)
    const id = await begin()
    const { psbt } = (await batch(id)).body
    await app.call(offlineSweepsRoutes.releaseOfflineSweep, { params: { id } }, { key })
    await paid(CENT)
    const script = bitcoinAdapter.addresses.key(BITCOIN, addressBefore(1))
    await send(spendElsewhere(psbt, [{ script, amount: CENT - 1_000n }], keyAt))
    await settle()
    expect(await verify(ctx, INVARIANTS)).toEqual([])
    const at = { chain: 'BTC', address: addressBefore(2), asset: 'BTC' }
    await compareAddresses(ctx)
    await bookDiscrepancy(ctx, { ...at, amount: '0.01', note: 'moved by hand' })
    const again = await begin()
    await post(again, signPsbt((await batch(again)).body.psbt, keyAt))
    await follow()
    expect(await read(again)).toMatchObject({ status: 'completed', sweptCount: 1 })
    await expectEqual()
  }, 60_000)

  it('keep none of the others waiting where one fails', async () => {
    const started: number[] = []
    for (const units of [CENT, CENT]) {
      await paid(units)
      started.push(await begin())
    }
    const [first = 0, second = 0] = started
    const plant = async (work: () => Promise<unknown>) => {
      await sql`CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'planted'; END $$`.execute(
        ctx.db,
      )
      await sql`
        CREATE TRIGGER planted BEFORE UPDATE ON sweeps FOR EACH ROW WHEN (OLD.id = ${sql.lit(first)}) EXECUTE FUNCTION planted()`.execute(
        ctx.db,
      )
      await expect(work()).rejects.toThrow('planted')
      await sql`DROP FUNCTION planted CASCADE`.execute(ctx.db)
    }
    for (const id of started) await post(id, signPsbt((await batch(id)).body.psbt, keyAt))
    await plant(() => followDevices(ctx))
    expect((await read(second)).status).toBe('broadcast')
    await follow()
    expect([(await read(first)).status, (await read(second)).status]).toEqual(['completed', 'completed'])
    await expectEqual()
  }, 60_000)
})
