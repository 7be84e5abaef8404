import { chainIn } from '@kassa/chains/chain.ts'
import { tronAdapter } from '@kassa/chains/tron/adapter.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { paymentWalletRoutes } from '@kassa/contract/sends/payment-by-wallet-routes.ts'
import { contractCallRoutes } from '@kassa/contract/sweep-contracts/wallet-routes.ts'
import { sweepContractsRoutes } from '@kassa/contract/sweep-contracts/routes.ts'
import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'
import { readSignedTransaction, signTransaction } from '@kassa/keys/tron/transaction.ts'
import { ownerCallData } from '@kassa/keys/vault-calls.ts'
import { trx } from '@kassa/primitives/chains/definitions/trx.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { payerKey } from './payer-account.ts'
import type { TestApp } from '../testing/app.ts'
import { type SandboxApp, sandboxApp } from '../testing/sandbox-app.ts'
import { accountXpub, openShop } from '../testing/shop.ts'

const COLD = 'TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK'
const EMPTY = 'TVT47XAzaing2Tkm7Qf7yj678QSbeqpEXP'
const KEY = Uint8Array.from(Buffer.from(payerKey.slice(2), 'hex'))
const PAYER = tronAdapter.privateKeys.address(chainIn('sandbox', trx), KEY)

let sandbox: SandboxApp
let app: TestApp
let key: string
let apiKey: string

beforeAll(async () => {
  sandbox = await sandboxApp()
  ;({ app, key } = sandbox)
  await sandbox.switchOn('TRX')
  await app.start('watcher')
  const shop = await openShop(app, key)
  apiKey = shop.apiKey
  const xpubs = [{ family: 'TRX_Family', xpub: accountXpub() }]
  const wallet = { name: 'TRON', projectID: shop.projectId, xpubs }
  await app.call(walletsRoutes.addDepositWallet, { body: wallet }, { key })
})
afterAll(() => sandbox.stop())

/** What a wallet gives for bytes: their signature alone. */
function signatureOf(rawData: string | null, signer = KEY) {
  const raw = Uint8Array.from(Buffer.from(rawData ?? '', 'hex'))
  const [signature] = readSignedTransaction(signTransaction(raw, signer).raw).signatures
  return { rawData: rawData ?? '', signature: Buffer.from(signature ?? []).toString('hex') }
}

async function newPayment(customerID: string): Promise<string> {
  const body = { customerID, customerEmail: 'c@x.example', amountInUSD: '20' }
  return (await app.call(paymentsRoutes.createPayment, { body }, { key: apiKey })).body.reference_id
}

/** A payment of 20 USDT on TRON. */
async function pinned(customerID: string): Promise<string> {
  const ref = await newPayment(customerID)
  const body = { blockchain_code: 'TRX', currency_code: 'USDT' }
  const pin = () => app.call(paymentsRoutes.pinPayment, { params: { ref }, body })
  await vi.waitFor(async () => expect((await pin()).refusal).toBeUndefined(), { timeout: 30_000, interval: 300 })
  return ref
}

const draft = (ref: string, body = { from: PAYER, amount: '20' }) =>
  app.call(paymentWalletRoutes.draftPayment, { params: { ref }, body })
const send = (ref: string, body: { rawData: string; signature: string }) =>
  app.call(paymentWalletRoutes.sendDraft, { params: { ref }, body })

describe('a payment by a wallet of TRON', () => {
  it('is written for the account, sent once it is signed, and counted as any', async () => {
    const ref = await pinned('payer')
    const { body } = await draft(ref)
    expect(body).toMatchObject({ obstacle: null, rawData: expect.stringMatching(/^[0-9a-f]+$/) })
    const signed = signatureOf(body.rawData)
    const first = await send(ref, signed)
    expect(first.body).toEqual({ transactionHash: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect((await send(ref, signed)).body).toEqual(first.body)
    await vi.waitFor(
      async () => {
        const { body: payment } = await app.call(paymentsRoutes.getPaymentByReference, { params: { ref } })
        expect(payment).toMatchObject({ paymentState: 'FILLED', filledAmount: '20' })
      },
      { timeout: 40_000, interval: 300 },
    )
    expect((await draft(ref)).refusal?.code).toBe('PAYMENT_NOT_OPEN')
    expect((await send(ref, signed)).refusal?.code).toBe('PAYMENT_NOT_OPEN')
  }, 120_000)

  it('is refused before anything is signed, with the reason', async () => {
    const ref = await pinned('poor')
    expect((await draft(ref, { from: EMPTY, amount: '20' })).body).toMatchObject({
      ...{ rawData: null, obstacle: 'short_of_asset', balance: '0' },
    })
    expect((await draft(ref, { from: `0x${'11'.repeat(20)}`, amount: '20' })).refusal?.code).toBe('ADDRESS_INVALID')
    for (const amount of ['0', '-1', '1e3', '0.0000001']) {
      expect((await draft(ref, { from: PAYER, amount })).refusal?.code).toBe('VALIDATION_FAILED')
    }
    expect((await draft('0199f0b2-6d6e-7c3a-9b1e-3f6f5b1a2c4d')).refusal?.code).toBe('PAYMENT_REFERENCE_UNKNOWN')
    expect((await draft(await newPayment('undecided'))).refusal?.code).toBe('PAYMENT_NOT_OPEN')
  })

  it('is sent for this payment alone, and only with the signature of its account', async () => {
    const [ref, other] = [await pinned('one'), await pinned('other')]
    const foreign = signatureOf((await draft(other)).body.rawData)
    expect((await send(ref, foreign)).refusal?.code).toBe('TRANSACTION_UNREADABLE')
    const { rawData } = (await draft(ref)).body
    const good = signatureOf(rawData)
    expect((await send(ref, { ...good, rawData: 'nonsense' })).refusal?.code).toBe('TRANSACTION_UNREADABLE')
    expect((await send(ref, { ...good, signature: '00' })).refusal?.code).toBe('TRANSACTION_UNREADABLE')
    const strangers = signatureOf(rawData, new Uint8Array(32).fill(7))
    expect((await send(ref, strangers)).refusal?.code).toBe('TRANSACTION_REFUSED')
  })
})

describe('a call of a contract by a wallet of TRON', () => {
  const call = { params: { b: 'TRX' } }

  it('is drafted with the code at the address, and sent once it is signed', async () => {
    const where = { params: { b: 'TRX', type: 'factory_contract' } }
    const factory = (await app.call(sweepContractsRoutes.findContract, where, { key })).body
    const data = ownerCallData({ kind: 'createVault', salt: `0x${'7a'.repeat(32)}`, collector: COLD })
    const body = { from: PAYER, to: factory.address ?? '', data }
    const drafted = await app.call(contractCallRoutes.draftCall, { ...call, body }, { key })
    expect(drafted.body).toMatchObject({ obstacle: null, codeHash: factory.codeHash })
    expect(Number(drafted.body.gas)).toBeGreaterThan(0)
    const nobodys = signatureOf(drafted.body.rawData, new Uint8Array(32).fill(7))
    const refused = await app.call(contractCallRoutes.sendCall, { ...call, body: nobodys }, { key })
    expect(refused.refusal?.code).toBe('TRANSACTION_REFUSED')
    const signed = signatureOf(drafted.body.rawData)
    const sent = await app.call(contractCallRoutes.sendCall, { ...call, body: signed }, { key })
    expect(sent.body.transactionHash).toMatch(/^[0-9a-f]{64}$/)
    const poor = await app.call(contractCallRoutes.draftCall, { ...call, body: { ...body, from: EMPTY } }, { key })
    expect(poor.body).toMatchObject({ rawData: null, obstacle: 'short_of_coin', balance: '0' })
  })

  it('is nothing that moves money, and nothing of a network whose wallets send by themselves', async () => {
    const ref = await pinned('mover')
    const transfer = signatureOf((await draft(ref)).body.rawData)
    const moved = await app.call(contractCallRoutes.sendCall, { ...call, body: transfer }, { key })
    expect(moved.refusal?.code).toBe('TRANSACTION_UNREADABLE')
    const body = { from: PAYER, to: COLD, data: '0x00' }
    const refusalOn = async (b: string, asked = body) =>
      (await app.call(contractCallRoutes.draftCall, { params: { b }, body: asked }, { key })).refusal?.code
    expect(await refusalOn('NONE')).toBe('BLOCKCHAIN_NOT_FOUND')
    const onEvm = { ...body, from: `0x${'11'.repeat(20)}`, to: `0x${'22'.repeat(20)}` }
    expect(await refusalOn('ETH', onEvm)).toBe('FAMILY_UNSUPPORTED')
    expect(await refusalOn('TRX', onEvm)).toBe('ADDRESS_INVALID')
  })
})

describe('a node of TRON that does not answer', () => {
  it('is named to operators, and to no payer', async () => {
    const ref = await pinned('unanswered')
    await app.setLocalNode('TRX', 'http://127.0.0.1:9')
    const toPayer = (await draft(ref)).refusal
    const body = { from: PAYER, to: COLD, data: '0x00' }
    const toOperator = (await app.call(contractCallRoutes.draftCall, { params: { b: 'TRX' }, body }, { key })).refusal
    expect([toPayer?.code, toOperator?.code]).toEqual(['NODE_UNREACHABLE', 'NODE_UNREACHABLE'])
    expect(JSON.stringify(toOperator)).toContain('127.0.0.1')
    expect(JSON.stringify(toPayer)).not.toContain('127.0.0.1')
  })
})
