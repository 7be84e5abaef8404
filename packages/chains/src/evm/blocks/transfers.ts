import { checksumAddress } from '@kassa/keys/address-text.ts'
import type { BlockRef, Chain, Evidence, Transfer, TransferFilter } from '../../adapter.ts'
import { fromHex } from '../encoding/hex.ts'
import { factsOf } from '../network/facts.ts'
import { logLeg, VALUE_LEG } from './legs.ts'
import type { WireLog, WireReceipt, WireTransaction } from '../encoding/wire.ts'

/** keccak256("Transfer(address,address,uint256)"), the event of ERC-20. */
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Twelve zero bytes before an address in a topic; anything else there is not an address. */
export const CLEAN_ADDRESS_TOPIC = /^0x0{24}[0-9a-f]{40}$/

/** One word of data: `0x` and 32 bytes. */
export const WORD_LENGTH = 66

/** What a read looks for on one chain: the wanted contracts by lower-case address, and whose transfers. */
export type ReadScope = {
  readonly native: number | null
  /** Sender of the chain's own log of native transfers (EIP-7708), where it is live and native money is wanted. */
  readonly systemLog: string | null
  readonly tokens: ReadonlyMap<string, number>
  /** Both as lower-case hex. */
  readonly concernsUs: (from: string, to: string) => boolean
}

/** Looks for wanted assets that reach or leave a matched address; callers decide which of them are deposits (W-12). */
export function readScopeOf(chain: Chain, filter: TransferFilter): ReadScope {
  return {
    ...assetsInScope(chain, filter.assets),
    concernsUs: (from, to) => filter.matches(fromHex(to)) || filter.matches(fromHex(from)),
  }
}

/** Looks for every transfer of every asset of the chain. */
export function fullReadScope(chain: Chain): ReadScope {
  return { ...assetsInScope(chain, new Set(chain.assets.map(({ id }) => id))), concernsUs: () => true }
}

/**
 * Lists the wanted transfers that a receipt proves: the top-level value of a successful transaction, then its logs in order.
 * Evidence is only a log of a wanted contract in the exact form of ERC-20, the value itself, or the chain's own log where it
 * has one (money.md 2.4). `evidence` is that of token logs, because a receipts root says nothing about the value.
 */
export function transfersIn(
  scope: ReadScope,
  block: BlockRef,
  tx: Pick<WireTransaction, 'hash'> & Partial<WireTransaction>,
  receipt: WireReceipt,
  evidence: Evidence,
): Transfer[] {
  if (!receipt.isSuccess) return []
  const placed = { txId: tx.hash, block }
  const logged = receipt.logs.flatMap((log, ordinal): Transfer[] => {
    const leg = logLeg(ordinal)
    const token = readTokenMove(scope, log)
    if (token) return [{ kind: 'token', ...token, ...placed, leg, evidence }]
    const native = readSystemMove(scope, log)
    if (!native || (ordinal === 0 && isOfTopLevel(tx, native))) return []
    return [{ kind: 'internal', ...native, ...placed, leg, evidence: 'system-log' }]
  })
  const native = readNativeMove(scope, tx)
  return native ? [{ kind: 'native', ...native, ...placed, leg: VALUE_LEG, evidence: 'receipt' }, ...logged] : logged
}

/** Reads a log as a wanted transfer of a token, or null when it is anything else. */
export function readTokenMove(scope: ReadScope, log: WireLog): Move | null {
  const assetId = scope.tokens.get(log.address)
  return assetId === undefined ? null : readTransferLog(scope, assetId, log)
}

/** Reads the chain's own log of a wanted native transfer (EIP-7708), or null when it is anything else. */
export function readSystemMove(scope: ReadScope, log: WireLog): Move | null {
  if (scope.native === null || log.address !== scope.systemLog) return null
  return readTransferLog(scope, scope.native, log)
}

/** The value of a transaction is the first log in it (EIP-7708), and is credited as `value` already. */
function isOfTopLevel(tx: Partial<WireTransaction>, { senders: [from], to, units }: Move): boolean {
  return from?.toLowerCase() === tx.from && to.toLowerCase() === tx.to && units === tx.value
}

function readTransferLog(scope: ReadScope, assetId: number, { topics, data }: WireLog): Move | null {
  const [topic, from, to] = topics
  if (topic !== TRANSFER_TOPIC || topics.length !== 3 || !from || !to) return null
  if (!CLEAN_ADDRESS_TOPIC.test(from) || !CLEAN_ADDRESS_TOPIC.test(to)) return null
  if (data.length !== WORD_LENGTH) return null
  return moveOf(scope, assetId, `0x${from.slice(26)}`, `0x${to.slice(26)}`, BigInt(data))
}

/** Reads the top-level value of a transaction as a wanted transfer, or null when there is none. */
export function readNativeMove(scope: ReadScope, { from, to, value }: Partial<WireTransaction>): Move | null {
  if (scope.native === null || !from || !to || value === undefined) return null
  return moveOf(scope, scope.native, from, to, value)
}

export type Move = Pick<Transfer, 'assetId' | 'senders' | 'to' | 'units'>

/** Makes a transfer of a movement of value when it is wanted: above zero, to or from a matched address. */
export function moveOf(scope: ReadScope, assetId: number, from: string, to: string, units: bigint): Move | null {
  if (units <= 0n) return null
  if (!scope.concernsUs(from, to)) return null
  return { assetId, senders: [checksumAddress(fromHex(from))], to: checksumAddress(fromHex(to)), units }
}

function assetsInScope(chain: Chain, wanted: ReadonlySet<number>): Omit<ReadScope, 'concernsUs'> {
  const assets = chain.assets.filter(({ id }) => wanted.has(id))
  const native = assets.find(({ standard }) => standard === 'native')
  const tokens = assets.filter(({ standard }) => standard === 'ERC20')
  return {
    native: native?.id ?? null,
    systemLog: native ? (factsOf(chain).nativeTransferLog ?? null) : null,
    tokens: new Map(tokens.map(({ id, address }) => [address.toLowerCase(), id])),
  }
}
