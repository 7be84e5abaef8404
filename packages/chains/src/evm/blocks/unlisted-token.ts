import { checksumAddress } from '@kassa/keys/address-text.ts'
import type { Chain, UnlistedTransfer } from '../../adapter.ts'
import { fromHex } from '../encoding/hex.ts'
import { TRANSFER_TOPIC } from './transfers.ts'
import type { WireReceipt } from '../encoding/wire.ts'

/** A receipt may hold thousands of logs; beyond this nobody asks about a single transfer. */
const MOST_LISTED = 100

/** Twelve zero bytes before the address. */
const CLEAN_ADDRESS_TOPIC = /^0x0{24}[0-9a-f]{40}$/

/**
 * Lists what contracts that Kassa does not list say they moved: for telling a payer which token they sent. It proves nothing,
 * and nothing is ever credited from it (money.md 2.4).
 */
export function unlistedTransfers({ assets }: Chain, { logs }: WireReceipt): UnlistedTransfer[] {
  const listed = new Set(assets.map(({ address }) => address.toLowerCase()))
  return logs
    .flatMap(({ address, topics }): UnlistedTransfer[] => {
      const [topic, , to] = topics
      if (topic !== TRANSFER_TOPIC || !to || !CLEAN_ADDRESS_TOPIC.test(to) || listed.has(address)) return []
      return [{ contract: checksumAddress(fromHex(address)), to: checksumAddress(fromHex(`0x${to.slice(26)}`)) }]
    })
    .slice(0, MOST_LISTED)
}
