import { tronText } from '@kassa/keys/tron/address.ts'
import { signTron } from '@kassa/keys/tron/injected-wallet.ts'
import type { TronProvider } from '@kassa/keys/tron/injected-wallet.ts'
import { walletRequest } from '@kassa/keys/tron/wallet-transaction.ts'
import type { WalletRequest } from '@kassa/keys/tron/wallet-transaction.ts'
import type { PayFacts } from '../../../render/panels/wallet.ts'
import { prepareDraft } from '../drafts.ts'
import type { Send, Shortage } from '../wallet.ts'

/** `transfer(address,uint256)` of TRC-20, and how long its call is in hex. */
const TRANSFER = 'a9059cbb'
const CALL_DIGITS = 136

/** Blocks come later than clocks say. */
const GRACE_MS = 60_000

/** Has the server write the transfer; the wallet signs it once it is what the page asks for, and the server sends it. */
export function payOnTron(provider: TronProvider, pay: PayFacts, account: string): Promise<Shortage | Send> {
  return prepareDraft(pay, account, async (rawData) => {
    const request = walletRequest(rawData)
    if (!isAskedFor(request, pay, account)) throw new TypeError('The server wrote another transfer')
    const signature = await signTron(provider, request.transaction)
    return { signed: { rawData, signature }, until: request.transaction.raw_data.expiration + GRACE_MS }
  })
}

/** What the wallet shows is read from the same bytes. */
function isAskedFor({ message }: WalletRequest, { to, token, units }: PayFacts, account: string): boolean {
  if (tronText(message.from) !== account) return false
  if (token === null) {
    return message.kind === 'transfer' && tronText(message.to) === to && message.units === BigInt(units)
  }
  if (message.kind !== 'call' || message.units !== 0n || tronText(message.to) !== token) return false
  const data = Array.from(message.data, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const receiver = Uint8Array.from(message.data.subarray(16, 36))
  return (
    data.length === CALL_DIGITS &&
    data.startsWith(TRANSFER) &&
    tronText(receiver) === to &&
    BigInt(`0x${data.slice(72)}`) === BigInt(units)
  )
}
