import type { Chain } from '../../adapter.ts'
import type { SendIntent } from '../../send-intent.ts'
import { tronAddresses } from '../addresses/addresses.ts'
import { fromHex, toHex } from '../encoding/hex.ts'
import type { Message } from '@kassa/keys/tron/transaction.ts'

/** First four bytes of keccak256("transfer(address,uint256)"). */
const TRANSFER = 'a9059cbb'

export type Movement = Exclude<Message, { kind: 'other' }>

/** Writes an intent as the message of a transaction. @throws RangeError when no message is supported for it */
export function messageOf(chain: Chain, from: string, intent: SendIntent): Movement {
  const owner = tronAddresses.key(chain, from)
  if (intent.kind === 'call') {
    if (intent.to === null) throw new RangeError('Contracts of TRON are not made by a call')
    const data = fromHex(intent.data.replace(/^0x/, ''))
    return { kind: 'call', from: owner, to: tronAddresses.key(chain, intent.to), units: intent.units, data }
  }
  const asset = chain.assets.find(({ id }) => id === intent.assetId)
  if (!asset) throw new RangeError(`Asset ${intent.assetId} is not on ${chain.blockchain.code}`)
  const to = tronAddresses.key(chain, intent.to)
  if (asset.standard === 'native') return { kind: 'transfer', from: owner, to, units: intent.units }
  const data = fromHex(TRANSFER + wordOf(to) + intent.units.toString(16).padStart(64, '0'))
  return { kind: 'call', from: owner, to: tronAddresses.key(chain, asset.address), units: 0n, data }
}

/** The receiver of a token transfer, as hex of 20 bytes; null for any other message. */
export function tokenReceiver(message: Message): string | null {
  if (message.kind !== 'call') return null
  const data = toHex(message.data)
  return data.startsWith(TRANSFER) && data.length === 136 ? data.slice(32, 72) : null
}

function wordOf(key: Uint8Array): string {
  return toHex(key).padStart(64, '0')
}
