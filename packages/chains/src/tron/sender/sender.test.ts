import { accountOf } from '@kassa/keys/address-text.ts'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { utils } from 'tronweb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Planned, SentFacts, UnsignedTx } from '../../adapter.ts'
import type { SendIntent } from '../../send-intent.ts'
import { openTronChain, type TronChain } from '../../testing/tron-chain.ts'
import { addressText } from '../addresses/addresses.ts'
import { fromHex, toHex } from '../encoding/hex.ts'
import { rawOf } from './plan.ts'
import { tronSender } from './sender.ts'

const OURS = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'
const PLENTY = 100_000_000n
const hotKey = fromHex('7c'.repeat(32))
const hot = addressText(accountOf(secp256k1.getPublicKey(hotKey)))

let tron: TronChain
let now = new Date('2026-01-01T00:00:00Z')

beforeAll(async () => {
  tron = await openTronChain({ now: () => now })
  for (const [assetId, units] of [
    [tron.assets.native, 1_000_000_000n] as const,
    [tron.assets.usdt, 500_000_000n] as const,
  ]) {
    const { address, key } = tron.payer
    const intent = { kind: 'transfer', assetId, to: hot, units } as const
    const plan = await tronSender.plan(tron.session(), { from: address, intent, maxFee: PLENTY })
    await tronSender.broadcast(tron.session(), tronSender.sign(tron.chain, planned(plan), key))
  }
})
afterAll(() => tron.stop())

const plan = (intent: SendIntent, maxFee = PLENTY) => tronSender.plan(tron.session(), { from: hot, intent, maxFee })
const pays = (assetId: number, units: bigint, to = OURS): SendIntent => ({ kind: 'transfer', assetId, to, units })
const usdt = (units: bigint) => pays(tron.assets.usdt, units)

function planned(plan: Planned): UnsignedTx {
  if (plan.kind === 'planned') return plan.tx
  throw new Error(`Refused: ${plan.why.code}`)
}
function why(plan: Planned) {
  return plan.kind === 'refused' ? plan.why : null
}
const sentOf = (tx: UnsignedTx, txId: string): SentFacts => ({
  from: hot,
  sequence: null,
  attempts: [{ txId, validUntil: tx.validUntil, body: tx.body }],
  sinceHeight: 0,
})

describe('tron.sender', () => {
  it('pays TRX and a token, at most at the fee it planned, and says so once they are in a block', async () => {
    for (const intent of [pays(tron.assets.native, 5_000_000n), usdt(7_000_000n)]) {
      const tx = planned(await plan(intent))
      const signed = tronSender.sign(tron.chain, tx, hotKey)
      expect(await tronSender.outcome(tron.session(), sentOf(tx, signed.txId))).toEqual({ state: 'unknown' })
      expect(await tronSender.broadcast(tron.session(), signed)).toBe('accepted')
      expect(await tronSender.broadcast(tron.session(), signed)).toBe('known')
      const outcome = await tronSender.outcome(tron.session(), sentOf(tx, signed.txId))
      expect(outcome).toMatchObject({ state: 'mined', failure: null, block: { height: tron.local.head().height } })
      expect(outcome.state === 'mined' && outcome.fee > 0n && outcome.fee <= tx.maxFee).toBe(true)
    }
  })

  it('writes the bytes that tronweb writes for the same transaction', async () => {
    for (const intent of [pays(tron.assets.native, 5_000_000n), usdt(7_000_000n)]) {
      const raw = rawOf(planned(await plan(intent)))
      const name =
        'assetId' in intent && intent.assetId === tron.assets.native ? 'TransferContract' : 'TriggerSmartContract'
      const json = utils.deserializeTx.deserializeTransaction(name, toHex(raw))
      const again = utils.transaction.txJsonToPb({ raw_data: json, visible: false })
      expect(utils.transaction.txPbToRawDataHex(again).toLowerCase()).toBe(toHex(raw))
    }
  })

  it('refuses before signing what is short, above the ceiling, or undone by its contract', async () => {
    expect(why(await plan(usdt(10n ** 15n)))).toMatchObject({ code: 'short_of_asset', needed: 10n ** 15n })
    expect(why(await plan(pays(tron.assets.native, 10n ** 15n)))).toMatchObject({ code: 'short_of_coin' })
    expect(why(await plan(usdt(1n), 1_000n))).toMatchObject({ code: 'fee_above_ceiling' })
    const junk: SendIntent = { kind: 'call', to: tron.tokens.usdt, data: '0xdeadbeef', units: 0n }
    expect(why(await plan(junk))).toMatchObject({ code: 'would_fail' })
  })

  it('refuses a plain transfer of TRX to a contract, which no node takes', async () => {
    const toContract = pays(tron.assets.native, 1n, tron.tokens.usdt)
    expect(why(await plan(toContract))).toMatchObject({
      code: 'would_fail',
      reason: expect.stringContaining('contract'),
    })
  })

  it('reserves the activation of a receiver that was never paid', async () => {
    const fresh = addressText(fromHex('5a'.repeat(20)))
    const known = planned(await plan(pays(tron.assets.native, 1n))).maxFee
    expect(planned(await plan(pays(tron.assets.native, 1n, fresh))).maxFee - known).toBe(1_100_000n)
  })

  it('calls a transaction impossible only when a final block is younger than it may be (D-4)', async () => {
    const tx = planned(await plan(usdt(1n)))
    const sent = sentOf(tx, tronSender.sign(tron.chain, tx, hotKey).txId)
    now = new Date(now.getTime() + 11 * 60_000)
    await tron.local.mine(1)
    expect(await tronSender.outcome(tron.session(), sent)).toEqual({ state: 'unknown' })
    await tron.local.mine(20)
    expect(await tronSender.outcome(tron.session(), sent)).toMatchObject({
      state: 'impossible',
      proof: { kind: 'expired' },
    })
    const live = tron.session({ mode: 'testnet' })
    expect(await tronSender.outcome(live, sent)).toEqual({ state: 'unknown' })
    const second = { ...live, another: async () => tron.session({ mode: 'testnet' }) }
    expect(await tronSender.outcome(second, sent)).toMatchObject({ state: 'impossible' })
  })

  it('never calls a transaction impossible that another node has in a block (D-4)', async () => {
    const elsewhere = await openTronChain({ now: () => now })
    const tx = planned(await plan(usdt(2n)))
    const signed = tronSender.sign(tron.chain, tx, hotKey)
    expect(await tronSender.broadcast(tron.session(), signed)).toBe('accepted')
    now = new Date(now.getTime() + 11 * 60_000)
    await elsewhere.local.mine(21)
    const blind = { ...elsewhere.session({ mode: 'testnet' }), another: async () => tron.session({ mode: 'testnet' }) }
    expect(await tronSender.outcome(blind, sentOf(tx, signed.txId))).toMatchObject({ state: 'mined' })
    await elsewhere.stop()
  })

  it('is given back by a node whose branch it does not refer to', async () => {
    await tron.local.mine(1)
    const tx = planned(await plan(usdt(3n)))
    await tron.local.mine(1)
    await tron.local.reorganize(2)
    const refusal = await tronSender.broadcast(tron.session(), tronSender.sign(tron.chain, tx, hotKey))
    expect(refusal).toMatchObject({ code: 'other', reason: expect.stringContaining('TAPOS_ERROR') })
  })
})
