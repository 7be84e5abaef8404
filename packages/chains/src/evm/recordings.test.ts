import { sessionAlone } from '../chain.ts'
import type { NodeCall } from '../node/client.ts'
import { describe, expect, it } from 'vitest'
import type { Chain, ChainSession, Transfer, TransferFilter } from '../adapter.ts'
import { NodeRejected } from '../errors.ts'
import { chainOf } from '../testing/anvil-chain.ts'
import { loadRecording, type RecordedFrame, recordedNode, type Recording } from '../testing/recorded-node.ts'
import { evmAdapter } from './adapter.ts'
import { areProven, headerHash, receiptsRootOf } from './encoding/receipts-root.ts'
import { readHeader, readReceipt } from './encoding/wire.ts'

const { reader } = evmAdapter

/** keccak256("Transfer(address,address,uint256)") (ERC-20), written down here too: the test shares nothing with the reader. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const NATIVE = '0x0000000000000000000000000000000000000000'

/** Tokens of the time and the network of a recording that Kassa does not list: they are listed for the test. */
const TOKENS_OF_THE_TIME = [
  { id: 901, address: '0x6B175474E89094C44Da98b954EedeAC495271d0F' }, // DAI on Ethereum
  { id: 902, address: '0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA' }, // USDbC on Base
  { id: 903, address: '0x7F5c764cBc14f9669B88837ca1490cCa17c31607' }, // USDC.e on Optimism
  { id: 904, address: '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174' }, // USDC.e on Polygon
]

const eth = withTokens(chainOf('ETH', 'mainnet'))
const base = withTokens(chainOf('BASE', 'mainnet'))
const polygon = withTokens(chainOf('POLYGON', 'mainnet'))

/** `root`: the receipts match the receipts root of the header. A pre-Byzantium receipt is of a form that proves no success. */
type Proof = 'root' | 'pre-byzantium' | 'state-sync'
type Counted = readonly [tokens: number, native: number, internal: number]

const recordings: readonly (readonly [name: string, chain: Chain, proof: Proof, counted: Counted])[] = [
  ['ethereum/1000000', eth, 'pre-byzantium', [0, 0, 0]],
  ['ethereum/4369999', eth, 'pre-byzantium', [0, 0, 0]],
  ['ethereum/4370006', eth, 'root', [0, 7, 3]],
  ['ethereum/7280016', eth, 'root', [0, 43, 6]],
  ['ethereum/11098450', eth, 'root', [49, 52, 34]],
  ['ethereum/13998626', eth, 'root', [0, 3, 5]],
  ['ethereum/17053184', eth, 'root', [15, 61, 48]],
  ['ethereum/20472570', eth, 'root', [15, 32, 0]],
  ['ethereum/22244135', eth, 'root', [59, 59, 36]],
  ['ethereum/22615247', eth, 'root', [5, 10, 0]],
  ['ethereum/24647140', eth, 'root', [77, 23, 0]],
  ['base/81636', base, 'root', [0, 0, 0]],
  ['base/2000000', base, 'root', [0, 4, 0]],
  ['base-goerli/1041847', base, 'root', [0, 49, 0]],
  ['optimism/109860869', base, 'root', [3, 1, 0]],
  ['polygon/10000000', polygon, 'state-sync', [3, 0, 0]],
  ['polygon/20000000', polygon, 'state-sync', [19, 18, 0]],
  ['polygon/50000000', polygon, 'root', [9, 20, 0]],
  ['polygon-mumbai/135808', polygon, 'state-sync', [0, 0, 0]],
  ['polygon-mumbai/147648', polygon, 'state-sync', [0, 0, 0]],
  ['polygon-mumbai/19594674', polygon, 'root', [0, 0, 0]],
]

describe.each(recordings)('recordings: %s', (name, chain, proof, counted) => {
  const recording = loadRecording(name)
  const session = sessionOf(chain, recording)
  const height = Number(recording.block.number)
  const truth = transfersOf(recording, chain)

  it('has its hash from its header, and its receipts root from its receipts', () => {
    expect(headerHash(recording.block)).toBe(recording.block.hash)
    const receipts = (recording.receipts ?? []).flatMap((one) => readReceipt(one) ?? [])
    const header = readHeader(recording.block)
    if (!header) throw new Error('The recording has no header')
    const provable = receipts.filter(({ raw }) => proof !== 'state-sync' || raw['from'] !== NATIVE)
    expect(receipts.length - provable.length).toBe(proof === 'state-sync' ? 1 : 0)
    if (provable.length > 0 && proof !== 'pre-byzantium') {
      expect(receiptsRootOf(provable)).toBe(header.receiptsRoot)
      const [first, ...others] = provable
      const without = others.length > 0 ? others : [{ ...first, isSuccess: !first?.isSuccess } as typeof first & object]
      expect(() => areProven(header, without)).toThrow('receipts root')
    }
    expect(proof === 'state-sync' || areProven(header, receipts)).toBe(proof !== 'pre-byzantium')
  })

  it('holds as many transfers as its raw answers say', () => {
    expect(['token', 'native', 'internal'].map((kind) => truth.filter((one) => one.kind === kind).length)).toEqual(
      counted,
    )
  })

  it.each([0, 1])('brings the transfers of addresses that end in bit %s, however it is read', async (bit) => {
    const filter = endingIn(chain, bit)
    const expected = sorted(truth.filter(({ senders, to }) => [to, ...senders].some((one) => endsIn(one, bit))))
    const [whole] = await reader.blocks(session, { from: height, to: height }, filter)
    expect(sorted(whole?.transfers ?? [])).toEqual(expected)
    const [byIndex] = await reader.blocks(session, { from: height, to: height + 99 }, filter)
    expect(byKey(byIndex?.transfers ?? [])).toEqual(byKey(whole?.transfers ?? []))
    const partial = await evmAdapter.partial.read(session, height, filter)
    expect(partial?.unread).toEqual([])
    expect(byKey(partial?.transfers ?? [])).toEqual(byKey(whole?.transfers ?? []))
  })

  it('says of every transaction whether it succeeded, and what it moved', async () => {
    for (const { hash } of recording.block.transactions) {
      const facts = await reader.transaction(session, hash)
      const receipt = recording.receipts?.find((one) => one.transactionHash === hash)
      expect(facts.state).toBe(receipt?.status === '0x1' ? 'included' : 'failed')
      if (facts.state !== 'included') continue
      expect(facts.block.hash).toBe(recording.block.hash)
      expect(sorted(facts.transfers)).toEqual(sorted(truth.filter(({ txId }) => txId === hash)))
    }
  })
})

describe('recordings: ETH over the Prague upgrade', () => {
  const heights = [22_431_083, 22_431_084, 22_431_085, 22_431_086] as const
  const [first, ...others] = heights.map((height) => loadRecording(`ethereum/${height}`))

  it('follows one block to the next, with their hashes from their headers', async () => {
    if (!first) throw new Error('There is no first block')
    const node = recordedNode(first, ...others)
    const blocks = await reader.blocks(
      { ...sessionOf(eth, first), node },
      { from: heights[0], to: heights[3] },
      { assets: new Set(), matches: () => true },
    )
    expect(blocks.map(({ block }) => block.hash)).toEqual([first, ...others].map(({ block }) => headerHash(block)))
  })
})

describe('recordings: POLYGON', () => {
  const recording = loadRecording('polygon/20000000')
  const stateSync = recording.block.transactions.at(-1)?.hash
  const height = Number(recording.block.number)

  it('credits USDT that a state sync minted, also from a node that leaves its receipt out of the list', async () => {
    const forgetful = {
      ...recording,
      receipts: recording.receipts?.filter(({ transactionHash }) => transactionHash !== stateSync) ?? null,
    }
    const session = sessionOf(polygon, recording)
    const node = recordedNode(forgetful)
    const { call } = session.node
    const single: typeof call = (one) =>
      (one.rpc === 'json' && one.method === 'eth_getTransactionReceipt' ? session.node : node).call(one)
    const mixed = {
      ...node,
      call: single,
      batch: (calls: readonly NodeCall[]) => Promise.allSettled(calls.map((one) => single(one))),
    }
    for (const bit of [0, 1]) {
      const filter = endingIn(polygon, bit)
      const [expected] = await reader.blocks(session, { from: height, to: height }, filter)
      const [facts] = await reader.blocks({ ...session, node: mixed }, { from: height, to: height }, filter)
      expect(facts?.transfers).toEqual(expected?.transfers)
    }
    const minted = await reader.transaction(session, String(stateSync))
    expect(minted).toMatchObject({ state: 'included', transfers: [{ assetId: 12, kind: 'token' }] })
  })

  it('refuses a block from which a node drops a receipt', async () => {
    const [, ...receipts] = recording.receipts ?? []
    const reading = reader.blocks(
      sessionOf(polygon, { ...recording, receipts }),
      { from: height, to: height },
      endingIn(polygon, 0),
    )
    await expect(reading).rejects.not.toBeInstanceOf(NodeRejected)
    await expect(reading).rejects.toMatchObject({ kind: 'inconsistent' })
  })
})

type Moved = Pick<Transfer, 'kind' | 'assetId' | 'txId' | 'senders' | 'to' | 'units'>

/** Reads the raw answers anew, with nothing of the reader: values, logs and calls of successful transactions. */
function transfersOf({ block, receipts, traces }: Recording, { assets }: Chain): Moved[] {
  const native = assets.find(({ address }) => address === NATIVE)?.id ?? 0
  const tokens = new Map(assets.filter(({ id }) => id !== native).map(({ id, address }) => [address.toLowerCase(), id]))
  return block.transactions.flatMap((tx, at) => {
    const receipt = receipts?.find(({ transactionHash }) => transactionHash === tx.hash)
    if (receipt?.status !== '0x1') return []
    const value = tx.to === null ? [] : [moved('native', native, tx.hash, [tx.from, tx.to, tx['value']])]
    const logged = receipt.logs.flatMap(({ address, topics, data }) => {
      const assetId = tokens.get(address.toLowerCase())
      if (assetId === undefined || topics[0] !== TRANSFER || topics.length !== 3) return []
      return [moved('token', assetId, tx.hash, [`0x${topics[1]?.slice(26)}`, `0x${topics[2]?.slice(26)}`, data])]
    })
    const called = (traces?.[at]?.result.calls ?? []).flatMap(callsIn)
    const internal = called.map(({ from, to, value: units }) => moved('internal', native, tx.hash, [from, to, units]))
    return [...value, ...logged, ...internal].filter(({ units }) => units > 0n)
  })
}

function moved(
  kind: Moved['kind'],
  assetId: number,
  txId: string,
  [from, to, units]: readonly [unknown, unknown, unknown],
): Moved {
  return {
    kind,
    assetId,
    txId,
    senders: [String(from).toLowerCase()],
    to: String(to).toLowerCase(),
    units: BigInt(typeof units === 'string' ? units : 0),
  }
}

/** A call and those below it, without what failed and without calls that only borrow the value of their caller. */
function callsIn(frame: RecordedFrame): RecordedFrame[] {
  if (frame['error'] !== undefined || frame['to'] === undefined) return []
  const isOwnValue = ['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT'].includes(String(frame['type']))
  return [...(isOwnValue ? [frame] : []), ...(frame.calls ?? []).flatMap(callsIn)]
}

/** Kind, asset, sender, receiver, amount: everything but the leg, whose form is the reader's own. */
function sorted(transfers: readonly (Moved | Transfer)[]): string[] {
  return transfers
    .map(({ kind, assetId, txId, senders, to, units }) =>
      [kind, assetId, txId, ...senders, to, units].join(' ').toLowerCase(),
    )
    .toSorted()
}

/** What makes a deposit unique: it must be the same however a block is read. */
function byKey(transfers: readonly Transfer[]): string[] {
  return transfers.map(({ txId, leg, units }) => [txId, leg, units].join(' ')).toSorted()
}

function endsIn(address: string, bit: number): boolean {
  return Number.parseInt(address.slice(-1), 16) % 2 === bit
}

function endingIn(chain: Chain, bit: number): TransferFilter {
  return { assets: new Set(chain.assets.map(({ id }) => id)), matches: (key) => (key[19] ?? 0) % 2 === bit }
}

function sessionOf(chain: Chain, recording: Recording): ChainSession {
  return sessionAlone(chain, recordedNode(recording))
}

function withTokens(chain: Chain): Chain {
  const like = chain.assets.find(({ standard }) => standard === 'ERC20')
  const others = TOKENS_OF_THE_TIME.flatMap((token) => (like ? [{ ...like, ...token }] : []))
  return { ...chain, assets: [...chain.assets, ...others] }
}
