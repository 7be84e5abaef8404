import {
  bitcoinAccountPath,
  bitcoinAddress,
  keyKindsOf,
  type ScriptKind,
  scriptKindOf,
} from '@kassa/keys/bitcoin-accounts.ts'
import { type ExtendedKeyKind, extendedKeyKind } from '@kassa/keys/extended-key.ts'
import type { NetworkMode } from '@kassa/primitives/chains/blockchain.ts'
import { childPublicKey, readAccountKey, textOfKey } from '../../account-keys.ts'
import type { DepositDeriver, DepositSource } from '../../adapter.ts'
import { InvalidInput } from '../../errors.ts'

/**
 * Deposit addresses from the extended public key of an account: child 0/index, never the chain of change addresses. zpub and
 * ypub state their script kind; for an xpub the path does, m/84'/… or m/49'/… (BIP-84, BIP-49).
 */
export const bitcoinDeposits: DepositDeriver = {
  check(source, mode) {
    const { xpub, path = '' } = textOfKey(source)
    const kinds = keyKindsOf(mode)
    const kind = extendedKeyKind(xpub)
    refuseOtherNetwork(kind, mode)
    const script = scriptOf({ xpub, path })
    if (kind === kinds.unstated && !script) {
      const [own, hashed] = (['p2wpkh', 'p2sh-p2wpkh'] as const).map((one) => bitcoinAccountPath(one, mode))
      throw new InvalidInput(
        'XPUB_INVALID',
        `An ${kind} does not say which addresses it has: state its path, ${own} (native SegWit) or ${hashed}`,
      )
    }
    const accountPath = bitcoinAccountPath(script ?? 'p2wpkh', mode)
    return readAccountKey(source, { accountPath, kinds: Object.values(kinds) })
  },
  derive(chain, source, index) {
    const script = scriptOf(source)
    if (!script) throw new RangeError('The key does not say which script its addresses are of')
    return bitcoinAddress(chain.mode, script, childPublicKey(source, index, true))
  },
}

function scriptOf({ xpub, path }: Pick<DepositSource, 'xpub' | 'path'>): ScriptKind | null {
  const kind = extendedKeyKind(xpub)
  return kind && scriptKindOf(kind, path)
}

function refuseOtherNetwork(kind: ExtendedKeyKind | null, mode: NetworkMode): void {
  const elsewhere = keyKindsOf(mode === 'mainnet' ? 'testnet' : 'mainnet')
  if (!Object.values<ExtendedKeyKind | null>(elsewhere).includes(kind)) return
  throw new InvalidInput(
    'XPUB_INVALID',
    `A key of this kind is of another network of Bitcoin: one that starts with ${keyKindsOf(mode).p2wpkh} belongs here`,
  )
}
