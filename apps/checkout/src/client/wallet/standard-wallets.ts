/** A wallet of the Wallet Standard (https://github.com/wallet-standard/wallet-standard), as much of it as is read here. */
export type StandardWallet = {
  readonly name: string
  readonly icon: string
  /** Networks by their name, such as `solana:mainnet`. */
  readonly chains: readonly string[]
  readonly features: Readonly<Record<string, unknown>>
  /** Those that the page was let in to. */
  readonly accounts: readonly object[]
}

type Api = { readonly register: (...wallets: readonly StandardWallet[]) => () => void }

/** Hears which wallets of Solana are in this browser, those that come late too; none is asked for anything. Returns how to stop. */
export function hearStandardWallets(hear: (wallet: StandardWallet) => void): () => void {
  const api: Api = {
    register: (...wallets) => {
      for (const one of wallets) if (one.chains.some((name) => name.startsWith('solana:'))) hear(one)
      return () => undefined
    },
  }
  const answer = ({ detail }: Event & { readonly detail?: unknown }) => (detail as (given: Api) => void)(api)
  addEventListener('wallet-standard:register-wallet', answer)
  dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: api }))
  return () => removeEventListener('wallet-standard:register-wallet', answer)
}
