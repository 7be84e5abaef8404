import type { AddressKey, BlockRef, Chain, Transfer, TransferFilter } from '../../adapter.ts'
import { addressText, tronAddresses } from '../addresses/addresses.ts'
import { fromHex, toHex } from '../encoding/hex.ts'
import type { WireInfo, WireLog, WireTransaction } from '../encoding/wire.ts'
import { destructionLeg, internalLeg, logLeg, VALUE_LEG } from './legs.ts'

/** keccak256("Transfer(address,address,uint256)"), the event of TRC-20. */
export const TRANSFER_TOPIC = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Twelve zero bytes before an address in a topic; anything else there is not an address. */
export const CLEAN_ADDRESS_TOPIC = /^0{24}[0-9a-f]{40}$/

/** One word of data, 32 bytes. */
export const WORD_LENGTH = 64

/** What a reading looks for: the native asset and contracts by hex without prefix, and the addresses concerned. */
export type ReadScope = {
  readonly native: number | null
  readonly tokens: ReadonlyMap<string, number>
  readonly concernsUs: (from: AddressKey, to: AddressKey) => boolean
}

/** Looks for wanted assets that reach or leave a matched address; the caller decides which of them are deposits (W-12). */
export function readScopeOf(chain: Chain, filter: TransferFilter): ReadScope {
  return {
    ...assetsInScope(chain, filter.assets),
    concernsUs: (from, to) => filter.matches(to) || filter.matches(from),
  }
}

/** Looks for every transfer of every asset of the chain. */
export function fullReadScope(chain: Chain): ReadScope {
  return { ...assetsInScope(chain, new Set(chain.assets.map(({ id }) => id))), concernsUs: () => true }
}

/**
 * Lists what a transaction moved: TRX by its own message, tokens by the logs of their contracts, and TRX by internal calls.
 * Only successful execution counts (money.md 2.4), and TRC-10 tokens never do. `info` is null where no code ran: then only the
 * message itself can have moved anything.
 */
export function transfersIn(scope: ReadScope, block: BlockRef, tx: WireTransaction, info: WireInfo | null): Transfer[] {
  if (!tx.isSuccess || (tx.raw.message.kind === 'call' && info?.isSuccess !== true)) return []
  const placed = { txId: tx.txId, block, evidence: 'receipt' } as const
  const logged = (info?.logs ?? []).flatMap((log, ordinal): Transfer[] => {
    const move = readTokenMove(scope, log)
    return move ? [{ kind: 'token', ...move, ...placed, leg: logLeg(ordinal) }] : []
  })
  return [...ownValue(scope, tx, placed), ...logged, ...passedOn(scope, info, placed)]
}

type Placed = Pick<Transfer, 'txId' | 'block' | 'evidence'>

function ownValue(
  { native, concernsUs }: ReadScope,
  { raw: { message } }: WireTransaction,
  placed: Placed,
): Transfer[] {
  if (native === null || message.kind === 'other' || message.units <= 0n) return []
  if (!concernsUs(message.from, message.to)) return []
  const { units } = message
  return [
    {
      kind: 'native',
      assetId: native,
      senders: [addressText(message.from)],
      to: addressText(message.to),
      units,
      ...placed,
      leg: VALUE_LEG,
    },
  ]
}

function passedOn({ native, concernsUs }: ReadScope, info: WireInfo | null, placed: Placed): Transfer[] {
  if (native === null || info === null) return []
  const brought = new Map<string, number>()
  return info.internal.flatMap(({ from, to, units, by }): Transfer[] => {
    if (units <= 0n || from === to) return []
    const nth = brought.get(`${by} ${to}`) ?? 0
    brought.set(`${by} ${to}`, nth + 1)
    const [fromKey, toKey] = [fromHex(from), fromHex(to)]
    if (!concernsUs(fromKey, toKey)) return []
    const legOf = by === 'call' ? internalLeg : destructionLeg
    const moved = { senders: [addressText(fromKey)], to: addressText(toKey), units }
    return [{ kind: 'internal', assetId: native, ...moved, ...placed, leg: legOf(to, nth) }]
  })
}

function readTokenMove(
  { tokens, concernsUs }: ReadScope,
  { address, topics, data }: WireLog,
): Pick<Transfer, 'assetId' | 'senders' | 'to' | 'units'> | null {
  const assetId = tokens.get(address)
  const [topic, from, to] = topics
  if (assetId === undefined || topic !== TRANSFER_TOPIC || topics.length !== 3 || !from || !to) return null
  if (!CLEAN_ADDRESS_TOPIC.test(from) || !CLEAN_ADDRESS_TOPIC.test(to) || data.length !== WORD_LENGTH) return null
  const [fromKey, toKey] = [keyOfTopic(from), keyOfTopic(to)]
  const units = BigInt(`0x${data}`)
  if (units === 0n || !concernsUs(fromKey, toKey)) return null
  return { assetId, senders: [addressText(fromKey)], to: addressText(toKey), units }
}

/** The address at the end of a topic. */
export function keyOfTopic(topic: string): AddressKey {
  return fromHex(topic.slice(-40))
}

function assetsInScope(chain: Chain, assets: ReadonlySet<number>): Pick<ReadScope, 'native' | 'tokens'> {
  const wanted = chain.assets.filter(({ id }) => assets.has(id))
  const tokens = wanted.filter(({ standard }) => standard !== 'native')
  return {
    native: wanted.find(({ standard }) => standard === 'native')?.id ?? null,
    tokens: new Map(tokens.map(({ id, address }) => [toHex(tronAddresses.key(chain, address)), id])),
  }
}
