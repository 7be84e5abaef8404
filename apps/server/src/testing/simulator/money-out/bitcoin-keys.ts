/** The keys behind deposit addresses of Bitcoin, and the cold wallet that they are swept to. */
import { createHash } from 'node:crypto'

import { addressOfScript, segwitScript } from '@kassa/chains/bitcoin/addresses/scripts.ts'
import { firstCoin, spendElsewhere } from '@kassa/chains/testing/offline-signer.ts'
import { BITCOIN_PREFIXES } from '@kassa/keys/bitcoin-accounts.ts'

import { accountOf } from '../accounts.ts'
import type { Random } from '../random.ts'

/** Accounts of the shops where something is swept (template.ts). */
const ACCOUNTS = ['One', 'Many'].map((shop) => accountOf(`${shop} on sandbox`, 'BTC_Family'))

const [COLD, STRANGER] = ['cold wallet', 'stranger'].map(scriptNamed) as [Uint8Array, Uint8Array]

/** What the owner's own wallet pays for a transaction, in units. */
const OWN_FEE = 2_000n

/** The address of the cold wallet. */
export const BITCOIN_COLD = addressOfScript(BITCOIN_PREFIXES.sandbox, COLD) ?? ''

/** The keys that a batch asks for, by their places. */
export function keyAtOf(psbt: string): (index: number) => Uint8Array {
  const account = ACCOUNTS.find(({ fingerprint }) => fingerprint === firstCoin(psbt).fingerprint)
  return (index) => {
    const key = account?.deriveChild(0).deriveChild(index).privateKey
    if (!key) throw new Error('There is no key')
    return key
  }
}

/** The signed bytes in hex by which the owner of a batch spends its first coin: to a stranger, with change or not, or to the cold wallet. */
export function spentElsewhere(random: Random, psbt: string): string {
  const left = firstCoin(psbt).units - OWN_FEE
  const outputs = random.pick([
    [{ script: STRANGER, amount: left }],
    [
      { script: STRANGER, amount: left / 2n },
      { script: scriptNamed('change'), amount: left - left / 2n },
    ],
    [{ script: COLD, amount: left }],
  ])
  return spendElsewhere(psbt, outputs, keyAtOf(psbt))
}

function scriptNamed(name: string): Uint8Array {
  return segwitScript({ version: 0, program: createHash('sha256').update(name).digest().subarray(0, 20) })
}
