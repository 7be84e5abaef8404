/** What was pressed last. */
let latest = 0

/** A wallet has been asked to send, and has not answered. */
let isPending = false

/** Gives a new turn, which ends the one before: of two that are under way only the later can send. */
export function newAttempt(): number {
  latest += 1
  return latest
}

/** Tells whether nothing was pressed since. */
export function isLatest(attempt: number): boolean {
  return attempt === latest
}

/** Tells whether a transfer waits in a wallet: until it is answered nothing else begins. */
export function isTransferPending(): boolean {
  return isPending
}

/** Asks a wallet to send; "Pay with wallet" is busy until it answers. */
export async function whilePending<T>(ask: () => Promise<T>): Promise<T> {
  isPending = true
  payButton()?.setAttribute('aria-busy', 'true')
  try {
    return await ask()
  } finally {
    isPending = false
    payButton()?.removeAttribute('aria-busy')
  }
}

/** Finds "Pay with wallet" as it stands on the page now. */
export function payButton(): HTMLElement | null {
  return document.getElementById('pay-with-wallet')
}
