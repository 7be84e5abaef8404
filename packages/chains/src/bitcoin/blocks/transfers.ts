import { keyHashOf } from '@kassa/keys/address-text.ts'
import { type AddressPrefixes, BITCOIN_PREFIXES } from '@kassa/keys/bitcoin-accounts.ts'
import type { Address, AddressKey, BlockRef, Chain, Transfer, TransferFilter, WaitingTransfer } from '../../adapter.ts'
import { addressOfScript, keyHashScript, scriptHashScript, segwitScript } from '../addresses/scripts.ts'
import type { WireInput, WireTransaction } from '../encoding/wire.ts'
import { outputLeg } from './legs.ts'

/** Outputs of a coinbase can be spent in the 100th block after theirs (Bitcoin Core, `COINBASE_MATURITY`). */
const COINBASE_MATURITY = 100

/** What a read looks for: the coin, and whose transfers. */
export type ReadScope = {
  readonly native: number | null
  readonly prefixes: AddressPrefixes
  readonly matches: (key: AddressKey) => boolean
}

/** Looks for coins that reach or leave a matched script; callers decide which of them are deposits (W-12). */
export function readScopeOf({ mode, assets }: Chain, filter: TransferFilter): ReadScope {
  const native = assets.find(({ id, standard }) => standard === 'native' && filter.assets.has(id))
  return { native: native?.id ?? null, prefixes: BITCOIN_PREFIXES[mode], matches: filter.matches }
}

/** Looks for every output that an address stands for. */
export function fullReadScope(chain: Chain): ReadScope {
  return readScopeOf(chain, { assets: new Set(chain.assets.map(({ id }) => id)), matches: () => true })
}

/** Whether a transaction spends what matched scripts hold. */
export function isFrom({ matches }: ReadScope, tx: WireTransaction): boolean {
  return !tx.isCoinbase && uniqueScripts(tx.inputs).some(matches)
}

/** Lists what a transaction of a block moved to or from matched scripts. */
export function transfersIn(scope: ReadScope, block: BlockRef, tx: WireTransaction): Transfer[] {
  return movesIn(scope, tx).map((move) => ({ ...move, block }))
}

/**
 * Lists what a transaction moves to or from matched scripts, one transfer per output. A script is matched byte for byte: data
 * that contains an address, or another script of the same key, is not ours. An output that no address stands for cannot be
 * named and is left out.
 */
export function movesIn({ native, prefixes, matches }: ReadScope, tx: WireTransaction): WaitingTransfer[] {
  if (native === null) return []
  const spent = tx.isCoinbase ? [] : uniqueScripts(tx.inputs)
  const isFromUs = spent.some(matches)
  const wanted = tx.outputs.flatMap(({ units, script }, at) =>
    units > 0n && (isFromUs || matches(script)) ? [{ units, script, at }] : [],
  )
  if (wanted.length === 0) return []
  const senders = spent.map((script) => addressOfScript(prefixes, script)).filter((one): one is Address => one !== null)
  const isNew = tx.isCoinbase && { minConfirmations: COINBASE_MATURITY }
  return wanted.flatMap(({ units, script, at }): WaitingTransfer[] => {
    const to = addressOfScript(prefixes, script)
    if (to === null) return []
    const leg = outputLeg(at)
    return [
      { kind: 'native', assetId: native, senders, to, units, txId: tx.txId, leg, evidence: 'merkle-root', ...isNew },
    ]
  })
}

/** The scripts that inputs say they spend, each once. */
function uniqueScripts(inputs: readonly WireInput[]): AddressKey[] {
  const scripts = inputs.flatMap((input) => spentScript(input) ?? [])
  return [...new Map(scripts.map((script) => [Buffer.from(script).toString('latin1'), script])).values()]
}

/**
 * The script of the output that an input spends, as far as the input proves it: for a single key whose hash the script
 * contains, directly (BIP-141) or inside a script hash. All our own addresses are of these kinds; others, such as Taproot, name
 * nobody.
 */
function spentScript({ script, witness }: WireInput): AddressKey | null {
  const [, key] = witness
  if (script.length === 0)
    return witness.length === 2 && isKey(key) ? segwitScript({ version: 0, program: keyHashOf(key) }) : null
  // One push of a witness program of version 0 and 20 bytes.
  if (witness.length === 2 && script.length === 23 && script[0] === 22 && script[1] === 0 && script[2] === 20) {
    return scriptHashScript(keyHashOf(script.subarray(1)))
  }
  // A signature and a key.
  const at = 1 + (script[0] ?? 0)
  const last = script.subarray(at + 1)
  return witness.length === 0 && script[at] === last.length && isKey(last) ? keyHashScript(keyHashOf(last)) : null
}

function isKey(bytes: Uint8Array | undefined): bytes is Uint8Array {
  return bytes?.length === 33 && (bytes[0] === 2 || bytes[0] === 3)
}
