import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { TEST_NETWORK, p2ms, p2pk, p2pkh, p2sh, p2tr, p2wpkh, p2wsh } from '@scure/btc-signer'
import { chainIn } from '../../../chain.ts'
import type { Random } from '../random.ts'
import { bytes, type Draft, transactionOf } from './blocks.ts'

const definition = findBlockchain('BTC')
if (!definition) throw new Error('There is no BTC')
/** A test network, where blocks need no work. */
export const chain = chainIn('testnet', definition)
export const mainChain = chainIn('mainnet', definition)

const key = secp256k1.getPublicKey(Buffer.alloc(32, 1))
const strange = secp256k1.getPublicKey(Buffer.alloc(32, 2))
const ours = p2wpkh(key, TEST_NETWORK)

export const OURS = ours.address ?? ''
const OUR_SCRIPT = ours.script

/** A transaction's bytes, and the units of each output that truly reached us by it. */
export type BitcoinFake = { readonly raw: Buffer; readonly owed: readonly bigint[]; readonly minConfirmations?: number }

/** All coins there are. */
const MOST_UNITS = 2_100_000_000_000_000n

/** Amounts of which a float of coins is another number. */
const AWKWARD = [
  10_000_000n,
  20_000_000n,
  30_000_000n,
  2_099_999_997_690_000n,
  70n,
  110n,
  1n,
  900_719_925_474_099n,
] as const

/** Every class that is a transaction of Bitcoin in a block (money.md 2.12, B rows), forged from a seed. */
export const bitcoinFakes: Readonly<Record<string, (random: Random) => BitcoinFake>> = {
  B4: (random) => {
    const units = unitsOf(random)
    return { ...forge(random, { outputs: [[units, OUR_SCRIPT]], isCoinbase: true }, [units]), minConfirmations: 100 }
  },
  B5: (random) => {
    const others = [
      p2pkh(key).script,
      p2sh(ours).script,
      p2wsh(p2pkh(key)).script,
      p2tr(key.subarray(1)).script,
    ] as const
    return forge(random, { outputs: [[unitsOf(random), random.pick(others)]] })
  },
  B6: (random) => {
    const data = random.pick([Buffer.from(OURS), Buffer.from(OUR_SCRIPT), Buffer.from(key)])
    return forge(random, { outputs: [[random.pick([0n, unitsOf(random)]), Uint8Array.of(0x6a, data.length, ...data)]] })
  },
  B7: (random) => {
    const bare = random.pick([p2pk(key).script, p2ms(1, [key, strange]).script])
    return forge(random, { outputs: [[unitsOf(random), bare]] })
  },
  B8: (random) => {
    // An inscription is data in the witness of an input; the output is worth what it holds.
    const units = BigInt(1 + random.below(546))
    const inscription = Buffer.concat([
      Buffer.from('0063036f7264', 'hex'),
      Buffer.from(`${OURS} 1 BTC`),
      bytes(random, 40),
    ])
    const witness = [bytes(random, 64), inscription, bytes(random, 33)]
    return forge(
      random,
      {
        outputs: [
          [units, OUR_SCRIPT],
          [0n, OUR_SCRIPT],
        ],
        input: { witness },
      },
      [units],
    )
  },
  B14: (random) => {
    const units = [random.pick(AWKWARD), random.pick(AWKWARD)]
    return forge(random, { outputs: units.map((one) => [one, OUR_SCRIPT] as const) }, units)
  },
}

/** A payment of ours that is what it seems. */
export function payment(random: Random, draft: Partial<Draft> = {}): BitcoinFake {
  const units = unitsOf(random)
  const change = [unitsOf(random), p2wpkh(strange).script] as const
  return forge(random, { outputs: [[units, OUR_SCRIPT], change], ...draft }, [units])
}

/** A payment whose input is signed in its script, so that its id changes with each spelling of the signature. */
export function legacyPayment(random: Random): { readonly sent: BitcoinFake; readonly spelledAnew: BitcoinFake } {
  const units = unitsOf(random)
  const outputs = [[units, OUR_SCRIPT]] as const
  const coin = bytes(random, 32)
  const signed = (signature: Buffer): BitcoinFake => ({
    raw: transactionOf(random, {
      outputs,
      coin,
      input: { script: Uint8Array.of(signature.length, ...signature, strange.length, ...strange), witness: [] },
    }),
    owed: [units],
  })
  const signature = bytes(random, 71)
  return { sent: signed(signature), spelledAnew: signed(Buffer.concat([signature, Buffer.of(1)])) }
}

/** Whatever else stands in a block: new coins of somebody, and a payment between strangers. */
export function strangers(random: Random): readonly [Buffer, Buffer] {
  const away = [[unitsOf(random), p2wpkh(strange).script]] as const
  return [transactionOf(random, { outputs: away, isCoinbase: true }), transactionOf(random, { outputs: away })]
}

function forge(random: Random, draft: Draft, owed: readonly bigint[] = []): BitcoinFake {
  return { raw: transactionOf(random, draft), owed }
}

function unitsOf(random: Random): bigint {
  return (random.units() % MOST_UNITS) + 1n
}

/** Whether a key is the script of our address. */
export function isOurs(script: Uint8Array): boolean {
  return Buffer.from(OUR_SCRIPT).equals(Buffer.from(script))
}
