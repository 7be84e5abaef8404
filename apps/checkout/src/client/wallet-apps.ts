/** What is shown, or hidden, where a wallet is in this browser. */
const CONCERNED = '#wallet-apps, #pay-with-wallet, [data-with-wallet]'

/** What wallets of TRON put on the page, the older ones without announcing themselves. */
type Injected = { readonly tron?: unknown; readonly tronLink?: unknown }

/**
 * Notices wallets of this browser (EIP-6963; TIP-6963 for TRON): paying with one is offered once one is here, the ways into wallet
 * apps no longer. A wallet is told to say that it is there, and asked nothing. One that comes late is heard too.
 */
export function noticeWallets(): void {
  if (document.querySelector(CONCERNED) === null) return
  const family = document.getElementById('pay-with-wallet')?.dataset['family']
  if (family !== 'TRX_Family') hearFrom('eip6963')
  // Where the currency is still to be chosen, either kind may be used.
  if (family === 'ETH_Family' || document.getElementById('wallet-apps') !== null) return
  hearFrom('TIP6963')
  addEventListener('tronLink#initialized', isHere)
  const { tron, tronLink } = globalThis as Injected
  if (tron !== undefined || tronLink !== undefined) isHere()
}

function hearFrom(prefix: string): void {
  addEventListener(`${prefix}:announceProvider`, isHere)
  dispatchEvent(new Event(`${prefix}:requestProvider`))
}

function isHere(): void {
  document.documentElement.dataset['wallet'] = ''
}
