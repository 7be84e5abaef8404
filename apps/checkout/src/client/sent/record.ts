import { currentView } from '../view.ts'
import { whilePending } from '../wallet/attempts.ts'
import { serverNow } from '../wallet/pending-request.ts'
import { Undecided } from '../wallet/wallet.ts'
import type { Send, Sent } from '../wallet/wallet.ts'
import { forgetSent, rememberSent } from './memory.ts'
import type { SentPayment } from './memory.ts'
import { drawSent, sentFacts } from './notice.ts'

/** No network has longer hashes. */
const LONGEST_HASH = 128

/**
 * Sends, and remembers it in this tab from before the wallet is asked; what the wallet refused is forgotten. Where it gave no answer
 * the page asks its owner to look there, and for no money before.
 */
export async function sendRemembered(send: Send): Promise<void> {
  const { dataset } = document.documentElement
  const { asked, explorer } = askedNow()
  rememberSent(asked)
  // Only a page that is loaded again does not know what the wallet says.
  dataset['asking'] = String(asked.at)
  try {
    rememberSent(sentAs(asked, explorer, await whilePending(send)))
  } catch (thrown) {
    if (!(thrown instanceof Undecided)) forgetSent(asked)
    throw thrown
  } finally {
    delete dataset['asking']
    drawSent()
  }
}

/** Stores that a wallet was asked, where its answer may be lost. */
export function rememberAsked(): void {
  rememberSent(askedNow().asked)
  drawSent()
}

function askedNow(): { readonly asked: SentPayment; readonly explorer: string | null } {
  const [facts, reference] = [sentFacts(), currentView()?.dataset['reference']]
  if (facts === null || reference === undefined) throw new Error('The page asks for no transfer')
  const { amount, network, chain, explorer } = facts
  return { asked: { reference, at: serverNow(), hash: null, amount, network, chain, link: null }, explorer }
}

function sentAs(asked: SentPayment, explorer: string | null, { hash, until }: Sent): SentPayment {
  const link = explorer?.replace('{tx}', encodeURIComponent(hash)) ?? null
  return { ...asked, hash: hash.slice(0, LONGEST_HASH), link, ...(until !== undefined && { until }) }
}
