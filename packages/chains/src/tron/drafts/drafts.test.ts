import { accountOf } from '@kassa/keys/address-text.ts'
import { signTron } from '@kassa/keys/tron/injected-wallet.ts'
import { walletRequest } from '@kassa/keys/tron/wallet-transaction.ts'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { TronWeb, utils } from 'tronweb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SendIntent } from '../../send-intent.ts'
import { openTronChain, type TronChain } from '../../testing/tron-chain.ts'
import { addressText } from '../addresses/addresses.ts'
import { fromHex } from '../encoding/hex.ts'
import { tronSender } from '../sender/sender.ts'
import { tronDrafts } from './drafts.ts'
import { burnt } from './rules.ts'

const OURS = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'
const EMPTY = addressText(accountOf(secp256k1.getPublicKey(fromHex('11'.repeat(32)))))

let tron: TronChain
let wallet: TronWeb

beforeAll(async () => {
  tron = await openTronChain()
  wallet = new TronWeb({ fullHost: tron.url, privateKey: Buffer.from(tron.payer.key).toString('hex') })
})
afterAll(() => tron.stop())

const pays = (assetId: number, units: bigint, to = OURS): SendIntent => ({ kind: 'transfer', assetId, to, units })
const draft = (intent: SendIntent, from = tron.payer.address) => tronDrafts.draft(tron.session(), { from, intent })

/** What a page does with a draft and a wallet that is tronweb. */
async function signed(intent: SendIntent) {
  const { rawData } = await draft(intent)
  if (rawData === null) throw new Error('Nothing was drafted')
  const { transaction } = walletRequest(rawData)
  const tronWeb = { trx: { sign: (asked: object) => wallet.trx.sign(asked as never) } }
  return { rawData, signature: await signTron({ request: async () => null, tronWeb }, transaction) }
}

describe('tron.drafts', () => {
  it('writes what an unmodified tronweb signs, reads it again as it was asked for, and a block takes it', async () => {
    const call = { kind: 'call', to: tron.tokens.usdt, data: `0x095ea7b3${'0'.repeat(128)}`, units: 0n } as const
    for (const intent of [pays(tron.assets.native, 5_000_000n), pays(tron.assets.usdt, 49_000_000n), call]) {
      const answer = await signed(intent)
      const { transaction } = walletRequest(answer.rawData)
      expect(utils.transaction.txCheck(transaction as never)).toBe(true)
      const read = tronDrafts.read(tron.chain, answer)
      expect(read).toMatchObject({ from: tron.payer.address, intent })
      if (read === null) throw new Error('It was not read')
      expect(read.tx.txId).toBe(transaction.txID)
      expect(await tronSender.broadcast(tron.session(), read.tx)).toBe('accepted')
    }
  })

  it('names why it cannot be sent, and its cost', async () => {
    const all = 10n ** 18n
    expect(await draft(pays(tron.assets.usdt, all))).toMatchObject({ rawData: null, obstacle: 'short_of_asset' })
    expect(await draft(pays(tron.assets.native, all))).toMatchObject({ rawData: null, obstacle: 'short_of_asset' })
    const held = await tron.local.machine().balance(accountOf(secp256k1.getPublicKey(tron.payer.key)))
    const everything = await draft(pays(tron.assets.native, held ?? 0n))
    expect(everything).toMatchObject({ rawData: null, obstacle: 'short_of_coin', held })
    expect(everything.fee > 0n).toBe(true)
    expect(await draft(pays(tron.assets.native, 1n), EMPTY)).toMatchObject({ obstacle: 'short_of_asset', held: 0n })
    const undone: SendIntent = { kind: 'call', to: tron.tokens.usdt, data: '0xdeadbeef', units: 0n }
    expect(await draft(undone)).toMatchObject({ rawData: null, obstacle: 'would_fail' })
    expect(await draft(undone, EMPTY)).toMatchObject({ rawData: null, obstacle: 'would_fail' })
  })

  it('reads nothing but a transfer or a call with one signature', async () => {
    const good = await signed(pays(tron.assets.native, 1_000n))
    expect(tronDrafts.read(tron.chain, good)).not.toBeNull()
    for (const bad of [
      { ...good, rawData: '' },
      { ...good, rawData: `${good.rawData}0` },
      { ...good, rawData: good.rawData.slice(0, -40) },
      { ...good, rawData: 'zz'.repeat(80) },
      { ...good, rawData: '00'.repeat(2500) },
      { ...good, signature: good.signature.slice(2) },
      { ...good, signature: `0x${good.signature}` },
    ]) {
      expect(tronDrafts.read(tron.chain, bad)).toBeNull()
    }
  })
})

describe('tron.drafts burn', () => {
  const prices = { byte: 1_000n, energy: 100n, activation: 1_100_000n }
  const none = { freeBytes: 0n, stakedBytes: 0n, energy: 0n }
  const usage = { bytes: 345n, energy: 65_000n, activation: 0n }

  it('what an account does not have of its own', () => {
    expect(burnt(usage, none, prices)).toBe(345_000n + 6_500_000n)
    expect(burnt(usage, { ...none, freeBytes: 344n }, prices)).toBe(345_000n + 6_500_000n)
    expect(burnt(usage, { ...none, freeBytes: 345n }, prices)).toBe(6_500_000n)
    expect(burnt(usage, { ...none, stakedBytes: 345n, energy: 64_999n }, prices)).toBe(100n)
    expect(burnt(usage, { freeBytes: 600n, stakedBytes: 0n, energy: 10n ** 9n }, prices)).toBe(0n)
  })

  it('the activation of a receiver, which free bandwidth does not cover', () => {
    const activating = { bytes: 267n, energy: 0n, activation: prices.activation }
    expect(burnt(activating, { ...none, freeBytes: 600n }, prices)).toBe(267_000n + prices.activation)
    expect(burnt(activating, { ...none, stakedBytes: 267n }, prices)).toBe(prices.activation)
  })
})
