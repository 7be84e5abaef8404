/** What was pressed last. */
let latest = 0

/** A wallet has been asked to send, and has not answered. */
let isHeld = false

/** Gives a new turn, which ends the one before: of two that are under way only the later can send. */
export function newTurn(): number {
  latest += 1
  return latest
}

/** Tells whether nothing was pressed since. */
export function isLatest(turn: number): boolean {
  return turn === latest
}

/** Tells whether a transfer waits in a wallet: until it is answered nothing else begins. */
export function isTransferHeld(): boolean {
  return isHeld
}

/** Asks a wallet to send; "Pay with wallet" is busy until it answers. */
export async function whileHeld<T>(ask: () => Promise<T>): Promise<T> {
  isHeld = true
  payButton()?.setAttribute('aria-busy', 'true')
  try {
    return await ask()
  } finally {
    isHeld = false
    payButton()?.removeAttribute('aria-busy')
  }
}

/** Finds "Pay with wallet" as it stands on the page now. */
export function payButton(): HTMLElement | null {
  return document.getElementById('pay-with-wallet')
}
