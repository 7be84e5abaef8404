/** What is shown, or hidden, where a wallet is in this browser. */
const CONCERNED = '#wallet-apps, #pay-with-wallet, [data-with-wallet]'

/**
 * Notices wallets of this browser (EIP-6963): paying with one is offered once one is here, the ways into wallet apps no longer.
 * A wallet is told to say that it is there, and asked nothing. One that comes late is heard too.
 */
export function noticeWallets(): void {
  if (document.querySelector(CONCERNED) === null) return
  addEventListener('eip6963:announceProvider', isHere)
  dispatchEvent(new Event('eip6963:requestProvider'))
}

function isHere(): void {
  document.documentElement.dataset['wallet'] = ''
}
