/** Payments that a wallet only signs: the server writes them, and sends what was signed. */
import type { SignedDraft, WalletDraft } from '@kassa/contract/sends/wallet-drafts.ts'
import type { PayFacts } from '../../render/panels/wallet.ts'
import { rememberAsked } from '../sent/record.ts'
import { serverNow } from './pending-request.ts'
import { Stopped } from './wallet.ts'
import type { Send, Sent, Shortage } from './wallet.ts'

/** Nodes that do not answer are asked again while the page is open. */
const SENT_AGAIN_MS = [1000, 3000] as const

const SHORTAGES = { short_of_asset: 'noMoney', short_of_coin: 'noFee', would_fail: 'refused' } as const

/** What the server says of bytes that will not be sent, by the text that says so. */
const ENDS = new Map<string | undefined, 'refused' | 'tooLate'>([
  ['TRANSACTION_REFUSED', 'refused'],
  ['TRANSACTION_UNREADABLE', 'refused'],
  ['TRANSACTION_EXPIRED', 'tooLate'],
])

/** What a wallet signed, and until when a block can take it by the server's clock. */
export type Signed = { readonly signed: SignedDraft; readonly until: number }

/**
 * Has the server write the transfer, once: why the account cannot pay, as the server's nodes say (a page has no way to any), else how
 * the wallet signs it and the server sends it. `sign` signs only what the page asks for.
 */
export async function prepareDraft(
  pay: PayFacts,
  account: string,
  sign: (rawData: string) => Promise<Signed>,
): Promise<Shortage | Send> {
  // What was signed may be paid already: an account that lacks it now lacks nothing.
  const before = undecidedOf(pay)
  if (before !== undefined) return () => send(pay, before, true)
  if (signedFor(pay) !== undefined) {
    forget(pay)
    // Its time ran out before any node said whether it took it: nothing else is signed before the customer says so.
    rememberAsked()
    throw new Stopped('unavailable')
  }
  const { rawData, obstacle } = await draft(pay, account)
  if (rawData === null || obstacle !== null) return SHORTAGES[obstacle ?? 'would_fail']
  return async () => {
    const signed = await sign(rawData)
    // A page that is loaded again before the answer finds it here.
    remember(pay, signed)
    return send(pay, signed, false)
  }
}

/** Storage may be switched off: then only this page remembers. */
let remembered: Signed | undefined

const keyOf = ({ draft: asked }: PayFacts) => `kassa.checkout.signed:${asked?.url}`

function remember(pay: PayFacts, signed: Signed): void {
  remembered = signed
  try {
    sessionStorage.setItem(keyOf(pay), JSON.stringify(signed))
  } catch {
    // Only a page that is loaded again forgets it.
  }
}

/**
 * A signed transaction of which it is unknown whether a node took it: the same is sent again, and nothing else is signed before no
 * block can take it any more, whatever the page asks for by then, also after it was loaded again.
 */
function undecidedOf(pay: PayFacts): Signed | undefined {
  const signed = signedFor(pay)
  return signed !== undefined && signed.until >= serverNow() ? signed : undefined
}

function signedFor(pay: PayFacts): Signed | undefined {
  if (remembered !== undefined) return remembered
  try {
    const stored = sessionStorage.getItem(keyOf(pay))
    return stored === null ? undefined : (JSON.parse(stored) as Signed)
  } catch {
    return undefined
  }
}

function forget(pay: PayFacts): void {
  remembered = undefined
  try {
    sessionStorage.removeItem(keyOf(pay))
  } catch {
    // Nothing was stored.
  }
}

async function draft({ draft: asked }: PayFacts, from: string): Promise<WalletDraft> {
  if (asked === undefined) throw new Stopped('unavailable')
  const answer = await post(asked.url, { from, amount: asked.amount })
  if (answer?.ok !== true) throw new Stopped('unavailable')
  return (await answer.json()) as WalletDraft
}

/**
 * Sends the signed transaction repeatedly until a node answers. A refusal ends it only where no earlier try was
 * without an answer: a node that is behind refuses what another one took.
 */
async function send(pay: PayFacts, { signed, until }: Signed, wasUnanswered: boolean): Promise<Sent> {
  let isUnanswered = wasUnanswered
  for (const wait of [...SENT_AGAIN_MS, null]) {
    const answer = await post(`${pay.draft?.url}/send`, signed)
    if (answer?.ok === true) {
      const { transactionHash } = (await answer.json()) as { transactionHash: string }
      forget(pay)
      return { hash: transactionHash, until }
    }
    const { code } = ((await answer?.json().catch(() => null)) ?? {}) as { code?: string }
    const end = ENDS.get(code)
    if (end !== undefined && !isUnanswered) {
      forget(pay)
      throw new Stopped(end)
    }
    isUnanswered = true
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
