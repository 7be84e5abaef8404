import { findBitcoinProgram } from '@kassa/chains/testing/bitcoin-node/program.ts'
import { blockchainChangesRoutes } from '@kassa/contract/blockchains/change-routes.ts'
import { blockchainsRoutes } from '@kassa/contract/blockchains/routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { sandboxRoutes } from '@kassa/contract/sandbox/routes.ts'
import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'
import { HDKey } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import type { TestApp } from '../testing/app.ts'
import { type SandboxApp, sandboxApp } from '../testing/sandbox-app.ts'
import { openShop } from '../testing/shop.ts'

/** BIP-84 of test networks, as SLIP-132 writes its keys. */
const VPUB = { public: 0x045f1cf6, private: 0x045f18bc }
const account = HDKey.fromMasterSeed(Buffer.alloc(32, 'bitcoin'), VPUB).derive("m/84'/1'/0'").publicExtendedKey

let sandbox: SandboxApp
let app: TestApp
let key: string

beforeAll(async () => {
  sandbox = await sandboxApp()
  ;({ app, key } = sandbox)
})
afterAll(() => sandbox.stop())

const switchBitcoin = (status: 'active' | 'inactive') =>
  app.call(blockchainChangesRoutes.changeBlockchain, { params: { x: 'BTC' }, body: { status } }, { key })
const running = async () => (await app.call(sandboxRoutes.getSandbox, {}, { key })).body.chains.map(({ code }) => code)
const stateOf = async (reference: string) =>
  (await app.call(paymentsRoutes.getPaymentByReference, { params: { ref: reference } })).body

describe('the sandbox’s Bitcoin', () => {
  it('says what is missing where no program of it is installed', async () => {
    const path = vi.stubEnv('PATH', '/nowhere')
    expect((await switchBitcoin('active')).status).toBe(200)
    await vi.waitFor(async () => {
      const { body } = await app.call(blockchainsRoutes.listBlockchains, {}, { key })
      expect(body.find(({ code }) => code === 'BTC')).toMatchObject({
        status: 'inactive',
        reason: expect.stringContaining('bitcoind or litecoind') as string,
      })
    }, 20_000)
    path.unstubAllEnvs()
  })

  it.runIf(findBitcoinProgram() !== null)(
    'starts when it is switched on, and takes a payment',
    async () => {
      expect((await switchBitcoin('active')).status).toBe(200)
      await vi.waitFor(async () => expect(await running()).toContain('BTC'), 20_000)
      await app.start('watcher')
      const shop = await openShop(app, key)
      const wallet = { name: 'Bitcoin', projectID: shop.projectId, xpubs: [{ family: 'BTC_Family', xpub: account }] }
      const added = await app.call(walletsRoutes.addDepositWallet, { body: wallet }, { key })
      expect(added.refusal).toBeUndefined()
      const created = await app.call(
        paymentsRoutes.createPayment,
        { body: { customerID: 'c1', customerEmail: 'c1@x.example', amountInUSD: '30' } },
        { key: shop.apiKey },
      )
      const reference = created.body.reference_id
      await vi.waitFor(
        async () =>
          expect(
            (await app.call(paymentsRoutes.listPaymentOptions, { params: { ref: reference } })).body,
          ).toContainEqual(expect.objectContaining({ blockchainCode: 'BTC', ready: true })),
        20_000,
      )
      const pinned = await app.call(paymentsRoutes.pinPayment, {
        params: { ref: reference },
        body: { blockchain_code: 'BTC', currency_code: 'BTC' },
      })
      expect(pinned.refusal).toBeUndefined()
      const { paymentURI } = await stateOf(reference)
      const paid = await app.call(
        sandboxRoutes.payAsCustomer,
        { params: { ref: reference }, body: { blockchainCode: 'BTC', currencyCode: 'BTC' } },
        { key },
      )
      expect(paid.refusal).toBeUndefined()
      await vi.waitFor(
        async () => expect(await stateOf(reference)).toMatchObject({ paymentState: 'FILLED', filledAmount: '0.0005' }),
        { timeout: 40_000, interval: 300 },
      )
      const { depositAddress, explorerTransaction } = await stateOf(reference)
      expect(added.body.walletxpubs[0]?.firstAddresses).toContain(depositAddress)
      expect(paymentURI).toBe(`bitcoin:${depositAddress}?amount=0.0005`)
      const page = await app.http.inject({
        method: 'GET',
        url: new URL(explorerTransaction, 'http://localhost').pathname,
      })
      expect(page.body).toContain('0.0005 BTC')
      expect((await switchBitcoin('inactive')).status).toBe(200)
      await vi.waitFor(async () => expect(await running()).not.toContain('BTC'), 20_000)
    },
    120_000,
  )
})
