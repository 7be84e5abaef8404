import { hearStandardWallets } from './wallet/standard-wallets.ts'

/** What is shown, or hidden, where a wallet is in this browser. */
const CONCERNED = '#wallet-apps, #pay-with-wallet, [data-with-wallet]'

/** What wallets of TRON put on the page, the older ones without announcing themselves. */
type Injected = { readonly tron?: unknown; readonly tronLink?: unknown }

/** How wallets of a family are heard of. */
const HEARING: Readonly<Record<string, () => void>> = {
  ETH_Family: () => hearFrom('eip6963'),
  TRX_Family: () => {
    hearFrom('TIP6963')
    addEventListener('tronLink#initialized', isHere)
    const { tron, tronLink } = globalThis as Injected
    if (tron !== undefined || tronLink !== undefined) isHere()
  },
  SOL_Family: () => void hearStandardWallets(isHere),
}

/**
 * Notices wallets of this browser (EIP-6963, TIP-6963 for TRON, Wallet Standard for Solana): paying with one is offered once one is
 * here, the links into wallet apps no longer. Wallets are asked to announce themselves, and nothing else. One that comes late is
 * heard too.
 */
export function noticeWallets(): void {
  if (document.querySelector(CONCERNED) === null) return
  const chosen = document.getElementById('pay-with-wallet')?.dataset['family']
  // The apps are those of EVM networks; where the currency is still to be chosen, a wallet of any family may be used.
  const family = document.getElementById('wallet-apps') === null ? chosen : 'ETH_Family'
  for (const hear of family === undefined ? Object.values(HEARING) : [HEARING[family]]) hear?.()
}

function hearFrom(prefix: string): void {
  addEventListener(`${prefix}:announceProvider`, isHere)
  dispatchEvent(new Event(`${prefix}:requestProvider`))
}

function isHere(): void {
  document.documentElement.dataset['wallet'] = ''
}
