import { BITCOIN_PREFIXES } from '@kassa/keys/bitcoin-accounts.ts'
import { keyHashOf } from '@kassa/keys/address-text.ts'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'

import { keyHashScript, scriptHashScript, scriptOfAddress, segwitScript } from '../../../bitcoin/addresses/scripts.ts'
import { PLAIN } from '../plain.ts'
import type { FakeTransaction, TrueMove } from '../transactions.ts'
import { serialize, spending } from './bytes.ts'

type Network = keyof typeof BITCOIN_PREFIXES
type Leg = { readonly to: string; readonly units: bigint }
type Sent = Leg & { readonly name: string }

/** The key of the payer, and a signature, which is not checked here. */
const PAYERS_KEY = Uint8Array.of(2, ...sha256(utf8ToBytes('payer of bitcoin')))
const SIGNATURE = new Uint8Array(71)
const PAYERS_SCRIPT = segwitScript({ version: 0, program: keyHashOf(PAYERS_KEY) })

/** The change goes back to the payer. */
const CHANGE = 12_345n

/**
 * Pays from one coin; the same name spends the same coin. What is said of outputs is what truly arrives.
 */
export function payBitcoin(network: Network, { coin, legs }: Payment): FakeTransaction {
  const outputs = legs.map(({ to, units }) => ({ amount: units, script: scriptOf(network, to) }))
  const moves = legs.map(({ to, units }, at): TrueMove => ({ leg: `vout:${at}`, token: null, from: PAYER, to, units }))
  return { ...spend(coin, outputs), moves }
}

type Payment = { readonly coin: string; readonly legs: readonly Leg[] }

/** The transaction that spends the coin of another one in its place: of both at most one is ever mined. */
export function replacementOf({ coin = '' }: FakeTransaction): FakeTransaction {
  return spend(coin, [])
}

/** What looks like money and is none (money.md 2.12: B5, B6). */
export const BITCOIN_FAKES = {
  otherScript: (network: Network, { name, to, units }: Sent) =>
    spend(
      name,
      [keyHashScript, scriptHashScript].map((script) => ({
        amount: units,
        script: script(programOf(network, to)),
      })),
    ),
  namedInData: (network: Network, { name, to }: Sent) => {
    const data = [utf8ToBytes(to), scriptOf(network, to)]
    return spend(
      name,
      data.map((text) => ({ amount: 0n, script: Uint8Array.of(0x6a, text.length, ...text) })),
    )
  },
} as const satisfies Record<string, (network: Network, sent: Sent) => FakeTransaction>

/**
 * Leaves out what cannot be mined on this branch: transactions that spend what another one before them spends, or what no block
 * holds.
 */
export function withoutDoubleSpends(
  blocks: readonly { readonly transactions: readonly FakeTransaction[] }[],
  transactions: readonly FakeTransaction[],
): FakeTransaction[] {
  const mined = blocks.flatMap((block) => block.transactions)
  const spent = new Set(mined.flatMap(spentBy))
  const made = new Set(mined.map(({ hash }) => hash))
  return transactions.filter((tx) => {
    const isMade = (tx.spends ?? []).every((name) => made.has(name.split(':')[0] ?? ''))
    if (!isMade || spentBy(tx).some((one) => spent.has(one))) return false
    for (const one of spentBy(tx)) spent.add(one)
    made.add(tx.hash)
    return true
  })
}

function spentBy({ coin, spends = [] }: FakeTransaction): readonly string[] {
  return coin === undefined ? spends : [coin, ...spends]
}

const PAYER = 'a stranger'

function spend(
  coin: string,
  outputs: readonly { readonly amount: bigint; readonly script: Uint8Array }[],
): FakeTransaction {
  const { txId, raw } = serialize({
    inputs: [spending(sha256(utf8ToBytes(`coin ${coin}`)))],
    outputs: [...outputs, { amount: CHANGE, script: PAYERS_SCRIPT }],
    witnesses: [[SIGNATURE, PAYERS_KEY]],
  })
  return { ...PLAIN, hash: txId, from: PAYER, to: '', bytes: raw, coin }
}

function scriptOf(network: Network, address: string): Uint8Array {
  const script = scriptOfAddress(BITCOIN_PREFIXES[network], address)
  if (!script) throw new Error(`${address} is no address of Bitcoin's ${network}`)
  return script
}

/** The hash of the key behind an address of SegWit. */
function programOf(network: Network, address: string): Uint8Array {
  return scriptOf(network, address).subarray(2)
}
