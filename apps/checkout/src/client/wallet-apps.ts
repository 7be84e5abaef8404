/** Hides the ways into wallet apps where a wallet is here already: it is told to say that it is there, and asked nothing. */
export function noticeWallets(): void {
  if (document.getElementById('wallet-apps') === null) return
  addEventListener('eip6963:announceProvider', isHere)
  dispatchEvent(new Event('eip6963:requestProvider'))
}

function isHere(): void {
  document.documentElement.dataset['wallet'] = ''
}
