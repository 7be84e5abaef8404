import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { TronWeb } from 'tronweb'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Transfer, TransferFilter } from '../../adapter.ts'
import { tronAdapter } from '../../tron/adapter.ts'
import { tronAddresses } from '../../tron/addresses/addresses.ts'
import { fromHex } from '../../tron/encoding/hex.ts'
import { openTronChain, type TronChain } from '../tron-chain.ts'

const OURS = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'

const folder = mkdtempSync(join(tmpdir(), 'kassa-tron-'))
const file = join(folder, 'TRX.jsonl')
let tron: TronChain
let wallet: TronWeb

beforeAll(async () => {
  tron = await openTronChain({ file })
  wallet = new TronWeb({ fullHost: tron.url, privateKey: Buffer.from(tron.payer.key).toString('hex') })
})
afterAll(async () => {
  await tron.stop()
  rmSync(folder, { recursive: true })
})

let start = 0
beforeEach(() => {
  start = tron.local.head().height + 1
})

async function found(): Promise<readonly Transfer[]> {
  const { chain, assets } = tron
  const ours = Buffer.from(tronAddresses.key(chain, OURS))
  const filter: TransferFilter = { assets: new Set(Object.values(assets)), matches: (key) => ours.equals(key) }
  const blocks = await tronAdapter.reader.blocks(tron.session(), { from: start, to: tron.local.head().height }, filter)
  return blocks.flatMap(({ transfers }) => transfers)
}
async function sendTrx(to: string, sun: number): Promise<string> {
  const transaction = await wallet.trx.sign(await wallet.transactionBuilder.sendTrx(to, sun, tron.payer.address))
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
    tron.payer.address,
  )
  const { txid } = await wallet.trx.sendRawTransaction(await wallet.trx.sign(transaction))
  return txid
}

describe('the local chain of TRON, driven by unmodified tronweb', () => {
  it('mines a transfer of TRX, which the reader finds with its exact units', async () => {
    const txId = await sendTrx(OURS, 12_345_678)
    expect(await found()).toMatchObject([
      {
        kind: 'native',
        assetId: tron.assets.native,
        to: OURS,
        senders: [tron.payer.address],
        units: 12_345_678n,
        txId,
        leg: 'value',
      },
    ])
    expect(await wallet.trx.getBalance(OURS)).toBe(12_345_678)
  })

  it('runs a token whose transfer returns nothing, and the reader finds its log', async () => {
    const txId = await sendToken(tron.tokens.usdt, OURS, 49_000_000n)
    expect(await found()).toMatchObject([
      { kind: 'token', assetId: tron.assets.usdt, to: OURS, units: 49_000_000n, txId, leg: 'log:0' },
    ])
    expect(await tronAdapter.reader.transaction(tron.session(), txId)).toMatchObject({ state: 'included' })
  })

  it('credits nothing of a look-alike token, of too little energy, or of more than there is', async () => {
    await sendToken(tron.tokens.lookAlike, OURS, 5_000_000n)
    const poor = await sendToken(tron.tokens.usdt, OURS, 5_000_000n, 100)
    const much = await sendToken(tron.tokens.usdt, OURS, 10n ** 30n)
    expect(await found()).toEqual([])
    for (const txId of [poor, much]) {
      expect(await tronAdapter.reader.transaction(tron.session(), txId)).toMatchObject({ state: 'failed' })
    }
  })

  it('refuses what a node refuses: a foreign signature, a copy, another branch, a time that is over', async () => {
    const built = await wallet.transactionBuilder.sendTrx(OURS, 1_000, tron.payer.address)
    const signed = await wallet.trx.sign(structuredClone(built))
    const send = async (transaction: object) =>
      (await (
        await fetch(`${tron.url}/wallet/broadcasttransaction`, { method: 'POST', body: JSON.stringify(transaction) })
      ).json()) as { result: boolean; code?: string }
    const [recovery = 0, ...rest] = secp256k1.sign(fromHex(built.txID), fromHex('11'.repeat(32)), {
      prehash: false,
      format: 'recovered',
    })
    const strangers = Buffer.from([...rest, recovery]).toString('hex')
    expect((await send({ ...signed, signature: [strangers] })).code).toBe('SIGERROR')
    expect((await send({ ...signed, signature: [signed.signature[0]?.replace(/^../, 'ff') ?? ''] })).code).toBe(
      'SIGERROR',
    )
    expect((await send(signed)).result).toBe(true)
    expect((await send(signed)).code).toBe('DUP_TRANSACTION_ERROR')
    await tron.local.mine(1)
    const onOldBranch = await wallet.trx.sign(await wallet.transactionBuilder.sendTrx(OURS, 1_000, tron.payer.address))
    await tron.local.reorganize(1)
    expect((await send(onOldBranch)).code).toBe('TAPOS_ERROR')
  })

  it('T8 takes blocks back and mines their transfers again in blocks of other ids', async () => {
    await sendTrx(OURS, 7_000_000)
    const [before] = await found()
    await tron.local.reorganize(1)
    const [after] = await found()
    expect(after?.block.hash).not.toBe(before?.block.hash)
    expect([after?.txId, after?.leg, after?.units]).toEqual([before?.txId, before?.leg, before?.units])
  })

  it('takes the same fee for a call when its block is replayed after any simulation', async () => {
    const parameters = [
      { type: 'address', value: OURS },
      { type: 'uint256', value: '1000000' },
    ]
    const method = 'transfer(address,uint256)'
    await wallet.transactionBuilder.triggerConstantContract(
      tron.tokens.usdt,
      method,
      {},
      parameters,
      tron.payer.address,
    )
    const txId = await sendToken(tron.tokens.usdt, OURS, 1_000_000n)
    const feeOf = () => tron.local.find(txId)?.executed.fee
    const before = feeOf()
    await tron.local.reorganize(1)
    expect(feeOf()).toBe(before)
  })

  it('is the same chain after it was opened again from its file', async () => {
    await tron.local.mine(25)
    const again = await openTronChain({ file })
    const { height, hash } = tron.local.head()
    expect(again.local.head()).toMatchObject({ height, hash })
    const key = tronAddresses.key(tron.chain, OURS)
    expect(await again.local.machine().balance(key)).toBe(await tron.local.machine().balance(key))
    await again.stop()
  })

  it('is recognised by its chain id, and shows as final what 19 blocks follow', async () => {
    expect(await tronAdapter.reader.identify(tron.session())).toMatchObject({ isExpected: true, completeness: 1 })
    const elsewhere = tron.session({ network: { ...tron.chain.network, chainId: 1 } })
    await expect(tronAdapter.reader.heads(elsewhere)).rejects.toThrow('serves chain 31341')
    const heads = await tronAdapter.reader.heads(tron.session({ mode: 'testnet' }))
    expect(heads.latest.height - (heads.finalized?.height ?? 0)).toBe(19)
  })

  it('states the decimals of its tokens', async () => {
    expect(await tronAdapter.contracts.read(tron.session(), [tron.assets.native, tron.assets.usdt])).toEqual([
      { assetId: tron.assets.usdt, hasCode: true, decimals: 6 },
    ])
    expect(await tronAdapter.contracts.claim(tron.session(), tron.tokens.lookAlike)).toEqual({
      symbol: 'USDC',
      decimals: 6,
    })
  })
})
