import { checksumAddress } from '@kassa/keys/address-text.ts'
import type { Chain, TransferFilter, UnlistedMove, UnlistedTransfer } from '../../adapter.ts'
import { fromHex } from '../encoding/hex.ts'
import { factsOf } from '../network/facts.ts'
import { logLeg } from './legs.ts'
import { type Examined, refOf } from './receipts.ts'
import { CLEAN_ADDRESS_TOPIC, TRANSFER_TOPIC, WORD_LENGTH } from './transfers.ts'
import type { WireLog, WireReceipt } from '../encoding/wire.ts'

/** A receipt may hold thousands of logs; a notice about a single transfer needs no more than this. */
const MOST_LISTED = 100

/** For one block: a contract can name thousands of receivers for little gas. */
const MOST_NOTICED = 200

/** Contracts that the chain itself has at the lowest addresses write such logs for native money (POLYGON's 0x…1010). */
const OWN_CONTRACT = /^0x0{36}/

/**
 * Lists what unlisted contracts say they moved, to tell a payer which token they sent. It proves nothing, and nothing is ever
 * credited from it (money.md 2.4).
 */
export function unlistedMoves({ assets }: Chain, { logs }: WireReceipt): UnlistedMove[] {
  const listed = new Set(assets.map(({ address }) => address.toLowerCase()))
  return logs
    .flatMap(({ address, topics }): UnlistedMove[] => {
      const [topic, , to] = topics
      if (topic !== TRANSFER_TOPIC || !to || !CLEAN_ADDRESS_TOPIC.test(to) || listed.has(address)) return []
      return [{ contract: checksumAddress(fromHex(address)), to: checksumAddress(fromHex(`0x${to.slice(26)}`)) }]
    })
    .slice(0, MOST_LISTED)
}

/**
 * Lists, per block, what unlisted contracts say they moved to a matched address, from the receipts that were read anyway: a
 * notice for a person, never a transfer (money.md 2.4).
 */
export function noticeUnlisted(chain: Chain, filter: TransferFilter, { block, mined }: Examined): UnlistedTransfer[] {
  const known = knownContracts(chain)
  const found: UnlistedTransfer[] = []
  for (const { tx, receipt } of mined) {
    if (!receipt.isSuccess) continue
    for (const [ordinal, log] of receipt.logs.entries()) {
      const moved = readUnlistedMove(known, filter, log)
      if (moved) found.push({ ...moved, txId: tx.hash, leg: logLeg(ordinal), block: refOf(block) })
      if (found.length === MOST_NOTICED) return found
    }
  }
  return found
}

/** Listed tokens, switched off or not, and the chain's own log of native money. */
function knownContracts(chain: Chain): ReadonlySet<string> {
  const { nativeTransferLog } = factsOf(chain)
  const listed = chain.assets.map(({ address }) => address.toLowerCase())
  return new Set(nativeTransferLog === undefined ? listed : [...listed, nativeTransferLog])
}

/**
 * Reads a log in the exact form of ERC-20. It looks up the receiver first, because a block has thousands of logs and nearly all
 * of them are somebody else's.
 */
function readUnlistedMove(
  known: ReadonlySet<string>,
  { matches }: TransferFilter,
  { address, topics, data }: WireLog,
): (UnlistedMove & { units: bigint }) | null {
  const [topic, from, to] = topics
  if (topic !== TRANSFER_TOPIC || topics.length !== 3 || !from || !to) return null
  const toKey = keyOf(to)
  if (!matches(toKey) || !CLEAN_ADDRESS_TOPIC.test(from) || !CLEAN_ADDRESS_TOPIC.test(to)) return null
  if (data.length !== WORD_LENGTH || known.has(address) || OWN_CONTRACT.test(address) || matches(keyOf(from)))
    return null
  const units = BigInt(data)
  return units > 0n ? { contract: checksumAddress(fromHex(address)), to: checksumAddress(toKey), units } : null
}

/** The address at the end of a topic. */
function keyOf(topic: string): Uint8Array {
  return Buffer.from(topic.slice(-40), 'hex')
}
