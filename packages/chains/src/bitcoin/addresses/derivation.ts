import { keyHashOf } from '@kassa/keys/address-text.ts'
import { type ExtendedKeyKind, extendedKeyKind } from '@kassa/keys/extended-key.ts'
import type { NetworkMode } from '@kassa/primitives/chains/blockchain.ts'
import { childPublicKey, readAccountKey, textOfKey } from '../../account-keys.ts'
import type { AddressKey, DepositDeriver, DepositSource } from '../../adapter.ts'
import { InvalidInput } from '../../errors.ts'
import { prefixesOf } from './networks.ts'
import { addressOfScript, scriptHashScript, segwitScript } from './scripts.ts'

/** Which script an account's addresses stand for: its own SegWit output (BIP-84), or one in a script's hash (BIP-49). */
export type ScriptKind = 'p2wpkh' | 'p2sh-p2wpkh'

/** Kinds of keys by network (SLIP-132). One that does not name its script has it in its path. */
const KINDS = {
  mainnet: { p2wpkh: 'zpub', 'p2sh-p2wpkh': 'ypub', unstated: 'xpub' },
  test: { p2wpkh: 'vpub', 'p2sh-p2wpkh': 'upub', unstated: 'tpub' },
} as const satisfies Record<string, Record<ScriptKind | 'unstated', ExtendedKeyKind>>

const PURPOSES = { p2wpkh: 84, 'p2sh-p2wpkh': 49 } as const satisfies Record<ScriptKind, number>

/**
 * Deposit addresses from the extended public key of an account: child 0/index, never the chain of change. zpub and ypub say
 * what script they are for; an xpub says it by its path, m/84'/… or m/49'/… (BIP-84, BIP-49).
 */
export const bitcoinDeposits: DepositDeriver = {
  check(source, mode) {
    const text = textOfKey(source)
    const kinds = kindsOf(mode)
    const kind = extendedKeyKind(text.xpub)
    refuseOtherNetwork(kind, mode)
    const script = kind && scriptOf({ xpub: text.xpub, path: text.path ?? '' })
    if (kind === kinds.unstated && !script) {
      throw new InvalidInput(
        'XPUB_INVALID',
        `An ${kind} does not say which addresses it has: state its path, ${accountPath('p2wpkh', mode)} (native SegWit) or ${accountPath('p2sh-p2wpkh', mode)}`,
      )
    }
    return readAccountKey(source, { accountPath: accountPath(script ?? 'p2wpkh', mode), kinds: Object.values(kinds) })
  },
  derive(chain, source, index) {
    const script = scriptOf(source)
    if (!script) throw new RangeError('The key does not say which script its addresses are of')
    const address = addressOfScript(prefixesOf(chain.mode), scriptOfKey(script, childPublicKey(source, index, true)))
    if (address === null) throw new RangeError('No address stands for this script')
    return address
  },
}

/** The script of an output that a public key may spend; `publicKey` is compressed. */
export function scriptOfKey(script: ScriptKind, publicKey: Uint8Array): AddressKey {
  const own = segwitScript({ version: 0, program: keyHashOf(publicKey) })
  return script === 'p2wpkh' ? own : scriptHashScript(keyHashOf(own))
}

/** What the addresses of a checked key are; null when neither key nor path says it. */
function scriptOf({ xpub, path }: Pick<DepositSource, 'xpub' | 'path'>): ScriptKind | null {
  const kind = extendedKeyKind(xpub)
  for (const script of ['p2wpkh', 'p2sh-p2wpkh'] as const) {
    if (kind === KINDS.mainnet[script] || kind === KINDS.test[script]) return script
    const isUnstated = kind === KINDS.mainnet.unstated || kind === KINDS.test.unstated
    if (isUnstated && path.startsWith(`m/${PURPOSES[script]}'/`)) return script
  }
  return null
}

function kindsOf(mode: NetworkMode) {
  return mode === 'mainnet' ? KINDS.mainnet : KINDS.test
}

/** Test networks share coin type 1 (SLIP-44). */
function accountPath(script: ScriptKind, mode: NetworkMode): string {
  return `m/${PURPOSES[script]}'/${mode === 'mainnet' ? 0 : 1}'/0'`
}

function refuseOtherNetwork(kind: ExtendedKeyKind | null, mode: NetworkMode): void {
  const [here, elsewhere] = mode === 'mainnet' ? [KINDS.mainnet, KINDS.test] : [KINDS.test, KINDS.mainnet]
  if (!Object.values<ExtendedKeyKind | null>(elsewhere).includes(kind)) return
  throw new InvalidInput(
    'XPUB_INVALID',
    `A key of this kind is of another network of Bitcoin: one that starts with ${here.p2wpkh} belongs here`,
  )
}
