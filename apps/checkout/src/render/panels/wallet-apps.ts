/** A wallet's app, and the link that opens a page inside the app's own browser. */
export type WalletApp = {
  readonly name: string
  /** Builds the app's link from the https URL of a page. */
  readonly open: (page: string) => string
}

/**
 * Wallet apps for EVM networks, each with the page where its vendor documents the link (read in November 2026). An app
 * without such a page is left out: Rainbow documents links for WalletConnect only.
 */
export const EVM_WALLET_APPS: readonly WalletApp[] = [
  {
    name: 'MetaMask',
    // The URL follows without its scheme and without percent-encoding: an encoded one opens an empty tab.
    // https://docs.metamask.io/metamask-connect/evm/guides/metamask-exclusive/use-deeplinks/
    open: (page) => `https://link.metamask.io/dapp/${page.replace(/^https:\/\//, '')}`,
  },
  {
    name: 'Trust Wallet',
    // `coin_id` is the coin type of SLIP-44; 60 is Ethereum, whose account the wallet uses on every EVM network.
    // https://developer.trustwallet.com/developer/develop-for-trust/deeplinking
    open: (page) => `https://link.trustwallet.com/open_url?coin_id=60&url=${encodeURIComponent(page)}`,
  },
  {
    name: 'Coinbase Wallet',
    // https://docs.cdp.coinbase.com/coinbase-wallet/developer-guidance/mobile-dapp-integration
    open: (page) => `https://go.cb-w.com/dapp?cb_url=${encodeURIComponent(page)}`,
  },
]
