/** A shop that is paid in Bitcoin on a local chain, with a device that signs what moves home. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { bitcoinAdapter } from '@kassa/chains/bitcoin/adapter.ts'
import { chainIn } from '@kassa/chains/chain.ts'
import { connect, jsonCall } from '@kassa/chains/node/client.ts'
import { openLocalBitcoin, type SentPayment } from '@kassa/chains/testing/bitcoin-node/local-bitcoin.ts'
import type { BitcoinProgram } from '@kassa/chains/testing/bitcoin-node/program.ts'
import { devicesRoutes } from '@kassa/contract/devices/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { offlineSweepsRoutes } from '@kassa/contract/sweeps/offline-routes.ts'
import type { OfflineBatchDetail } from '@kassa/contract/sweeps/offline-schemas.ts'
import { sweepsRoutes } from '@kassa/contract/sweeps/routes.ts'
import { coldWalletsRoutes } from '@kassa/contract/wallets/cold-routes.ts'
import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'
import { btc } from '@kassa/primitives/chains/definitions/btc.ts'
import { parseUnits } from '@kassa/primitives/money/units.ts'
import { sql } from 'kysely'
import { HDKey } from 'viem/accounts'
import { expect } from 'vitest'

import { INVARIANTS } from '../../app.ts'
import { asSystem } from '../../context.ts'
import { verify } from '../../modules/ledger/service.ts'
import { checkLedger } from '../../modules/reconciliation/service.ts'
import { followDevices } from '../../modules/sweeps/offline/service.ts'
import { testApp } from '../app.ts'
import { testReader } from '../test-follower.ts'

/** BIP-84 of test networks, as SLIP-132 writes its keys. */
const VPUB = { public: 0x045f1cf6, private: 0x045f18bc }
const account = HDKey.fromMasterSeed(Buffer.alloc(32, 'offline'), VPUB).derive("m/84'/1'/0'")
export const BITCOIN = chainIn('sandbox', btc)
const [FAMILY, BTC] = [2, 2]
export const COLD_SCRIPT = Uint8Array.of(0, 20, ...Buffer.alloc(20, 9))
export const COLD = bitcoinAdapter.addresses.format(BITCOIN, COLD_SCRIPT)
/** A hundredth of a coin: below the value for which a second node is asked, which a job does that does not run here. */
export const CENT = 10n ** 6n
/** As deep as money of any amount must lie. */
export const CONFIRMED = 12

export type OfflineShop = Awaited<ReturnType<typeof openOfflineShop>>

/** Opens the shop with an app, a local chain and a paired device of its own. */
export async function openOfflineShop(program: BitcoinProgram) {
  const folder = mkdtempSync(join(tmpdir(), 'kassa-offline-'))
  const local = await openLocalBitcoin(program, folder, Buffer.alloc(32, 5))
  const app = await testApp()
  const ctx = asSystem(app.ctx)
  const key = await app.signUp()
  await app.setLocalNode('BTC', local.url)
  const projectId = (await app.call(projectsRoutes.createProject, { body: { name: 'Shop' } }, { key })).body.id
  const xpubs = [{ family: 'BTC_Family', xpub: account.publicExtendedKey }]
  const added = await app.call(
    walletsRoutes.addDepositWallet,
    { body: { name: 'Bitcoin', projectID: projectId, xpubs } },
    { key },
  )
  const walletId = added.body.id
  const cold = { params: { id: 'BTC' }, body: { name: 'Vault', address: COLD } }
  await app.call(coldWalletsRoutes.addColdWallet, cold, { key })
  const reader = await testReader(ctx, 'BTC')
  await reader.catchUp()
  let index = 0

  async function pair(): Promise<string> {
    const code = (await app.call(devicesRoutes.getSystemDetails, {}, { key })).body.code ?? ''
    const body = { code, deviceName: 'Phone', publicKey: randomBytes(32).toString('base64') }
    // Not every 32 bytes are a point of the curve.
    for (;;) {
      const paired = await app.call(devicesRoutes.pairDevice, { body })
      if (paired.status === 201) return paired.body.key ?? ''
      expect(paired.refusal?.code).toBe('VALIDATION_FAILED')
      body.publicKey = randomBytes(32).toString('base64')
    }
  }
  const settle = async () => {
    await local.mine(CONFIRMED)
    await reader.catchUp()
  }
  /** Customers who paid so much each, final; their payments. */
  async function paid(...amounts: bigint[]): Promise<SentPayment[]> {
    const sent: SentPayment[] = []
    for (const units of amounts) {
      const address = bitcoinAdapter.deposits.derive(BITCOIN, source, index)
      const script = Buffer.from(bitcoinAdapter.addresses.key(BITCOIN, address))
      await sql`
        WITH customer AS (
          INSERT INTO customers (project_id, customer_id) VALUES (${projectId}, ${randomBytes(8).toString('hex')}) RETURNING id
        )
        INSERT INTO addresses (wallet_id, family_id, key, address, derivation_index, path, status, customer_id, project_id)
        SELECT ${walletId}, ${FAMILY}, ${script}, ${address}, ${index}, ${String(index)}, 'assigned', customer.id, ${projectId}
        FROM customer
        ON CONFLICT (wallet_id, family_id, derivation_index) DO UPDATE
          SET status = 'assigned', customer_id = excluded.customer_id, project_id = excluded.project_id`.execute(ctx.db)
      const payment = await local.send({ to: script, units })
      if (payment) sent.push(payment)
      index += 1
    }
    await settle()
    return sent
  }
  const plan = () => app.call(sweepsRoutes.planSweep, { body: { blockchainCode: 'BTC', currencyCode: 'BTC' } }, { key })
  async function begin(): Promise<number> {
    const planned = await plan()
    const started = await app.call(sweepsRoutes.startSweep, { body: { planID: planned.body.planID } }, { key })
    expect(started.refusal).toBeUndefined()
    return started.body.sweeps[0]?.id ?? 0
  }
  const batch = (id: number, by = device) =>
    app.call(offlineSweepsRoutes.getOfflineSweep, { params: { id } }, { key: by })
  const post = (id: number, psbt: string, by = device) =>
    app.call(offlineSweepsRoutes.signOfflineSweep, { params: { id }, body: { psbt } }, { key: by })
  const list = async (by = device) => (await app.call(offlineSweepsRoutes.listOfflineSweeps, {}, { key: by })).body
  const read = async (id: number) => (await app.call(sweepsRoutes.getSweep, { params: { id } }, { key })).body

  const keyAt = (at: number) => account.deriveChild(0).deriveChild(at).privateKey ?? Buffer.alloc(0)
  const source = bitcoinAdapter.deposits.check(account.publicExtendedKey, 'sandbox')
  /** What a batch is made of, as its reader sees it. */
  const planOf = ({ sweepTransactions, destination, fee }: OfflineBatchDetail) => ({
    source,
    inputs: sweepTransactions.map(({ txid: txId, vout, amount, path }) => ({
      ...{ txId, vout, units: parseUnits(amount, 8), index: Number(path.split('/').at(-1)) },
    })),
    to: destination,
    fee: parseUnits(fee, 8),
  })
  const send = (hex: string) => connect({ id: 0, url: local.url }).call(jsonCall('sendrawtransaction', hex))
  const ledger = async (kind: string) => {
    const { rows } = await sql<{ units: string }>`
      SELECT coalesce(sum(debits - credits), 0)::text AS units FROM accounts WHERE kind = ${kind} AND unit_id = ${BTC}`.execute(
      ctx.db,
    )
    return BigInt(rows[0]?.units ?? 0)
  }
  /** By how much the outputs that a node calls unspent differ from what deposit addresses must hold. */
  const drift = async () => {
    const report = await checkLedger(ctx, INVARIANTS)
    expect(report.unchecked.filter(({ blockchainCode }) => blockchainCode === 'BTC')).toEqual([])
    return report.drift.filter(({ asset }) => asset.id === BTC).map(({ ledger: booked, chain: held }) => held - booked)
  }
  /** The ledger says what the chain does, whatever is under way. */
  async function expectEqual(): Promise<void> {
    expect(await drift()).toEqual([0n])
    expect(await ledger('chain:cold')).toBe(await local.balance(COLD_SCRIPT))
    expect(await verify(ctx, INVARIANTS)).toEqual([])
  }
  const follow = async () => {
    await followDevices(ctx)
    await settle()
    await followDevices(ctx)
  }
  const device = await pair()
  const stop = async () => {
    await app.stop()
    await local.stop()
    rmSync(folder, { recursive: true })
  }
  return {
    ...{ app, ctx, key, device, local, reader, source, stop },
    ...{ paid, settle, plan, begin, batch, post, list, read, keyAt, planOf, send, ledger, drift, expectEqual, follow },
    /** The address that was paid last, or one before. */
    addressBefore: (ago: number) => bitcoinAdapter.deposits.derive(BITCOIN, source, index - ago),
  }
}
