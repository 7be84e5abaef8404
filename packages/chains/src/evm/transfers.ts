import type { AddressKey, BlockRef, Chain, Evidence, Transfer, Want } from '../adapter.ts'
import { checksumAddress } from './addresses.ts'
import { fromHex } from './hex.ts'
import type { WireLog, WireReceipt, WireTransaction } from './wire.ts'

/** keccak256("Transfer(address,address,uint256)"), the event of ERC-20. */
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Twelve zero bytes before an address in a topic; anything else there is not an address. */
const CLEAN_ADDRESS_TOPIC = /^0x0{24}[0-9a-f]{40}$/

/** One word of data: `0x` and 32 bytes. */
const WORD_LENGTH = 66

/** What a reading looks for on one chain: the wanted contracts by lower-case address, and whose money counts. */
export type Sight = {
  readonly native: number | null
  readonly tokens: ReadonlyMap<string, number>
  readonly isDeposit: (from: AddressKey, to: AddressKey) => boolean
}

/** Looks for wanted assets that reach a matched address from elsewhere: a transfer between two of ours is no deposit. */
export function sightOf(chain: Chain, want: Want): Sight {
  return {
    ...assetsInSight(chain, want.assets),
    isDeposit: (from, to) => want.matches(to) && !want.matches(from),
  }
}

/** Looks for every transfer of every asset of the chain. */
export function fullSight(chain: Chain): Sight {
  return { ...assetsInSight(chain, new Set(chain.assets.map(({ id }) => id))), isDeposit: () => true }
}

/**
 * Lists the deposits that a receipt proves: the top-level value of a successful transaction, then its token logs in order.
 * Nothing but a log of a wanted contract in the exact form of ERC-20, or the value itself, is evidence (money.md 2.4).
 * `evidence` is that of the logs: a receipts root says nothing about the value of a transaction.
 */
export function transfersIn(
  sight: Sight,
  block: BlockRef,
  tx: WireTransaction,
  receipt: WireReceipt,
  evidence: Evidence,
): Transfer[] {
  if (!receipt.isSuccess) return []
  const placed = { txId: tx.hash, block }
  const tokens = receipt.logs.flatMap((log, ordinal): Transfer[] => {
    const move = readTokenMove(sight, log)
    return move ? [{ kind: 'token', ...move, ...placed, leg: `log:${ordinal}`, evidence }] : []
  })
  const native = readNativeMove(sight, tx)
  return native ? [{ kind: 'native', ...native, ...placed, leg: 'value', evidence: 'receipt' }, ...tokens] : tokens
}

/** Reads a log as a deposit of a wanted token, or null when it is anything else. */
export function readTokenMove(sight: Sight, log: WireLog): Move | null {
  const assetId = sight.tokens.get(log.address)
  const [topic, from, to] = log.topics
  if (assetId === undefined || topic !== TRANSFER_TOPIC || log.topics.length !== 3 || !from || !to) return null
  if (!CLEAN_ADDRESS_TOPIC.test(from) || !CLEAN_ADDRESS_TOPIC.test(to)) return null
  if (log.data.length !== WORD_LENGTH) return null
  return moveOf(sight, assetId, `0x${from.slice(26)}`, `0x${to.slice(26)}`, BigInt(log.data))
}

/** Reads the top-level value of a transaction as a deposit, or null when there is none. */
export function readNativeMove(sight: Sight, tx: WireTransaction): Move | null {
  if (sight.native === null || tx.to === null) return null
  return moveOf(sight, sight.native, tx.from, tx.to, tx.value)
}

export type Move = Pick<Transfer, 'assetId' | 'from' | 'to' | 'units'>

/** Makes a deposit of a movement of value when it is one: above zero, to a matched address, not from one. */
export function moveOf(sight: Sight, assetId: number, from: string, to: string, units: bigint): Move | null {
  if (units <= 0n) return null
  const fromKey = fromHex(from)
  const toKey = fromHex(to)
  if (!sight.isDeposit(fromKey, toKey)) return null
  return { assetId, from: checksumAddress(fromKey), to: checksumAddress(toKey), units }
}

function assetsInSight(chain: Chain, wanted: ReadonlySet<number>): Pick<Sight, 'native' | 'tokens'> {
  const assets = chain.assets.filter(({ id }) => wanted.has(id))
  const native = assets.find(({ standard }) => standard === 'native')
  const tokens = assets.filter(({ standard }) => standard === 'ERC20')
  return { native: native?.id ?? null, tokens: new Map(tokens.map(({ id, address }) => [address.toLowerCase(), id])) }
}
