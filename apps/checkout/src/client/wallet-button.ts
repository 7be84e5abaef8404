import { isSentWaiting } from './sent/notice.ts'
import { announceFor } from './view.ts'

/** What the wallet part, a script of its own, offers. */
export type WalletPart = { readonly payWithWallet: (steps: HTMLElement) => Promise<void> }

const SHOWN_MS = 5000

/** The wallet was chosen together with the currency, on the page before, in this tab. */
const CHOSEN = 'kassa.checkout.wallet'

/** Loads the wallet part when "Pay with wallet" is pressed, here or on the page before. */
export function answerWalletButton(load: (url: string) => Promise<WalletPart>): void {
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-wallet]') : null
    if (button !== null && !button.hasAttribute('aria-busy')) void start(button, load)
  })
  document.addEventListener('submit', ({ submitter }) => {
    if (submitter?.dataset['withWallet'] !== undefined) remember()
  })
  if (wasChosen()) document.getElementById('pay-with-wallet')?.click()
}

async function start(button: HTMLElement, load: (url: string) => Promise<WalletPart>): Promise<void> {
  const steps = document.getElementById('wallet-steps')
  if (steps === null || isSentWaiting()) return
  button.setAttribute('aria-busy', 'true')
  try {
    const { payWithWallet } = await load(button.dataset['wallet'] ?? '')
    await payWithWallet(steps)
  } catch {
    announceFor(button.dataset['failed'] ?? '', SHOWN_MS)
  } finally {
    button.removeAttribute('aria-busy')
  }
}

/** Storage may be switched off: then the button is pressed once more. */
function remember(): void {
  try {
    sessionStorage.setItem(CHOSEN, 'true')
  } catch {
    // Nothing is lost.
  }
}

/** Once: a page that is loaded again asks nothing. */
function wasChosen(): boolean {
  try {
    const isChosen = sessionStorage.getItem(CHOSEN) !== null
    sessionStorage.removeItem(CHOSEN)
    return isChosen
  } catch {
    return false
  }
}
