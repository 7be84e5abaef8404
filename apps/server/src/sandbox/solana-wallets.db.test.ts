import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { paymentWalletRoutes } from '@kassa/contract/sends/payment-by-wallet-routes.ts'
import { contractCallRoutes } from '@kassa/contract/sweep-contracts/wallet-routes.ts'
import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'
import { readMessage, readSigned, writeMessage } from '@kassa/keys/solana/message.ts'
import { movementOf, transferCoin } from '@kassa/keys/solana/movement.ts'
import { signTransaction } from '@kassa/chains/testing/solana-node/transactions.ts'
import { testPayer } from '@kassa/chains/testing/solana-chain.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { checkLedger } from '../modules/reconciliation/service.ts'
import { solanaList } from '../testing/address-lists.ts'
import type { TestApp } from '../testing/app.ts'
import { type SandboxApp, sandboxApp } from '../testing/sandbox-app.ts'
import { openShop } from '../testing/shop.ts'
import { solanaPayerAccount } from './solana/payer.ts'

const PAYER = solanaPayerAccount.address
const EMPTY = testPayer('nobody').address

let sandbox: SandboxApp
let app: TestApp
let apiKey: string

beforeAll(async () => {
  sandbox = await sandboxApp()
  app = sandbox.app
  const { key } = sandbox
  await sandbox.switchOn('SOLANA')
  await app.start('watcher')
  const shop = await openShop(app, key)
  apiKey = shop.apiKey
  const wallet = { name: 'Solana', projectID: shop.projectId, xpubs: [], lists: [solanaList('wallets', { count: 9 })] }
  await app.call(walletsRoutes.addDepositWallet, { body: wallet }, { key })
})
afterAll(() => sandbox.stop())

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** What a wallet gives for a message: itself and its signature. */
function signatureOf(rawData: string | null, signer = solanaPayerAccount) {
  const message = readMessage(Uint8Array.from(Buffer.from(rawData ?? '', 'hex')))
  if (!message) throw new Error('Nothing was drafted')
  const signed = readSigned(signTransaction(signer, message.blockhash, message.instructions))
  return { rawData: rawData ?? '', signature: hex(signed?.signature ?? new Uint8Array()) }
}

/** A payment of 20 dollars in this currency of Solana. */
async function pinned(customerID: string, currency: 'USDC' | 'SOL' = 'USDC'): Promise<string> {
  const created = { customerID, customerEmail: 'c@x.example', amountInUSD: '20' }
  const ref = (await app.call(paymentsRoutes.createPayment, { body: created }, { key: apiKey })).body.reference_id
  const body = { blockchain_code: 'SOLANA', currency_code: currency }
  const pin = () => app.call(paymentsRoutes.pinPayment, { params: { ref }, body })
  await vi.waitFor(async () => expect((await pin()).refusal).toBeUndefined(), { timeout: 30_000, interval: 300 })
  return ref
}

const stateOf = async (ref: string) => (await app.call(paymentsRoutes.getPaymentByReference, { params: { ref } })).body
const draft = (ref: string, body = { from: PAYER, amount: '20' }) =>
  app.call(paymentWalletRoutes.draftPayment, { params: { ref }, body })
const send = (ref: string, body: { rawData: string; signature: string }) =>
  app.call(paymentWalletRoutes.sendDraft, { params: { ref }, body })

describe('a payment by a wallet of Solana', () => {
  it.each(['USDC', 'SOL'] as const)(
    'is written in %s, sent once it is signed, and counted as any',
    async (currency) => {
      const ref = await pinned(`payer ${currency}`, currency)
      const amount = (await stateOf(ref)).amount ?? ''
      const { body } = await draft(ref, { from: PAYER, amount })
      expect(body).toMatchObject({ obstacle: null, rawData: expect.stringMatching(/^[0-9a-f]+$/) })
      const signed = signatureOf(body.rawData)
      const first = await send(ref, signed)
      expect(first.body).toEqual({ transactionHash: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{86,88}$/) })
      expect((await send(ref, signed)).body).toEqual(first.body)
      await vi.waitFor(
        async () => expect(await stateOf(ref)).toMatchObject({ paymentState: 'FILLED', filledAmount: amount }),
        { timeout: 40_000, interval: 300 },
      )
      expect((await draft(ref)).refusal?.code).toBe('PAYMENT_NOT_OPEN')
      const { drift } = await checkLedger(app.ctx, [])
      expect(drift.filter(({ ledger, chain }) => ledger !== chain)).toEqual([])
    },
    120_000,
  )

  it('is refused before anything is signed, with the reason', async () => {
    const ref = await pinned('poor')
    expect((await draft(ref, { from: EMPTY, amount: '20' })).body).toMatchObject({
      ...{ rawData: null, obstacle: 'short_of_asset', balance: '0' },
    })
    expect((await draft(ref, { from: `0x${'11'.repeat(20)}`, amount: '20' })).refusal?.code).toBe('ADDRESS_INVALID')
    expect((await draft(ref, { from: PAYER, amount: '0.0000001' })).refusal?.code).toBe('VALIDATION_FAILED')
  })

  it('is all that wallets of Solana are asked for: there are no contracts of ours to call', async () => {
    const ask = { params: { b: 'SOLANA' }, body: { from: PAYER, to: EMPTY, data: '0x00' } }
    const signed = { params: { b: 'SOLANA' }, body: { rawData: '00', signature: '00' } }
    const { key } = sandbox
    expect((await app.call(contractCallRoutes.draftCall, ask, { key })).refusal?.code).toBe('FAMILY_UNSUPPORTED')
    expect((await app.call(contractCallRoutes.sendCall, signed, { key })).refusal?.code).toBe('FAMILY_UNSUPPORTED')
  })

  it('is sent for this payment alone, only with the signature of its account, and in time', async () => {
    const [ref, other] = [await pinned('one'), await pinned('other', 'SOL')]
    const foreign = signatureOf((await draft(other, { from: PAYER, amount: '1' })).body.rawData)
    expect((await send(ref, foreign)).refusal?.code).toBe('TRANSACTION_UNREADABLE')
    const { rawData } = (await draft(ref)).body
    expect((await send(ref, { ...signatureOf(rawData), rawData: 'nonsense' })).refusal?.code).toBe(
      'TRANSACTION_UNREADABLE',
    )
    expect((await send(ref, signatureOf(rawData, testPayer('thief')))).refusal?.code).toBe('TRANSACTION_REFUSED')
    const message = readMessage(Uint8Array.from(Buffer.from(rawData ?? '', 'hex')))
    const movement = message && movementOf(message)
    if (!message || !movement) throw new Error('Nothing was drafted')
    const besides = { ...message, instructions: [...message.instructions, transferCoin(PAYER, EMPTY, 1n)] }
    expect((await send(ref, signatureOf(hex(writeMessage(besides))))).refusal?.code).toBe('TRANSACTION_UNREADABLE')
    const late = { ...message, blockhash: EMPTY }
    expect((await send(ref, signatureOf(hex(writeMessage(late))))).refusal?.code).toBe('TRANSACTION_EXPIRED')
    expect((await send(ref, signatureOf(rawData))).refusal).toBeUndefined()
  })
})
