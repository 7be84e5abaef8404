import { CREATE2_PREFIX, wordOf } from '@kassa/keys/evm/create2.ts'
import { depositKey } from '@kassa/keys/evm/deposit-contracts.ts'
import type { AddressKey, ChainSession } from '../../adapter.ts'
import type { SweepCall, SweepQuote, VaultItem } from '../../sweep-vaults.ts'
import { addressKey } from '../addresses/addresses.ts'
import { fromHex, toHex } from '../encoding/hex.ts'
import { requireOwnNetwork } from '../network/heads.ts'
import { bandwidthOf } from '../sender/plan.ts'
import { readPrices } from '../sender/prices.ts'
import { estimateCall } from '../state/constant-calls.ts'
import { readAccount } from '../state/holdings.ts'
import { encodeCall } from './calls.ts'
import { readVaultState } from './on-chain.ts'

type Ask = { readonly vault: string; readonly call: SweepCall; readonly payer: string }

const NONE = { gas: 0n, gasLimit: 0n, beside: 0n } as const

/** Quotes a sweep on the newest block; gas means energy, and prices are in sun; see `SweepVaults.quote`. */
export async function quoteSweep(session: ChainSession, { vault, call, payer }: Ask): Promise<SweepQuote> {
  await requireOwnNetwork(session)
  const [{ collector }, prices] = await Promise.all([readVaultState(session, vault), readPrices(session)])
  const reasons = await Promise.all(call.items.map((item) => reasonAgainst(session, { vault, call, collector }, item)))
  const refused = reasons.flatMap((reason, index) => (reason === null ? [] : [{ index, reason }]))
  const items = call.items.filter((_, index) => reasons[index] === null)
  const quoted = { collector, gasPrice: prices.energy }
  if (items.length === 0) return { ...quoted, ...NONE, refused }
  const data = fromHex(encodeCall({ ...call, items }).slice(2))
  const message = { kind: 'call', from: addressKey(payer), to: addressKey(vault), units: 0n, data } as const
  const estimate = await estimateCall(session, message)
  if ('failure' in estimate) {
    const all = call.items.map((_, index) => ({ index, reason: reasons[index] ?? estimate.failure }))
    return { ...quoted, ...NONE, refused: all }
  }
  // An item that runs out of energy fails alone: the limit is half as much again, because a contract's penalty changes between
  // blocks.
  const gasLimit = (estimate.energy * 3n + 1n) / 2n
  return { ...quoted, gas: estimate.energy, gasLimit, beside: bandwidthOf(message) * prices.byte, refused }
}

type Moving = { readonly vault: string; readonly call: SweepCall; readonly collector: string }

/**
 * Why one item would move nothing; null when it would move something. The return value of a token proves nothing here: USDT's
 * is false.
 */
async function reasonAgainst(
  session: ChainSession,
  { vault, call, collector }: Moving,
  { id, units }: VaultItem,
): Promise<string | null> {
  const isContract = call.kind === 'sweepToken' || call.kind === 'sweepNative'
  const owner = isContract ? depositKey(addressKey(vault), id, CREATE2_PREFIX.tvm) : wordOf(id).subarray(12)
  if (!('token' in call)) {
    const held = (await readAccount(session, owner)) ?? 0n
    return held < units ? 'The address holds less than that.' : null
  }
  const isPulled = call.kind === 'pullToken'
  const words = isPulled
    ? [TRANSFER_FROM, word(owner), word(addressKey(collector)), amount(units)]
    : [TRANSFER, word(addressKey(collector)), amount(units)]
  const from = isPulled ? addressKey(vault) : owner
  const to = addressKey(call.token)
  const estimate = await estimateCall(session, { from, to, units: 0n, data: fromHex(words.join('')) })
  return 'failure' in estimate ? estimate.failure : null
}

/** First four bytes of the hashes of `transfer(address,uint256)` and `transferFrom(address,address,uint256)`. */
const [TRANSFER, TRANSFER_FROM] = ['a9059cbb', '23b872dd']

function word(key: AddressKey): string {
  return toHex(key).padStart(64, '0')
}

function amount(units: bigint): string {
  return units.toString(16).padStart(64, '0')
}
