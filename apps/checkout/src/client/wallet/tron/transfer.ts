import { tronText } from '@kassa/keys/tron/address.ts'
import { signTron } from '@kassa/keys/tron/injected-wallet.ts'
import type { TronProvider } from '@kassa/keys/tron/injected-wallet.ts'
import { walletRequest } from '@kassa/keys/tron/wallet-transaction.ts'
import type { WalletRequest } from '@kassa/keys/tron/wallet-transaction.ts'
import type { SignedDraft, WalletDraft } from '@kassa/contract/sends/wallet-drafts.ts'
import type { PayFacts } from '../../../render/panels/wallet.ts'
import { serverNow } from '../pending-request.ts'
import { Stopped } from '../wallet.ts'
import type { Shortage } from '../wallet.ts'

/** `transfer(address,uint256)` of TRC-20, and how long its call is in hex. */
const TRANSFER = 'a9059cbb'
const CALL_DIGITS = 136

/** Nodes that say nothing are asked again, for as long as somebody looks at the page. */
const SENT_AGAIN_MS = [1000, 3000] as const

/** Blocks come later than clocks say. */
const GRACE_MS = 60_000

const SHORTAGES = { short_of_asset: 'noMoney', short_of_coin: 'noFee', would_fail: 'refused' } as const

/** Why the account cannot pay, as the server's nodes say: a page has no way to any. */
export async function shortage(pay: PayFacts, account: string): Promise<Shortage | null> {
  const { obstacle } = await draft(pay, account)
  return obstacle && SHORTAGES[obstacle]
}

/**
 * What was signed, and of which no node has said that it took it: the same is sent again, and nothing else is signed before the
 * network would not take it any more, by the server's clock.
 */
let unsent: { readonly of: string; readonly signed: SignedDraft; readonly until: number } | undefined

/** Has the wallet sign what the server wrote, once it is what the page asks for, and has the server send it. */
export async function sendBySignature(provider: TronProvider, pay: PayFacts, account: string): Promise<string> {
  const of = JSON.stringify([pay.to, pay.token, pay.units, account])
  if (unsent?.of !== of || unsent.until < serverNow()) {
    const { rawData, obstacle } = await draft(pay, account)
    if (rawData === null) throw new Stopped(SHORTAGES[obstacle ?? 'would_fail'])
    const request = walletRequest(rawData)
    if (!isAskedFor(request, pay, account)) throw new TypeError('The server wrote another transfer')
    const signature = await signTron(provider, request.transaction)
    unsent = { of, signed: { rawData, signature }, until: request.transaction.raw_data.expiration + GRACE_MS }
  }
  const hash = await send(pay, unsent.signed)
  unsent = undefined
  return hash
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

async function draft({ draft: asked }: PayFacts, from: string): Promise<WalletDraft> {
  if (asked === undefined) throw new Stopped('unavailable')
  const answer = await post(asked.url, { from, amount: asked.amount })
  if (answer?.ok !== true) throw new Stopped('unavailable')
  return (await answer.json()) as WalletDraft
}

/** Sends what was signed, again and again while nobody says whether it was taken. */
async function send({ draft: asked }: PayFacts, signed: SignedDraft): Promise<string> {
  for (const wait of [...SENT_AGAIN_MS, null]) {
    const answer = await post(`${asked?.url}/send`, signed)
    if (answer?.ok === true) return ((await answer.json()) as { transactionHash: string }).transactionHash
    const { code } = ((await answer?.json().catch(() => null)) ?? {}) as { code?: string }
    if (code === 'TRANSACTION_REFUSED' || code === 'TRANSACTION_UNREADABLE') {
      unsent = undefined
      throw new Stopped('refused')
    }
    if (wait === null) break
    await new Promise((done) => setTimeout(done, wait))
  }
  throw new Stopped('unavailable')
}

async function post(url: string, body: unknown): Promise<Response | undefined> {
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      cache: 'no-store',
    })
  } catch {
    return undefined
  }
}
