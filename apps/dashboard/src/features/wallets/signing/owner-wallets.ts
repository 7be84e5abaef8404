import { useQuery } from '@tanstack/react-query'

import { configurationQuery } from '../../../api/configuration.ts'
import { askOwnerWallet } from '../../../api/contract-wallets.ts'
import type { OwnerQuestion } from '@kassa/contract/sandbox/schemas.ts'
import { announcedWallets, type BrowserWallet, type Provider } from '../../../lib/device/browser-wallets.ts'

/** The wallet that plays the owner where no real money moves; it is on the network that is asked for, and always says yes. */
function sandboxProvider(blockchainCode: string): Provider {
  return {
    request: async ({ method, params }) => {
      if (method === 'wallet_switchEthereumChain') return null
      const question = { method: method as OwnerQuestion['method'], ...(params && { params: [...params] }) }
      return askOwnerWallet(blockchainCode, question)
    },
  }
}

/** The wallets of this browser, and on the sandbox one that plays the owner's; undefined while they are asked. */
export function useOwnerWallets(blockchainCode: string): {
  readonly wallets: readonly BrowserWallet[] | undefined
  readonly sandbox: Provider | undefined
} {
  const { data: configuration } = useQuery(configurationQuery)
  const { data: announced } = useQuery({ queryKey: ['browser-wallets'], queryFn: announcedWallets, staleTime: 0 })
  // What announces itself this way speaks for EVM networks alone (EIP-6963).
  const wallets = blockchainCode === 'TRX' ? announced && [] : announced
  const isSandbox = configuration?.blockchainNetwork === 'sandbox'
  return { wallets, sandbox: isSandbox ? sandboxProvider(blockchainCode) : undefined }
}
