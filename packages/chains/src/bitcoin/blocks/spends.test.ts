import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { p2wpkh } from '@scure/btc-signer'
import { RawTx } from '@scure/btc-signer/script.js'
import { expect, it } from 'vitest'
import { chainIn, sessionAlone } from '../../chain.ts'
import { RetryableRpcError } from '../../errors.ts'
import { fakeNode } from '../../testing/fake-node.ts'
import { readTransaction } from '../encoding/wire.ts'
import { spendsIn } from './spends.ts'
import { readScopeOf } from './transfers.ts'

const definition = findBlockchain('BTC')
if (!definition) throw new Error('There is no BTC')
const chain = chainIn('mainnet', definition)
const BTC = 2
const getblockhash = () => '00'.repeat(32)
const keyOf = (n: number) => secp256k1.getPublicKey(Buffer.alloc(32, n))
const [a, b, cold, strange] = [1, 2, 3, 4].map((n) => ({ key: keyOf(n), ...p2wpkh(keyOf(n)) })) as [Own, Own, Own, Own]
type Own = ReturnType<typeof p2wpkh> & { readonly key: Uint8Array }
const ours = new Set([a, b, cold].map(({ script }) => Buffer.from(script).toString('hex')))
const scope = {
  ...readScopeOf(chain, { assets: new Set([BTC]), matches: (script) => ours.has(Buffer.from(script).toString('hex')) }),
  native: BTC,
}
const block = { height: 9, hash: 'b', parentHash: 'a', minedAt: new Date(0) }

const bytes = (inputs: { txId: string; at: number; by: Own }[], outputs: (readonly [Own, bigint])[]) =>
  Buffer.from(
    RawTx.encode({
      version: 2,
      segwitFlag: true,
      inputs: inputs.map(({ txId, at }) => ({
        ...{ txid: Buffer.from(txId, 'hex'), index: at, finalScriptSig: new Uint8Array(), sequence: 1 },
      })),
      outputs: outputs.map(([{ script }, amount]) => ({ script, amount })),
      witnesses: inputs.map(({ by }) => [new Uint8Array(71), by.key]),
      lockTime: 0,
    }),
  )
const made = bytes(
  [{ txId: '7'.repeat(64), at: 0, by: strange }],
  [
    [a, 600n],
    [b, 300n],
    [a, 101n],
    [strange, 50n],
  ],
)
const { txId } = readTransaction(made)
const session = sessionAlone(
  chain,
  fakeNode({ getblockhash, getrawtransaction: (id: unknown) => (id === txId ? made.toString('hex') : null) }),
)
const spend = (inputs: (readonly [at: number, by: Own])[], outputs: (readonly [Own, bigint])[]) =>
  spendsIn(session, scope, block, [
    readTransaction(
      bytes(
        inputs.map(([at, by]) => ({ txId, at, by })),
        outputs,
      ),
    ),
  ])

it('says of each address what it gave to the one output, and what of that the network kept', async () => {
  const found = await spend(
    [
      [0, a],
      [1, b],
      [2, a],
    ],
    [[cold, 991n]],
  )
  expect(found.map(({ senders, to, units, fee, leg }) => [...senders, to, units, fee, leg])).toEqual([
    [a.address, cold.address, 701n, 7n, `vout:0:${a.address}`],
    [b.address, cold.address, 300n, 3n, `vout:0:${b.address}`],
  ])
})

it('says of several outputs, or of coins that are not ours alone, what left us and what came back', async () => {
  const found = await spend(
    [[0, a]],
    [
      [strange, 400n],
      [b, 190n],
    ],
  )
  expect(found).toMatchObject([
    { senders: [a.address], to: '', units: 600n, leg: `spent:${a.address}` },
    { senders: [], to: b.address, units: 190n, leg: 'vout:1', isFromUs: true },
  ])
  expect(
    await spend(
      [
        [1, b],
        [3, strange],
      ],
      [[cold, 340n]],
    ),
  ).toMatchObject([
    { senders: [b.address], to: '', units: 300n },
    { senders: [], to: cold.address, units: 340n, isFromUs: true },
  ])
})

it('waits for a node that finds what was spent', async () => {
  const blind = sessionAlone(chain, fakeNode({ getblockhash, getrawtransaction: () => '00' }))
  const tx = readTransaction(bytes([{ txId, at: 0, by: a }], [[cold, 590n]]))
  await expect(spendsIn(blind, scope, block, [tx])).rejects.toThrow(RetryableRpcError)
})
