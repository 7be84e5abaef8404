import { type ScriptKind, scriptKindOf } from '@kassa/keys/bitcoin-accounts.ts'
import { extendedKeyKind } from '@kassa/keys/extended-key.ts'
import type { Chain, DepositSource } from '../../adapter.ts'
import { bitcoinAddresses } from '../addresses/addresses.ts'

/** Virtual bytes of an input with its signature and key, rounded up (BIP-141): native SegWit, and in a script's hash. */
const INPUT_BYTES = { p2wpkh: 68n, 'p2sh-p2wpkh': 91n } as const

/** Version, lock time, marker and the counts of up to 65,535 inputs and one output; then amount and length of the output. */
const ENDS = 14n + 9n

/** See `PsbtBuilderOf.sizes`. */
export function sizesOf(chain: Chain, { source, to }: { source: DepositSource; to: string }) {
  return { base: ENDS + BigInt(bitcoinAddresses.key(chain, to).length), input: INPUT_BYTES[scriptKind(source)] }
}

/** What the outputs of an account are. */
export function scriptKind({ xpub, path }: DepositSource): ScriptKind {
  const kind = extendedKeyKind(xpub)
  const script = kind && scriptKindOf(kind, path)
  if (script) return script
  throw new RangeError('The key does not say which script its addresses are of')
}
