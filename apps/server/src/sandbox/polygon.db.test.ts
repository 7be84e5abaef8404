import { blockchainChangesRoutes } from '@kassa/contract/blockchains/change-routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { sandboxRoutes } from '@kassa/contract/sandbox/routes.ts'
import type { OwnerQuestion } from '@kassa/contract/sandbox/schemas.ts'
import { hotWalletsRoutes } from '@kassa/contract/wallets/hot-routes.ts'
import { polygon } from '@kassa/primitives/chains/definitions/polygon.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import type { TestApp } from '../testing/app.ts'
import { type SandboxApp, sandboxApp } from '../testing/sandbox-app.ts'
import { payoutShop } from '../testing/money-out/payouts.ts'
import { callNode } from './node-call.ts'

let sandbox: SandboxApp
let app: TestApp
let key: string

beforeAll(async () => {
  sandbox = await sandboxApp({ sandboxChains: [polygon.id] })
  ;({ app, key } = sandbox)
})
afterAll(() => sandbox.stop())

const running = async () => (await app.call(sandboxRoutes.getSandbox, {}, { key })).body.chains.map(({ code }) => code)
const stateOf = async (ref: string) => (await app.call(paymentsRoutes.getPaymentByReference, { params: { ref } })).body

describe('the sandbox’s POLYGON', () => {
  it('has coins in the owner’s wallet before that has sent anything', async () => {
    await vi.waitFor(async () => expect(await running()).toContain('POLYGON'), 20_000)
    const ask = async (method: OwnerQuestion['method'], ...params: string[]) =>
      (await app.call(sandboxRoutes.askOwnerWallet, { params: { b: 'POLYGON' }, body: { method, params } }, { key }))
        .body.result
    const [owner] = (await ask('eth_requestAccounts')) as readonly [string]
    expect(BigInt(String(await ask('eth_getBalance', owner, 'latest')))).toBeGreaterThan(10n ** 18n)
  })

  it('starts because the settings name it, takes a payment and pays out with the tip its producers ask for', async () => {
    await vi.waitFor(async () => expect(await running()).toContain('POLYGON'), 20_000)
    for (const role of ['watcher', 'sender'] as const) await app.start(role)
    const shop = await payoutShop(app, key)
    const body = { customerID: 'c1', customerEmail: 'c1@x.example', amountInUSD: '20' }
    const created = await app.call(paymentsRoutes.createPayment, { body }, { key: shop.apiKey })
    const ref = created.body.reference_id
    const pay = { blockchainCode: 'POLYGON', currencyCode: 'USDC' }
    await vi.waitFor(async () => {
      const paid = await app.call(sandboxRoutes.payAsCustomer, { params: { ref }, body: pay }, { key })
      expect(paid.refusal).toBeUndefined()
    }, 20_000)
    await vi.waitFor(
      async () => expect(await stateOf(ref)).toMatchObject({ paymentState: 'FILLED', filledAmount: '20' }),
      { timeout: 40_000, interval: 300 },
    )

    const owner = { params: { b: 'POLYGON' }, body: { method: 'eth_chainId' } } as const
    expect((await app.call(sandboxRoutes.askOwnerWallet, owner, { key })).body.result).toBe('0x7a6b')
    const hot = await app.call(
      hotWalletsRoutes.addHotWallet,
      { params: { f: 'ETH_Family' }, body: { name: 'Hot', generate: true, functions: ['gas', 'payout'] } },
      { key },
    )
    for (const [currencyCode, amount] of [
      ['POL', '100'],
      ['USDC', '300'],
    ] as const) {
      const fund = { walletID: hot.body.id, blockchainCode: 'POLYGON', currencyCode, amount }
      expect((await app.call(sandboxRoutes.fundWallet, { body: fund }, { key })).refusal).toBeUndefined()
    }
    const asked = await shop.ask({ blockchainCode: 'POLYGON', amount: '120.5' })
    expect(asked.refusal).toBeUndefined()
    expect((await shop.approve(asked.body.id)).refusal).toBeUndefined()
    await vi.waitFor(
      async () => {
        const { body: payout } = await shop.read(asked.body.id)
        expect([payout.status, payout.waitReason]).toEqual(['processed', null])
      },
      { timeout: 60_000, interval: 500 },
    )
    const { txHash } = (await shop.read(asked.body.id)).body
    const sent = await callNode<{ maxPriorityFeePerGas: string; chainId: string }>(
      sandbox.nodeUrl('POLYGON'),
      'eth_getTransactionByHash',
      txHash,
    )
    expect(BigInt(sent.maxPriorityFeePerGas)).toBeGreaterThanOrEqual(25_000_000_000n)
    expect(Number(sent.chainId)).toBe(31_339)
  }, 150_000)

  it('stops when it is switched off', async () => {
    const off = { params: { x: 'POLYGON' }, body: { status: 'inactive' } } as const
    expect((await app.call(blockchainChangesRoutes.changeBlockchain, off, { key })).status).toBe(200)
    await vi.waitFor(async () => expect(await running()).not.toContain('POLYGON'), 20_000)
  })
})
