import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { describe, expect, it } from 'vitest'
import { chainIn, sessionAlone } from '../../../chain.ts'
import type { NodeClient } from '../../../node/client.ts'
import { tronAddresses } from '../../../tron/addresses/addresses.ts'
import { readTransactionFacts } from '../../../tron/blocks/transaction.ts'
import { readScopeOf, transfersIn } from '../../../tron/blocks/transfers.ts'
import { readInfo, readTransaction } from '../../../tron/encoding/wire.ts'
import { MUTATIONS } from '../mutations.ts'
import { randomOf } from '../random.ts'
import { OURS, type TronFake, tronFakes } from './transactions.ts'

const definition = findBlockchain('TRX')
if (!definition) throw new Error('There is no TRX')
const chain = chainIn('mainnet', definition)
const own = Buffer.from(tronAddresses.key(chain, OURS))
const filter = { assets: new Set(chain.assets.map(({ id }) => id)), matches: (key: Uint8Array) => own.equals(key) }
const block = { height: 1_000, hash: 'aa', parentHash: 'bb', minedAt: new Date(1_700_000_000_000) }

function creditOf({ tx, info }: TronFake): bigint {
  const moved = transfersIn(readScopeOf(chain, filter), block, readTransaction(tx), info && readInfo(info))
  return moved.filter(({ to }) => to === OURS).reduce((sum, { units }) => sum + units, 0n)
}

describe('fake deposits on TRON', () => {
  it.each(Object.entries(tronFakes))('%s brings nothing but what truly arrived', (id, forge) => {
    for (let seed = 0; seed < MUTATIONS; seed += 1) {
      const forged = forge(randomOf(seed))
      expect([id, seed, creditOf(forged)]).toEqual([id, seed, forged.owed])
    }
  })

  it('T7 calls a transaction that no block holds pending, and expired once its time is over', async () => {
    const { T13: forge } = tronFakes
    if (!forge) throw new Error('T13 is forged')
    for (let seed = 0; seed < MUTATIONS; seed += 1) {
      const { tx } = forge(randomOf(seed))
      const { txId } = readTransaction(tx)
      for (const [newest, state] of [
        [1_700_000_599_999, 'pending'],
        [1_700_000_600_001, 'expired'],
      ] as const) {
        const facts = await readTransactionFacts(sessionAlone(chain, nodeWith(tx, newest)), txId)
        expect(facts).toEqual({ state })
      }
    }
  })
})

/** A node that knows one transaction and has it in no block; its newest block is block 0 of some time, which it need not prove. */
function nodeWith(tx: object, newest: number): NodeClient {
  const header = { timestamp: newest, txTrieRoot: '0'.repeat(64), parentHash: '0'.repeat(64) }
  const answers: Readonly<Record<string, unknown>> = {
    gettransactionbyid: tx,
    gettransactioninfobyid: {},
    getnowblock: { blockID: '0'.repeat(64), block_header: { raw_data: header } },
  }
  const call: NodeClient['call'] = async (one) =>
    one.rpc === 'rest' ? answers[one.path.split('/').at(-1) ?? ''] : null
  return { id: 1, label: 'fake', call, batch: (calls) => Promise.allSettled(calls.map((one) => call(one))) }
}
