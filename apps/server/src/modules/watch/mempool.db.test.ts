import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { bitcoinAdapter } from '@kassa/chains/bitcoin/adapter.ts'
import { chainIn } from '@kassa/chains/chain.ts'
import { type LocalBitcoin, openLocalBitcoin } from '@kassa/chains/testing/bitcoin-node/local-bitcoin.ts'
import { findBitcoinProgram } from '@kassa/chains/testing/bitcoin-node/program.ts'
import { paymentRepairRoutes } from '@kassa/contract/payments/repair-routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { reconciliationRoutes } from '@kassa/contract/reconciliation/routes.ts'
import { webhooksRoutes } from '@kassa/contract/webhooks/routes.ts'
import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'
import { btc } from '@kassa/primitives/chains/definitions/btc.ts'
import { Webhook } from 'standardwebhooks'
import { sql } from 'kysely'
import { HDKey } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { type TestApp, testApp } from '../../testing/app.ts'
import { type Receiver, startReceiver } from '../../testing/receiver.ts'
import { openShop, type Shop } from '../../testing/shop.ts'

/** BIP-84 of test networks, as SLIP-132 writes its keys. */
const VPUB = { public: 0x045f1cf6, private: 0x045f18bc }
const account = HDKey.fromMasterSeed(Buffer.alloc(32, 'mempool'), VPUB).derive("m/84'/1'/0'").publicExtendedKey
const PAYER = Buffer.alloc(32, 7)
const program = findBitcoinProgram()

describe.runIf(program !== null)('payments that wait to be mined', () => {
  let folder: string
  let local: LocalBitcoin
  let app: TestApp
  let shop: Shop
  let key: string
  let receiver: Receiver
  let secret: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kassa-mempool-'))
    local = await openLocalBitcoin(program ?? 'bitcoind', folder, PAYER)
    app = await testApp()
    key = await app.signUp()
    receiver = await startReceiver()
    shop = await openShop(app, key)
    await app.setLocalNode('BTC', local.url)
    const wallet = { name: 'Bitcoin', projectID: shop.projectId, xpubs: [{ family: 'BTC_Family', xpub: account }] }
    await app.call(walletsRoutes.addDepositWallet, { body: wallet }, { key })
    const hook = { params: { p: shop.p }, body: { url: receiver.url } }
    secret = (await app.call(webhooksRoutes.createWebhook, hook, { key })).body.secret ?? ''
    await app.start('watcher')
    await app.start('worker')
  })
  afterAll(async () => {
    await app.stop()
    await local.stop()
    await receiver.close()
    rmSync(folder, { recursive: true })
  })

  const stateOf = async (ref: string) =>
    (await app.call(paymentsRoutes.getPaymentByReference, { params: { ref } })).body
  const diagnose = async (ref: string, txHash: string) =>
    (await app.call(paymentRepairRoutes.diagnosePayment, { params: { ref }, body: { txHash, blockchainCode: 'BTC' } }))
      .body
  const until = (ref: string, expected: object) =>
    vi.waitFor(async () => expect(await stateOf(ref)).toMatchObject(expected), { timeout: 60_000, interval: 200 })
  /** A payment of $30, 0.0005 BTC on the sandbox. */
  async function newPayment(customerID: string) {
    const body = { customerID, customerEmail: `${customerID}@x.example`, amountInUSD: '30' }
    const created = await app.call(paymentsRoutes.createPayment, { body }, { key: shop.apiKey })
    const ref = created.body.reference_id
    const choice = { blockchain_code: 'BTC', currency_code: 'BTC' }
    const pinned = await vi.waitFor(async () => {
      const answer = await app.call(paymentsRoutes.pinPayment, { params: { ref }, body: choice })
      expect(answer.refusal).toBeUndefined()
      return answer
    }, 20_000)
    return { ref, script: bitcoinAdapter.addresses.key(chainIn('sandbox', btc), pinned.body.Address) }
  }

  const untilMined = (sent: readonly { readonly txHash: string }[]) =>
    vi.waitFor(async () => {
      const { rows } = await sql`
        SELECT FROM mempool_sightings WHERE mined_at IS NOT NULL AND tx_id = ANY(${sent.map(({ txHash }) => txHash)})`.execute(
        app.ctx.db,
      )
      expect(rows).toHaveLength(sent.length)
    }, 20_000)

  /** While a transfer waits, the payer chooses no other currency and no newer rate. */
  async function pinnedAtOnce(ref: string) {
    const pin = (blockchain_code: string, currency_code: string) =>
      app.call(paymentsRoutes.pinPayment, { params: { ref }, body: { blockchain_code, currency_code } })
    await sql`UPDATE quotes SET locked_until = now() - interval '1 minute'`.execute(app.ctx.db)
    const quotes = async () => (await sql`SELECT id FROM quotes`.execute(app.ctx.db)).rows
    const before = await quotes()
    expect((await pin('BTC', 'BTC')).refusal).toBeUndefined()
    expect((await pin('ETH', 'USDC')).refusal?.code).toBe('PAYMENT_PINNED')
    expect(await quotes()).toEqual(before)
  }

  it(
    'are shown with no confirmation, count from their block on, and are on time by their first sight',
    { timeout: 180_000 },
    async () => {
      const { ref, script } = await newPayment('waits')
      const sent = await local.send({ to: script, units: 50_000n })
      await until(ref, {
        paymentState: 'OPEN',
        fundingState: 'detected',
        confirmationCurrent: 0,
        confirmationRequired: 2,
        deposits: [{ txHash: sent?.txId, amount: '0.0005', state: 'waiting', confirmations: 0 }],
        filledAmount: '0',
      })
      await local.mine(1)
      await until(ref, { fundingState: 'detected', confirmationCurrent: 1, deposits: [{ confirmations: 1 }] })
      await local.mine(1)
      await until(ref, { paymentState: 'FILLED', fundingState: 'confirmed', filledAmount: '0.0005', dropped: [] })
      expect((await stateOf(ref)).deposits).toHaveLength(1)

      const filled = await vi.waitFor(() => {
        const posted = receiver.requests.filter(({ body }) => body.includes('"payment.filled"'))
        expect(posted).toHaveLength(1)
        return posted[0]
      }, 20_000)
      const signed = new Webhook(secret).verify(filled?.body ?? '', filled?.headers as Record<string, string>)
      expect(signed).toMatchObject({ reference_id: ref })
      expect(await local.balance(script)).toBe(50_000n)
      expect((await app.call(reconciliationRoutes.checkLedger, {}, { key })).body).toMatchObject({
        ok: true,
        chainDrift: [],
      })
    },
  )

  it(
    'wait no more once they are mined, also where they pay a part, or another payment',
    { timeout: 180_000 },
    async () => {
      const [part, other] = [await newPayment('part'), await newPayment('other')]
      await local.send({ to: part.script, units: 20_000n })
      await until(part.ref, { fundingState: 'detected' })
      // Both the block and the depth that makes it final are read in one pass.
      await local.mine(3)
      await until(part.ref, { paymentState: 'PARTIALLY_FILLED', fundingState: 'confirmed', filledAmount: '0.0002' })

      const elsewhere = await local.send({ to: part.script, units: 10_000n })
      await until(part.ref, { fundingState: 'detected' })
      await sql`
      UPDATE mempool_sightings SET payment_id = (SELECT id FROM payments WHERE reference_id = ${other.ref})
      WHERE tx_id = ${elsewhere?.txId}`.execute(app.ctx.db)
      await sql`UPDATE payments SET funding_state = 'detected' WHERE reference_id = ${other.ref}`.execute(app.ctx.db)
      await local.mine(3)
      await until(part.ref, { fundingState: 'confirmed', filledAmount: '0.0003' })
      await until(other.ref, { fundingState: 'none' })
      expect((await stateOf(other.ref)).paymentState).toBe('OPEN')
    },
  )

  it(
    'wait again once a reorganisation takes their block, and are reverted only when they are dropped',
    { timeout: 180_000 },
    async () => {
      const [kept, dropped] = [await newPayment('kept'), await newPayment('dropped')]
      const [first, second] = [
        await local.send({ to: kept.script, units: 50_000n }),
        await local.send({ to: dropped.script, units: 50_000n }),
      ]
      if (!first || !second) throw new Error('The payer has nothing')
      const both = [
        { ref: kept.ref, txHash: first.txId },
        { ref: dropped.ref, txHash: second.txId },
      ]
      for (const { ref } of both) await until(ref, { confirmationCurrent: 0, fundingState: 'detected' })
      await local.mine(1)
      for (const { ref } of both) await until(ref, { confirmationCurrent: 1, fundingState: 'detected' })
      await untilMined(both)
      await local.reorganize(1)
      for (const { ref, txHash } of both) {
        await until(ref, {
          paymentState: 'OPEN',
          fundingState: 'detected',
          confirmationCurrent: 0,
          confirmationRequired: 2,
          deposits: [{ txHash, state: 'waiting', confirmations: 0 }],
          dropped: [],
        })
      }
      await pinnedAtOnce(kept.ref)
      const third = await local.send({ to: local.payer, units: 50_000n, fee: 9_000n, replaces: second })
      await until(dropped.ref, {
        fundingState: 'reverted',
        deposits: [],
        dropped: [{ txHash: second.txId, replacedBy: third?.txId }],
      })
      expect(await diagnose(dropped.ref, second.txId)).toMatchObject({ verdict: 'replaced' })
      await local.mine(3)
      await until(kept.ref, { paymentState: 'FILLED', fundingState: 'confirmed', filledAmount: '0.0005', dropped: [] })
      expect(await stateOf(dropped.ref)).toMatchObject({ paymentState: 'OPEN', fundingState: 'reverted' })
    },
  )

  it('say so when they are replaced, and credit nothing', async () => {
    const { ref, script } = await newPayment('replaces')
    const first = await local.send({ to: script, units: 50_000n })
    if (!first) throw new Error('The payer has nothing')
    await until(ref, { fundingState: 'detected' })
    await pinnedAtOnce(ref)
    const second = await local.send({ to: local.payer, units: 50_000n, fee: 9_000n, replaces: first })
    await until(ref, {
      paymentState: 'OPEN',
      fundingState: 'none',
      filledAmount: '0',
      deposits: [],
      dropped: [{ txHash: first.txId, replacedBy: second?.txId }],
    })
    expect(await diagnose(ref, first.txId)).toMatchObject({ verdict: 'replaced', blockchainCode: 'BTC' })
    await local.mine(2)
    expect(await stateOf(ref)).toMatchObject({ paymentState: 'OPEN', fundingState: 'none', filledAmount: '0' })
    expect(await diagnose(ref, first.txId)).toMatchObject({ verdict: 'replaced', blockchainCode: 'BTC' })
    expect(await diagnose(ref, 'ab'.repeat(32))).toMatchObject({ verdict: 'not_found' })
  })
})
