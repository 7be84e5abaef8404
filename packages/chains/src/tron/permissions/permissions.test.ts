import { accountOf } from '@kassa/keys/address-text.ts'
import { hexOf } from '@kassa/keys/evm/permission.ts'
import type { PermissionJson } from '@kassa/keys/evm/permission-json.ts'
import { readTronPermission, signTronPermission } from '@kassa/keys/tron/permission.ts'
import { signTransaction } from '@kassa/keys/tron/transaction.ts'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CallOptions, NodeCall } from '../../node/client.ts'
import type { Composed } from '../../permissions.ts'
import type { SendIntent } from '../../send-intent.ts'
import { openTronChain, type TronChain } from '../../testing/tron-chain.ts'
import { tronAdapter } from '../adapter.ts'
import { addressText } from '../addresses/addresses.ts'
import { fromHex } from '../encoding/hex.ts'
import { readHoldings } from '../state/holdings.ts'

const { permissions, sender } = tronAdapter
const VAULT = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const COLLECTOR = 'TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK'
const key = fromHex('5d'.repeat(32))
const address = addressText(accountOf(secp256k1.getPublicKey(key)))
const UNITS = 50_000_000n

let tron: TronChain

beforeAll(async () => {
  tron = await openTronChain()
})
afterAll(() => tron.stop())

const at = (token: string | null) => ({ token, vault: VAULT, collector: COLLECTOR })
const compose = async (token: string | null, units = UNITS) =>
  (await permissions.compose(tron.session(), { ...at(token), owners: [{ address, units }] }))[0]
const held = (who: string, assetId: number) => readHoldings(tron.session(), who, assetId)

function asked(composed: Composed | undefined): Extract<Composed, { kind: 'ask' }> {
  if (composed?.kind === 'ask') return composed
  throw new Error(`Nothing is asked: ${composed?.kind}`)
}

async function pay(assetId: number, units: bigint): Promise<void> {
  const intent: SendIntent = { kind: 'transfer', assetId, to: address, units }
  const planned = await sender.plan(tron.session(), { from: tron.payer.address, intent, maxFee: 100_000_000n })
  if (planned.kind === 'refused') throw new Error(planned.why.code)
  await sender.broadcast(tron.session(), sender.sign(tron.chain, planned.tx, tron.payer.key))
}

/** Signs as the offline signer does, and reads it as the server does. */
function signed(json: PermissionJson, token: string | null) {
  const permission = readTronPermission(json)
  if (!permission) throw new Error('It cannot be read')
  const destination = { ...at(token), chainId: 31_341n, mostFee: 15_000_000n }
  return { signedTransaction: hexOf(signTronPermission(permission, destination, key)) }
}

async function send(composed: Extract<Composed, { kind: 'ask' }>, token: string | null) {
  const signature = signed(composed.permission, token)
  const checked = permissions.check(tron.chain, at(token), composed.permission, signature)
  if (checked.kind === 'refused' || !checked.tx) throw new Error('It is refused')
  const { tx } = checked
  expect(await sender.broadcast(tron.session(), tx)).toBe('accepted')
  const facts = { from: address, sequence: null, attempts: [tx], sinceHeight: 0 }
  const outcome = await sender.outcome(tron.session(), facts)
  if (outcome.state !== 'mined') throw new Error('It is not mined')
  expect(outcome).toMatchObject({ failure: null })
  expect(outcome.fee <= tx.maxFee).toBe(true)
  return { tx }
}

describe('tron.permissions', () => {
  it('approves a token with the TRX that is brought, of which the first activate the address', async () => {
    const { usdt } = tron.tokens
    await pay(tron.assets.usdt, UNITS)
    const composed = asked(await compose(usdt))
    const { permission, topUp } = composed
    expect(permission).toMatchObject({ kind: 'approve_tx', from: address, to: usdt, value: '0', chainId: 31_341 })
    // The account is made by the transfer, for 1.1 TRX beside the bytes.
    expect(topUp && topUp.fee > 1_100_000n && topUp.fee < 1_500_000n).toBe(true)
    expect(topUp && topUp.units >= BigInt(permission.maxFee ?? 0) && topUp.units <= 15_000_000n).toBe(true)
    expect(await permissions.validity(tron.session(), at(usdt), { permission, signature: null })).toBe('absent')
    await pay(tron.assets.native, topUp?.units ?? 0n)
    expect(asked(await compose(usdt)).topUp).toBeNull()
    const { tx } = await send(composed, usdt)
    const lives = (tx.validUntil?.getTime() ?? 0) - tron.local.head().minedAt.getTime()
    expect(lives > 11 * 3_600_000 && lives < 24 * 3_600_000).toBe(true)
    expect(await permissions.validity(tron.session(), at(usdt), { permission, signature: null })).toBe('given')
    expect(await compose(usdt)).toEqual({ kind: 'given', as: 'approve_tx' })
  })

  it('asks for no approval that costs more than is ever brought to an address', async () => {
    const { node, ...session } = tron.session()
    const dearer = async (call: NodeCall, options?: CallOptions) => {
      const answer = await node.call(call, options)
      if (call.rpc !== 'rest' || call.path !== '/wallet/getchainparameters') return answer
      const { chainParameter: prices } = answer as { chainParameter: { key: string; value: number }[] }
      return { chainParameter: prices.map((one) => (one.key === 'getEnergyFee' ? { ...one, value: 10_000 } : one)) }
    }
    const owners = [{ address: VAULT, units: UNITS }]
    const dear = { ...session, node: { ...node, call: dearer } }
    const [composed] = await permissions.compose(dear, { ...at(tron.tokens.usdt), owners })
    expect(composed).toMatchObject({ kind: 'dear', allowed: 15_000_000n })
  })

  it('sends TRX to the collector less its fee, and nothing where that is more', async () => {
    await pay(tron.assets.native, UNITS)
    const [all, before] = [await held(address, tron.assets.native), await held(COLLECTOR, tron.assets.native)]
    const composed = asked(await compose(null, all))
    expect(composed).toMatchObject({ permission: { kind: 'transfer_tx', to: COLLECTOR }, topUp: null })
    const units = BigInt(composed.permission.value ?? 0)
    await send(composed, null)
    expect((await held(COLLECTOR, tron.assets.native)) - before).toBe(units)
    expect((await compose(null))?.kind).toBe('short')
    expect(permissions.ahead(tron.chain, at(null), [address])).toEqual([])
  })

  it('takes no signature of another key, of other bytes, or that is none', async () => {
    await pay(tron.assets.native, UNITS)
    const { permission } = asked(await compose(null))
    const check = (signature: unknown) => permissions.check(tron.chain, at(null), permission, signature)
    const signature = signed(permission, null)
    expect(check(signature).kind).toBe('signed')
    const stolen = signTransaction(fromHex(permission.rawData ?? ''), fromHex('6e'.repeat(32)))
    expect(check({ signedTransaction: hexOf(stolen.raw) })).toMatchObject({ fault: 'signer' })
    // Nodes know a recovery number of 0 or 1, or of 27 or 28.
    const unusual = signature.signedTransaction.replace(/0[01]$/, '36')
    expect(check({ signedTransaction: unusual })).toMatchObject({ fault: 'signature' })
    expect(check({ signedTransaction: '0x02' })).toMatchObject({ fault: 'signature' })
    expect(check({ permit: {} })).toMatchObject({ fault: 'unreadable' })
    const later = asked(await compose(null, UNITS - 1n)).permission
    expect(check(signed(later, null))).toMatchObject({ fault: 'call' })
    const forged = { ...permission, rawData: `${permission.rawData}5200` }
    expect(() => permissions.check(tron.chain, at(null), forged, signature)).toThrow('cannot be read')
    expect(permissions.check(tron.chain, { ...at(null), collector: VAULT }, permission, signature)).toMatchObject({
      fault: 'receiver',
    })
  })
})
