import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { describe, expect, it } from 'vitest'
import { chainIn, sessionAlone } from '../../chain.ts'
import { NodeRejected } from '../../errors.ts'
import { type FakeAnswers, fakeNode } from '../../testing/fake-node.ts'
import { bitcoinAdapter } from '../adapter.ts'
import { readTransaction } from '../encoding/wire.ts'

const definition = findBlockchain('BTC')
if (!definition) throw new Error('There is no BTC')
const chain = chainIn('mainnet', definition)
const { reader, psbts } = bitcoinAdapter

/** The first payment of Bitcoin (block 170). */
const RAW =
  '0100000001c997a5e56e104102fa209c6a852dd90660a20b2d9c352423edce25857fcd3704000000004847304402204e45e16932b8af514961a1d3a1a25fdf3f4f7732e9d624c6c61548ab5fb8cd410220181522ec8eca07de4860a4acdd12909d831cc56cbbac4622082221a8768d1d0901ffffffff0200ca9a3b00000000434104ae1a62fe09c5f51b13905f07f06b99a2f7159b2225f374cd378d71302fa28414e7aab37397f554a7df5f142c21c1b7303b8a0626f1baded5c72a704f7e6cd84cac00286bee0000000043410411db93e1dcdb8a016b49840f8c53bc1eb68a382e97b1482ecad7b148a6909a5cb2e0eaddfb84ccf9744464f82e160bfa9b8b64f9d4c03f999b8643f656b412a3ac00000000'
const { txId } = readTransaction(Buffer.from(RAW, 'hex'))
const STALE = 'ab'.repeat(32)

const sessionOf = (answers: FakeAnswers) =>
  sessionAlone(chain, fakeNode({ getblockhash: () => chain.network.genesisHash, ...answers }))

describe('bitcoin.bitcoind', () => {
  it.each([
    [{ hex: RAW }, 'pending'],
    [{ hex: RAW, blockhash: STALE, confirmations: 0 }, 'unknown'],
    [{ hex: RAW, blockhash: STALE }, 'unknown'],
  ])('finds a transaction as %o', async (answer, state) => {
    expect(await reader.transaction(sessionOf({ getrawtransaction: () => answer }), txId)).toEqual({ state })
  })

  it('knows no transaction that a node has not', async () => {
    const refuse = () => {
      throw new NodeRejected('No such mempool or blockchain transaction', -5)
    }
    expect(await reader.transaction(sessionOf({ getrawtransaction: refuse }), txId)).toEqual({ state: 'unknown' })
  })

  it.each([
    [0.000_01, 1n],
    [0.000_02, 2n],
    [0.000_070_01, 8n],
    [0.0003, 30n],
  ])('reads %d coins for a thousand bytes as %d units for each', async (feerate, rate) => {
    expect(await psbts.feeRate(sessionOf({ estimatesmartfee: () => ({ feerate, blocks: 144 }) }))).toBe(rate)
  })
})
