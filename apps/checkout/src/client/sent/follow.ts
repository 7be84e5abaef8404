import type { Diagnosis } from '../../render/view.ts'
import { serverNow } from '../wallet/pending-request.ts'
import { rememberSent } from './memory.ts'
import type { SentPayment } from './memory.ts'
import { drawSent, payAgain, unseenPayments } from './notice.ts'

type Verdict = Diagnosis['verdict']

/** The server answers such questions once in ten seconds. */
const ASKED_EVERY_MS = 60_000

/** Before this a node may not know of a transaction that is well, nor of the last block that could take it. */
const ASKED_AFTER_MS = 120_000

/** Says what was sent in this tab, also before the page was loaded again, and asks nodes what became of it when it is not seen. */
export function followSent(): void {
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('[data-pay-again]') !== null) payAgain()
  })
  addEventListener('pageshow', drawSent)
  drawSent()
  void askAboutSent()
  setInterval(() => {
    drawSent()
    if (!document.hidden) void askAboutSent()
  }, ASKED_EVERY_MS)
}

async function askAboutSent(): Promise<void> {
  for (const sent of unseenPayments()) {
    if (sent.hash === null || sent.end !== undefined || serverNow() < (sent.until ?? sent.at) + ASKED_AFTER_MS) continue
    const found = foundOf(sent, await verdictOf(sent))
    if (found !== undefined) rememberSent({ ...sent, ...found })
  }
  drawSent()
}

/**
 * What failed moved nothing. A wallet replaces what is slow by a faster one, which pays the same. A network that does not know it
 * once no block can take it any more will never have it.
 */
function foundOf({ until }: SentPayment, verdict: Verdict | undefined): Partial<SentPayment> | undefined {
  if (verdict === 'failed_on_chain') return { end: 'failed' }
  if (verdict === 'replaced') return { isReplaced: true }
  return verdict === 'not_found' && until !== undefined ? { end: 'tooLate' } : undefined
}

async function verdictOf({ reference, hash, chain }: SentPayment): Promise<Verdict | undefined> {
  try {
    const answer = await fetch(`/api/v1/payment/reference/${encodeURIComponent(reference)}/diagnose`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ txHash: hash, blockchainCode: chain }),
      cache: 'no-store',
    })
    return answer.ok ? ((await answer.json()) as Diagnosis).verdict : undefined
  } catch {
    return undefined
  }
}
