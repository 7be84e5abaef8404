import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { describe, expect, it } from 'vitest'

import { chainIn, sessionAlone } from '../../chain.ts'
import type { NodeClient } from '../../node/client.ts'
import { randomOf } from '../../testing/fakes/random.ts'
import { type TronFake, tronFakes } from '../../testing/fakes/tron/transactions.ts'
import { blockId } from '../encoding/block-id.ts'
import { readBlocks } from './blocks.ts'
import { findShortcoming } from './internal-records.ts'

const definition = findBlockchain('TRX')
if (!definition) throw new Error('There is no TRX')
const chain = chainIn('mainnet', definition)
const HEIGHT = 1_000
const everything = { assets: new Set(chain.assets.map(({ id }) => id)), matches: () => true }

/** A call in which another contract than the one that was called logs something. */
const nested = (): TronFake => tronFakes['T4']?.(randomOf(1)) ?? never()
/** The same with the record that nodes keep of the inner call, which moved nothing. */
function recorded(): TronFake {
  const { tx, info, owed } = nested()
  const record = {
    caller_address: `41${'11'.repeat(20)}`,
    transferTo_address: `41${'22'.repeat(20)}`,
    note: '63616c6c',
  }
  return { tx, owed, info: { ...info, internal_transactions: [{ ...record, callValueInfo: [{}] }] } }
}

let newest: TronFake = nested()
/** A node whose newest block holds one transaction, and which may be asked for that block only. */
function nodeOf(): NodeClient {
  const header = {
    number: HEIGHT,
    timestamp: 1_700_000_000_000,
    txTrieRoot: '0'.repeat(64),
    parentHash: '0'.repeat(64),
  }
  const id = blockId({
    ...{ timestamp: BigInt(header.timestamp), txTrieRoot: new Uint8Array(32), parentHash: new Uint8Array(32) },
    ...{ number: BigInt(HEIGHT), witnessId: 0n, witnessAddress: new Uint8Array(), version: 0n },
    accountStateRoot: new Uint8Array(),
  })
  const block = () => ({ blockID: id, block_header: { raw_data: header }, transactions: [newest.tx] })
  const answers: Readonly<Record<string, () => unknown>> = {
    getnowblock: block,
    getblockbynum: block,
    gettransactioninfobyblocknum: () => [newest.info],
  }
  const call: NodeClient['call'] = async (one) =>
    one.rpc === 'rest' ? answers[one.path.split('/').at(-1) ?? '']?.() : null
  return { id: 1, label: 'fake', call, batch: (calls) => Promise.allSettled(calls.map((one) => call(one))) }
}

const shownBy = async (node: NodeClient) => {
  const [facts] = await readBlocks(sessionAlone(chain, node), { from: HEIGHT, to: HEIGHT }, everything)
  return facts?.internalTransfers
}

describe('tron.internalTransfers of java-tron without vm.saveInternalTx', () => {
  it('are unsupported once a contract logged that nobody is recorded to have called', async () => {
    newest = nested()
    const node = nodeOf()
    expect(await findShortcoming(sessionAlone(chain, node))).toBe('internal_transfers')
    expect(await shownBy(node)).toBe('unsupported')
  })

  it('stay so in blocks that prove nothing, until the node shows a record', async () => {
    newest = nested()
    const node = nodeOf()
    await shownBy(node)
    newest = tronFakes['T1']?.(randomOf(1)) ?? never()
    expect(await shownBy(node)).toBe('unsupported')
    newest = recorded()
    expect(await shownBy(node)).toBe('complete')
    expect(await findShortcoming(sessionAlone(chain, node))).toBeNull()
  })

  it('are complete while nothing speaks against it', async () => {
    newest = recorded()
    const node = nodeOf()
    expect(await shownBy(node)).toBe('complete')
    newest = tronFakes['T1']?.(randomOf(1)) ?? never()
    expect(await shownBy(nodeOf())).toBe('complete')
  })
})

function never(): never {
  throw new Error('It is forged')
}
