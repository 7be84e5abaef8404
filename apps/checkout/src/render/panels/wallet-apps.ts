/** A wallet's app, and the link that opens a page inside the app's own browser. */
export type WalletApp = {
  readonly name: string
  /** Makes the app's link of a page's https address. */
  readonly open: (page: string) => string
}

/**
 * Apps for the networks of the EVM, each with where its maker says how the link is made (read in November 2026). An app that
 * documents none is not here: Rainbow documents links for WalletConnect only.
 */
export const EVM_WALLET_APPS: readonly WalletApp[] = [
  {
    name: 'MetaMask',
    // The address follows without its scheme and as it stands: an encoded one opens an empty tab.
    // https://docs.metamask.io/metamask-connect/evm/guides/metamask-exclusive/use-deeplinks/
    open: (page) => `https://link.metamask.io/dapp/${page.replace(/^https:\/\//, '')}`,
  },
  {
    name: 'Trust Wallet',
    // `coin_id` is the network in SLIP-44, 60 is Ethereum: the wallet's account for all networks of the EVM.
    // https://developer.trustwallet.com/developer/develop-for-trust/deeplinking
    open: (page) => `https://link.trustwallet.com/open_url?coin_id=60&url=${encodeURIComponent(page)}`,
  },
  {
    name: 'Coinbase Wallet',
    // https://docs.cdp.coinbase.com/coinbase-wallet/developer-guidance/mobile-dapp-integration
    open: (page) => `https://go.cb-w.com/dapp?cb_url=${encodeURIComponent(page)}`,
  },
]
