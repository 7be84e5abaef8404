import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { describe, expect, it } from 'vitest'
import type { TransferFilter } from '../adapter.ts'
import { chainIn, sessionAlone } from '../chain.ts'
import { NodeRejected } from '../errors.ts'
import type { NodeCall, NodeClient } from '../node/client.ts'
import { tronAdapter } from './adapter.ts'
import { readBlocks } from './blocks/blocks.ts'
import { fullReadScope, transfersIn } from './blocks/transfers.ts'
import { readBlock, readInfo } from './encoding/wire.ts'

type Json = Record<string, unknown>
type RecordedBlock = { readonly blockID: string; readonly block_header: { raw_data: Json }; transactions: RecordedTx[] }
type RecordedTx = {
  readonly txID: string
  readonly raw_data_hex: string
  readonly ret: { contractRet: string }[]
  readonly raw_data: { contract: { type: string; parameter: { value: Json } }[] }
}

const definition = findBlockchain('TRX')
if (!definition) throw new Error('There is no TRX')
const chain = chainIn('mainnet', definition)
const [TRX, USDT] = [3, 13]
const everything: TransferFilter = { assets: new Set([TRX, USDT]), matches: () => true }

const mainnet = load('tron/69351239.block') as RecordedBlock
const shasta = load('tron-shasta/55088560.block') as RecordedBlock
const local = load('tron-private/165.block') as RecordedBlock
const [tokenInfo, internalInfo, mapInfo] = load('tron-private/infos') as [Json, Json, Json]

/** What the node says became of each transaction where nothing but its result was recorded: no logs. */
const bareInfos = ({ transactions, block_header: { raw_data } }: RecordedBlock) =>
  transactions.map(({ txID, ret }) => ({
    id: txID,
    blockNumber: raw_data['number'],
    receipt: { result: ret[0]?.contractRet },
  }))

const sessionOf = (block: unknown, infos: unknown) =>
  sessionAlone(chain, node({ getblockbynum: block, gettransactioninfobyblocknum: infos }))

describe.each([
  ['mainnet 69351239', mainnet],
  ['Shasta 55088560', shasta],
  ['a private network 165', local],
])('tron recordings: %s', (_name, block) => {
  it('has the id that its header gives, and transactions with the ids that their bytes give', () => {
    const read = readBlock(block)
    expect(read?.hash).toBe(block.blockID)
    expect(read?.transactions.map(({ txId }) => txId)).toEqual(block.transactions.map(({ txID }) => txID))
  })

  it.each([
    ['the height', { number: 1 }],
    ['the time', { timestamp: 1 }],
    ['the parent', { parentHash: 'ab'.repeat(32) }],
  ])('is refused with %s changed', (_what, change) => {
    const { raw_data } = block.block_header
    expect(() => readBlock({ ...block, block_header: { raw_data: { ...raw_data, ...change } } })).toThrow('blockID')
  })

  it('is refused with one byte of a transaction changed', () => {
    const [first, ...rest] = block.transactions
    const changed = { ...first, raw_data_hex: first?.raw_data_hex.replace(/..$/, '00') }
    expect(() => readBlock({ ...block, transactions: [changed, ...rest] })).toThrow('txID')
  })
})

describe('tron.reader on recorded blocks', () => {
  it('finds each transfer of TRX of a block of mainnet, and nothing of TRC-10, resources or votes (T3, T5, T9)', async () => {
    // Two of the same address: the block has no transfer to oneself.
    const height = Number(mainnet.block_header.raw_data['number'])
    const ours = new Set(transfersOf(mainnet).map(({ to }) => to.slice(2)))
    const payers = new Set(transfersOf(mainnet).map(({ from }) => from.slice(2)))
    const matches = (key: Uint8Array) => ours.has(hex(key)) && !payers.has(hex(key))
    const [facts] = await readBlocks(
      sessionOf(mainnet, bareInfos(mainnet)),
      { from: height, to: height },
      { ...everything, matches },
    )
    const expected = transfersOf(mainnet).filter(({ to }) => !payers.has(to.slice(2)))
    expect(expected.length).toBeGreaterThan(40)
    expect(facts?.transfers.map(({ txId, units }) => [txId, units])).toEqual(
      expected.map(({ txId, units }) => [txId, units]),
    )
  })

  it('moves nothing by a call that was reverted, whatever the outcome says (T1)', async () => {
    const height = Number(shasta.block_header.raw_data['number'])
    const session = sessionOf(shasta, bareInfos(shasta))
    const [facts] = await readBlocks(session, { from: height, to: height }, everything)
    expect(facts?.transfers).toEqual([])
  })

  it.each([
    ['leaves out the outcome of a transaction', (infos: Json[]) => infos.slice(1)],
    ['gives the outcomes of another block', (infos: Json[]) => infos.map((one) => ({ ...one, blockNumber: 7 }))],
    ['answers nothing yet', () => []],
  ])('asks again when the node %s (W-8)', async (_what, change) => {
    const height = Number(shasta.block_header.raw_data['number'])
    const session = sessionOf(shasta, change(bareInfos(shasta)))
    await expect(readBlocks(session, { from: height, to: height }, everything)).rejects.toMatchObject({
      kind: 'inconsistent',
    })
  })

  it('reads the log of a real USDT transfer', () => {
    const info = readInfo(load('tron/ec7c9584.info'))
    const transfers = transfersIn(fullReadScope(chain), ref, call(info?.txId ?? ''), info)
    expect(transfers).toMatchObject([{ kind: 'token', assetId: USDT, units: 0x3117173n, leg: 'log:0' }])
  })

  it('finds TRX that a contract passed on, unless the call was undone or paid in TRC-10 (T2, T15)', () => {
    const found = (info: Json) => transfersIn(fullReadScope(chain), ref, call(String(info['id'])), readInfo(info))
    expect(found(internalInfo)).toMatchObject([{ kind: 'internal', assetId: TRX, units: 1n, evidence: 'receipt' }])
    const [internal] = internalInfo['internal_transactions'] as [Json]
    const changed = (change: Json) => found({ ...internalInfo, internal_transactions: [{ ...internal, ...change }] })
    expect(changed({ rejected: true })).toEqual([])
    expect(changed({ callValueInfo: [{ callValue: 1, tokenId: '1000001' }] })).toEqual([])
    expect(changed({ note: '637265617465' })).toEqual([])
  })

  it('takes no token log of a contract that is not listed, nor anything of a failed call (T4, T6)', () => {
    const found = (info: Json) => transfersIn(fullReadScope(chain), ref, call(String(info['id'])), readInfo(info))
    expect(found(tokenInfo)).toEqual([])
    expect(found({ ...internalInfo, result: 'FAILED' })).toEqual([])
    expect(found({ ...internalInfo, receipt: { result: 'OUT_OF_ENERGY' } })).toEqual([])
  })

  it('reads an outcome with fields it does not know', () => {
    expect(readInfo(mapInfo)).toMatchObject({ height: 165, logs: [], internal: [] })
  })

  it('names a transaction expired once its time is over and no block holds it (T7)', async () => {
    const [tx] = shasta.transactions
    const answers = { gettransactionbyid: tx, gettransactioninfobyid: {}, getnowblock: mainnet }
    const late = await tronAdapter.reader.transaction(sessionAlone(chain, node(answers)), tx?.txID ?? '')
    expect(late).toEqual({ state: 'pending' })
    const [old] = mainnet.transactions
    const expired = { gettransactionbyid: old, gettransactioninfobyid: {}, getnowblock: shasta }
    expect(await tronAdapter.reader.transaction(sessionAlone(chain, node(expired)), old?.txID ?? '')).toEqual({
      state: 'expired',
    })
  })
})

const ref = { height: 1, hash: 'aa', parentHash: 'bb', minedAt: new Date(0) }
const someKey = new Uint8Array(20)

function call(txId: string) {
  const message = { kind: 'call', from: someKey, to: someKey, units: 0n, data: new Uint8Array() } as const
  const refBlock = { bytes: new Uint8Array(), hash: new Uint8Array() }
  return {
    txId,
    isSuccess: true,
    raw: { message, createdAt: new Date(0), expiresAt: new Date(0), feeLimit: 0n, refBlock },
  }
}

function transfersOf({ transactions }: RecordedBlock) {
  return transactions.flatMap(({ txID, raw_data: { contract } }) => {
    const [{ type, parameter } = { type: '', parameter: { value: {} as Json } }] = contract
    if (type !== 'TransferContract') return []
    const { owner_address: from, to_address: to, amount } = parameter.value
    return [{ txId: txID, from: String(from), to: String(to), units: BigInt(Number(amount)) }]
  })
}

function hex(key: Uint8Array): string {
  return Buffer.from(key).toString('hex')
}

function node(answers: Readonly<Record<string, unknown>>): NodeClient {
  const call = async (one: NodeCall): Promise<unknown> => {
    const name = one.rpc === 'rest' ? (one.path.split('/').at(-1) ?? '') : ''
    if (!(name in answers)) throw new NodeRejected('HTTP 404', 404)
    return answers[name]
  }
  return { id: 1, label: 'recorded', call, batch: (calls) => Promise.allSettled(calls.map(call)) }
}

function load(name: string): unknown {
  const file = new URL(`../testing/recordings/${name}.json.gz`, import.meta.url)
  return JSON.parse(gunzipSync(readFileSync(file)).toString())
}
