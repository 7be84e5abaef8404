import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { p2pk, p2pkh, p2sh, p2wpkh, p2wsh } from '@scure/btc-signer'
import { RawTx } from '@scure/btc-signer/script.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { describe, expect, it } from 'vitest'
import { chainIn } from '../../chain.ts'
import { readTransaction } from '../encoding/wire.ts'
import { movesIn, readScopeOf } from './transfers.ts'

const definition = findBlockchain('BTC')
if (!definition) throw new Error('There is no BTC')
const chain = chainIn('mainnet', definition)
const BTC = 2
const key = secp256k1.getPublicKey(Buffer.alloc(32, 1))
const strange = secp256k1.getPublicKey(Buffer.alloc(32, 2))
const ours = p2wpkh(key)
const scope = readScopeOf(chain, {
  assets: new Set([BTC]),
  matches: (script) => Buffer.from(script).equals(Buffer.from(ours.script)),
})

type Input = { readonly script?: Uint8Array; readonly witness?: readonly Uint8Array[]; readonly isCoinbase?: boolean }

/** What is found of a transaction with these outputs, which another library has written. */
function found(outputs: readonly (readonly [units: bigint, script: Uint8Array])[], input: Input = {}) {
  const { script = new Uint8Array(), witness = [new Uint8Array(71), strange], isCoinbase = false } = input
  const raw = RawTx.encode({
    version: 2,
    segwitFlag: witness.length > 0,
    inputs: [{ txid: new Uint8Array(32).fill(isCoinbase ? 0 : 9), index: 0, finalScriptSig: script, sequence: 1 }],
    outputs: outputs.map(([amount, to]) => ({ amount, script: to })),
    ...(witness.length > 0 && { witnesses: [[...witness]] }),
    lockTime: 0,
  })
  return movesIn(scope, readTransaction(Buffer.from(raw)))
}

describe('bitcoin.transfers', () => {
  it('finds each output to an address of ours, whatever else the transaction pays', () => {
    const moves = found([
      [5n, ours.script],
      [7n, p2wpkh(strange).script],
      [2_099_999_997_690_000n, ours.script],
    ])
    expect(moves.map(({ leg, units, to }) => [leg, units, to])).toEqual([
      ['vout:0', 5n, ours.address],
      ['vout:2', 2_099_999_997_690_000n, ours.address],
    ])
    expect(moves.flatMap(({ senders }) => senders)).toEqual([p2wpkh(strange).address, p2wpkh(strange).address])
  })

  // B5 to B8 of the corpus (money.md 2.12): what names us, and is nothing of ours.
  it.each([
    ['our key behind another script', p2pkh(key).script],
    ['our script in a hash', p2sh(ours).script],
    ['our script as a witness script', p2wsh(p2pkh(key)).script],
    ['our bare key', p2pk(key).script],
    ['our address as data', Uint8Array.of(0x6a, 42, ...Buffer.from(ours.address ?? ''))],
    ['our script as data', Uint8Array.of(0x6a, ours.script.length, ...ours.script)],
    ['our script with a byte behind it', Uint8Array.of(...ours.script, 0x51)],
  ])('finds nothing in %s', (_what, script) => {
    expect(found([[1_000_000n, script]])).toEqual([])
  })

  it('finds nothing in an output of nothing, and refuses more coins than there are', () => {
    expect(found([[0n, ours.script]])).toEqual([])
    for (const units of [2_100_000_000_000_001n, 2n ** 63n - 1n]) {
      expect(() => found([[units, ours.script]])).toThrow('malformed amount')
    }
  })

  it('has new coins wait until they can be spent', () => {
    expect(found([[5n, ours.script]], { isCoinbase: true })).toMatchObject([{ senders: [], minConfirmations: 100 }])
  })

  it('finds all that leaves an address of ours, by the key or the script that its input shows', () => {
    const away = [[5n, p2wpkh(strange).script]] as const
    expect(found(away, { witness: [new Uint8Array(71), key] })).toMatchObject([{ senders: [ours.address] }])
    const hashed = Uint8Array.of(ours.script.length, ...ours.script)
    expect(found([[5n, ours.script]], { script: hashed, witness: [new Uint8Array(71), key] })).toMatchObject([
      { senders: [p2sh(ours).address] },
    ])
    const legacy = Uint8Array.of(2, 0, 0, strange.length, ...strange)
    expect(found([[5n, ours.script]], { script: legacy, witness: [] })).toMatchObject([
      { senders: [p2pkh(strange).address] },
    ])
    expect(found([[5n, ours.script]], { witness: [new Uint8Array(64)] })).toMatchObject([{ senders: [] }])
  })
})
