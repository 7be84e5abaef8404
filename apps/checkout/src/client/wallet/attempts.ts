/** The number of the newest attempt. */
let latest = 0

/** Whether a wallet was asked to send and has not answered yet. */
let isPending = false

/** Starts an attempt and gives its number; earlier attempts cannot send any more. */
export function newAttempt(): number {
  latest += 1
  return latest
}

/** Tells whether no newer attempt was started. */
export function isLatest(attempt: number): boolean {
  return attempt === latest
}

/** Tells whether a wallet is still deciding about a transfer; until then no other attempt starts. */
export function isTransferPending(): boolean {
  return isPending
}

/** Runs a request to send; "Pay with wallet" is shown as busy until the wallet answers. */
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

function payButton(): HTMLElement | null {
  return document.getElementById('pay-with-wallet')
}
