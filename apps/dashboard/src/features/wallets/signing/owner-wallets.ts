import { useQuery } from '@tanstack/react-query'

import { browserWalletsQuery } from '../../../api/browser-wallets.ts'
import { configurationQuery } from '../../../api/configuration.ts'
import { askOwnerWallet } from '../../../api/contract-wallets.ts'
import type { OwnerQuestion } from '@kassa/contract/sandbox/schemas.ts'
import { evmWallet } from '../../../lib/device/evm-wallets.ts'
import type { BrowserWallet, OwnerWallet } from '../../../lib/device/owner-wallet.ts'

/** The wallet that plays the owner where no real money moves; it is on the network that is asked for, and always says yes. */
function sandboxWallet(blockchainCode: string): OwnerWallet {
  return evmWallet({
    request: async ({ method, params }) => {
      if (method === 'wallet_switchEthereumChain') return null
      const question = { method: method as OwnerQuestion['method'], ...(params && { params: [...params] }) }
      return askOwnerWallet(blockchainCode, question)
    },
  })
}

/** The wallets of this browser, and on the sandbox one that plays the owner's; undefined while they are asked. */
export function useOwnerWallets(blockchainCode: string): {
  readonly wallets: readonly BrowserWallet[] | undefined
  readonly sandbox: OwnerWallet | undefined
} {
  const { data: configuration } = useQuery(configurationQuery)
  const { data: wallets } = useQuery(browserWalletsQuery(blockchainCode))
  const isSandbox = configuration?.blockchainNetwork === 'sandbox'
  return { wallets, sandbox: isSandbox ? sandboxWallet(blockchainCode) : undefined }
}
