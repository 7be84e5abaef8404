import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { RawTx } from '@scure/btc-signer/script.js'
import { Transaction } from '@scure/btc-signer'
import { describe, expect, it } from 'vitest'
import type { NetworkMode } from '@kassa/primitives/chains/blockchain.ts'
import type { ChainSession } from '../adapter.ts'
import { chainIn, sessionAlone } from '../chain.ts'
import { esploraClient } from '../testing/bitcoin-node/esplora.ts'
import { fakeNode } from '../testing/fake-node.ts'
import { bitcoinAdapter } from './adapter.ts'
import { fullReadScope, transfersIn } from './blocks/transfers.ts'
import { readBlock, readTransaction, refOf } from './encoding/wire.ts'

const definition = findBlockchain('BTC')
if (!definition) throw new Error('There is no BTC')
const BTC = 2
const everything = { assets: new Set([BTC]), matches: () => true }

const recorded = [
  ['mainnet', 'bitcoin/866342', 866_342, '000000000000000000014ce9'],
  ['testnet', 'bitcoin-testnet3/924634', 924_634, '000000000000045e0b16'],
] as const

/** A node with one block whose answers the test sets; asked by JSON-RPC or through an Esplora. */
function sessionOf(mode: NetworkMode, hash: string, hex: string, through = 'json-rpc'): ChainSession {
  const answers = { getblockhash: () => hash, getblock: () => hex }
  const node =
    through === 'json-rpc'
      ? fakeNode(answers)
      : esploraClient(async (method) => answers[method as keyof typeof answers]())
  return sessionAlone(chainIn(mode, definition ?? never()), node)
}

describe.each(recorded)('bitcoin recordings: %s %s', (mode, name, height, prefix) => {
  const bytes = gunzipSync(readFileSync(new URL(`../testing/recordings/${name}.block.raw.gz`, import.meta.url)))
  const block = readBlock(bytes)

  it('is proved by its header', () => {
    expect(block.hash.startsWith(prefix)).toBe(true)
    expect(block.transactions.filter(({ isCoinbase }) => isCoinbase)).toEqual([block.transactions[0]])
  })

  it.each([
    ['a transaction', 140],
    ['the parent', 10],
    ['the end', bytes.length - 1],
  ])('is refused with %s changed', async (_what, at) => {
    const forged = Buffer.from(bytes)
    forged[at] = (forged[at] ?? 0) ^ 1
    const asked = bitcoinAdapter.reader.blocks(
      sessionOf(mode, block.hash, forged.toString('hex')),
      { from: height, to: height },
      everything,
    )
    await expect(asked).rejects.toThrow(/malformed|another block/)
  })

  it('has the same transfers through an Esplora as by JSON-RPC', async () => {
    const range = { from: height, to: height }
    const [byPath, byCall] = await Promise.all(
      ['esplora', 'json-rpc'].map((through) => {
        const recorded = sessionOf(mode, block.hash, bytes.toString('hex'), through)
        // Its parent, which its target is compared with on the main network, was not recorded.
        const session: ChainSession = { ...recorded, chain: { ...recorded.chain, mode: 'testnet' } }
        // Taproot: no input names such an output, so that nothing of other blocks is asked for.
        const isOwn = (key: Uint8Array) => key[0] === 0x51
        return bitcoinAdapter.reader.blocks(session, range, { assets: new Set([BTC]), matches: isOwn })
      }),
    )
    expect(byCall?.[0]?.transfers.length).toBe(mode === 'mainnet' ? 2_757 : 0)
    expect(byPath).toEqual(byCall)
  })

  it('has the outputs that an address stands for, with their exact units, and new coins only once they can be spent', () => {
    const { chain } = sessionOf(mode, block.hash, '')
    const transfers = block.transactions.flatMap((tx) => transfersIn(fullReadScope(chain), refOf(block, height), tx))
    const [coinbase] = block.transactions
    const isNew = (txId: string) => txId === coinbase?.txId
    expect(transfers.length).toBeGreaterThan(10)
    for (const { txId, senders, minConfirmations } of transfers.filter((one) => isNew(one.txId))) {
      expect({ txId, senders, minConfirmations }).toEqual({ txId, senders: [], minConfirmations: 100 })
    }
    expect(
      transfers.filter(({ minConfirmations }) => minConfirmations !== undefined).every(({ txId }) => isNew(txId)),
    ).toBe(true)
    const spendable = block.transactions.flatMap(({ txId, outputs }) =>
      outputs.flatMap(({ units, script }, at) =>
        script[0] === 0x6a || units === 0n ? [] : [`${txId} vout:${at} ${units}`],
      ),
    )
    expect(transfers.map(({ txId, leg, units }) => `${txId} ${leg} ${units}`)).toEqual(spendable)
  })
})

it('reads transactions as another library does, and names who signed', () => {
  const name = recorded[1][1]
  const bytes = gunzipSync(readFileSync(new URL(`../testing/recordings/${name}.block.raw.gz`, import.meta.url)))
  let at = 81
  for (const ours of readBlock(bytes).transactions) {
    const theirs = RawTx.decode(new Uint8Array(bytes.subarray(at)), { allowUnreadBytes: true })
    const raw = RawTx.encode(theirs)
    at += raw.length
    const read = readTransaction(Buffer.from(raw))
    expect(read).toEqual(ours)
    expect(read.outputs).toEqual(
      theirs.outputs.map(({ amount, script }) => ({ units: amount, script: Buffer.from(script) })),
    )
    expect(read.txId).toBe(Transaction.fromRaw(raw, { allowUnknownOutputs: true, disableScriptCheck: true }).id)
  }
  expect(at).toBe(bytes.length)
})

function never(): never {
  throw new Error('There is no BTC')
}
