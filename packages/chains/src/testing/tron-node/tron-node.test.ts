import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountOf } from '@kassa/keys/address-text.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { TronWeb } from 'tronweb'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Transfer, TransferFilter } from '../../adapter.ts'
import { chainIn, sessionAlone } from '../../chain.ts'
import { connect } from '../../node/client.ts'
import { tronAdapter } from '../../tron/adapter.ts'
import { addressText, tronAddresses } from '../../tron/addresses/addresses.ts'
import { fromHex } from '../../tron/encoding/hex.ts'
import { type LocalTron, openLocalTron } from './chain.ts'
import { serveLocalTron } from './http-node.ts'

const CHAIN_ID = 31_341
const PAYER_KEY = 'da146374a75310b9666e834ee4ad0866d6f4035967bfc76217c5a495fff9f0d0'
const payer = accountOf(secp256k1.getPublicKey(fromHex(PAYER_KEY)))
const OURS = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'
const [TRX, USDT] = [3, 13]

const tokenText = (address: string) => addressText(fromHex(address.slice(2).toLowerCase()))
const usdt = tokenText(SANDBOX_TOKENS.usdt)
const lookAlike = tokenText(SANDBOX_TOKENS.lookAlikeUsdc)

const definition = findBlockchain('TRX')
if (!definition) throw new Error('There is no TRX')
const listed = chainIn('mainnet', definition)
const chain = {
  ...listed,
  mode: 'sandbox' as const,
  network: { name: 'local', chainId: CHAIN_ID, explorerAddress: '', explorerTransaction: '' },
  assets: listed.assets.map((asset) => (asset.id === USDT ? { ...asset, address: usdt } : asset)),
}
const ourKey = Buffer.from(tronAddresses.key(chain, OURS)).toString('hex')
const filter: TransferFilter = {
  assets: new Set([TRX, USDT]),
  matches: (key) => Buffer.from(key).toString('hex') === ourKey,
}

const folder = mkdtempSync(join(tmpdir(), 'kassa-tron-'))
const file = join(folder, 'TRX.jsonl')
let local: LocalTron
let node: Awaited<ReturnType<typeof serveLocalTron>>
let wallet: TronWeb

beforeAll(async () => {
  local = await openLocalTron({ chainId: CHAIN_ID, payer, file })
  node = await serveLocalTron(local)
  wallet = new TronWeb({ fullHost: node.url, privateKey: PAYER_KEY })
})
afterAll(async () => {
  await node.stop()
  rmSync(folder, { recursive: true })
})

let start = 0
beforeEach(() => {
  start = local.head().height + 1
})

const session = () => sessionAlone(chain, connect({ id: 1, url: node.url }))
async function found(): Promise<readonly Transfer[]> {
  const blocks = await tronAdapter.reader.blocks(session(), { from: start, to: local.head().height }, filter)
  return blocks.flatMap(({ transfers }) => transfers)
}
async function sendTrx(to: string, sun: number): Promise<string> {
  const transaction = await wallet.trx.sign(await wallet.transactionBuilder.sendTrx(to, sun, addressText(payer)))
  const { result, txid } = await wallet.trx.sendRawTransaction(transaction)
  expect(result).toBe(true)
  return txid
}
async function sendToken(token: string, to: string, units: bigint, feeLimit = 100_000_000): Promise<string> {
  const { transaction } = await wallet.transactionBuilder.triggerSmartContract(
    token,
    'transfer(address,uint256)',
    { feeLimit, txLocal: true },
    [
      { type: 'address', value: to },
      { type: 'uint256', value: units.toString() },
    ],
    addressText(payer),
  )
  const { txid } = await wallet.trx.sendRawTransaction(await wallet.trx.sign(transaction))
  return txid
}

describe('the local chain of TRON, driven by unmodified tronweb', () => {
  it('mines a transfer of TRX, which the reader finds with its exact units', async () => {
    const txId = await sendTrx(OURS, 12_345_678)
    expect(await found()).toMatchObject([
      { kind: 'native', assetId: TRX, to: OURS, senders: [addressText(payer)], units: 12_345_678n, txId, leg: 'value' },
    ])
    expect(await wallet.trx.getBalance(OURS)).toBe(12_345_678)
  })

  it('runs a token whose transfer returns nothing, and the reader finds its log', async () => {
    const txId = await sendToken(usdt, OURS, 49_000_000n)
    expect(await found()).toMatchObject([{ kind: 'token', assetId: USDT, to: OURS, units: 49_000_000n, txId, leg: 'log:0' }])
    expect(await tronAdapter.reader.transaction(session(), txId)).toMatchObject({ state: 'included' })
  })

  it('credits nothing of a look-alike token, of too little energy, or of more than there is', async () => {
    await sendToken(lookAlike, OURS, 5_000_000n)
    const poor = await sendToken(usdt, OURS, 5_000_000n, 100)
    const much = await sendToken(usdt, OURS, 10n ** 30n)
    expect(await found()).toEqual([])
    for (const txId of [poor, much]) {
      expect(await tronAdapter.reader.transaction(session(), txId)).toMatchObject({ state: 'failed' })
    }
  })

  it('refuses what a node refuses: a foreign signature, a copy, another branch, a time that is over', async () => {
    const built = await wallet.transactionBuilder.sendTrx(OURS, 1_000, addressText(payer))
    const signed = await wallet.trx.sign(structuredClone(built))
    const send = async (transaction: object) =>
      (await (
        await fetch(`${node.url}/wallet/broadcasttransaction`, { method: 'POST', body: JSON.stringify(transaction) })
      ).json()) as { result: boolean; code?: string }
    const [recovery = 0, ...rest] = secp256k1.sign(fromHex(built.txID), fromHex('11'.repeat(32)), {
      prehash: false,
      format: 'recovered',
    })
    const strangers = Buffer.from([...rest, recovery]).toString('hex')
    expect((await send({ ...signed, signature: [strangers] })).code).toBe('SIGERROR')
    expect((await send({ ...signed, signature: [signed.signature[0]?.replace(/^../, 'ff') ?? ''] })).code).toBe('SIGERROR')
    expect((await send(signed)).result).toBe(true)
    expect((await send(signed)).code).toBe('DUP_TRANSACTION_ERROR')
    await local.mine(1)
    const onOldBranch = await wallet.trx.sign(await wallet.transactionBuilder.sendTrx(OURS, 1_000, addressText(payer)))
    await local.reorganize(1)
    expect((await send(onOldBranch)).code).toBe('TAPOS_ERROR')
  })

  it('takes blocks back and mines their transfers again in blocks of other ids', async () => {
    await sendTrx(OURS, 7_000_000)
    const [before] = await found()
    await local.reorganize(1)
    const [after] = await found()
    expect(after?.block.hash).not.toBe(before?.block.hash)
    expect([after?.txId, after?.leg, after?.units]).toEqual([before?.txId, before?.leg, before?.units])
  })

  it('is the same chain after it was opened again from its file', async () => {
    await local.mine(25)
    const again = await openLocalTron({ chainId: CHAIN_ID, payer, file })
    expect(again.head()).toMatchObject({ height: local.head().height, hash: local.head().hash })
    const key = tronAddresses.key(chain, OURS)
    expect(await again.machine().balance(key)).toBe(await local.machine().balance(key))
  })

  it('is recognised by its chain id, and shows as final what 19 blocks follow', async () => {
    expect(await tronAdapter.reader.identify(session())).toMatchObject({ isExpected: true, completeness: 1 })
    const elsewhere = sessionAlone({ ...chain, network: { ...chain.network, chainId: 1 } }, connect({ id: 2, url: node.url }))
    await expect(tronAdapter.reader.heads(elsewhere)).rejects.toThrow('serves chain 31341')
    const live = sessionAlone({ ...chain, mode: 'testnet' }, connect({ id: 3, url: node.url }))
    const heads = await tronAdapter.reader.heads(live)
    expect(heads.latest.height - (heads.finalized?.height ?? 0)).toBe(19)
  })

  it('states the decimals of its tokens', async () => {
    expect(await tronAdapter.contracts.read(session(), [TRX, USDT])).toEqual([{ assetId: USDT, hasCode: true, decimals: 6 }])
    expect(await tronAdapter.contracts.claim(session(), lookAlike)).toEqual({ symbol: 'USDC', decimals: 6 })
  })
})
