import { contractAddressesRoutes } from '@kassa/contract/sweep-contracts/address-routes.ts'
import { sweepContractsRoutes } from '@kassa/contract/sweep-contracts/routes.ts'
import type { ContractType, NewContractAddress } from '@kassa/contract/sweep-contracts/schemas.ts'
import { sandboxRoutes } from '@kassa/contract/sandbox/routes.ts'
import type { OwnerQuestion } from '@kassa/contract/sandbox/schemas.ts'
import {
  type CollectorChoice,
  contractWalletsRoutes,
  type NewContractWallet,
} from '@kassa/contract/wallets/contract-routes.ts'
import { queryOptions } from '@tanstack/react-query'

import { call } from './client.ts'
import { useChange } from './intent.ts'

/** A proposal on chain is shown to everybody who looks, while there is time to refuse it. */
const WATCH_MS = 30_000

/** A contract of the release on a network: its code, and what it must hash to. */
export function releasedContractQuery(blockchainCode: string, type: ContractType) {
  return queryOptions({
    queryKey: ['contracts', blockchainCode, type],
    queryFn: ({ signal }) =>
      call(sweepContractsRoutes.findContract, { params: { b: blockchainCode, type } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Where the sweep contracts of a wallet send money, by their chains. */
export function collectorsQuery(walletId: number, family: string) {
  return queryOptions({
    queryKey: ['wallets', 'collectors', walletId, family],
    queryFn: ({ signal }) =>
      call(contractWalletsRoutes.listCollectors, { params: { id: walletId, f: family } }, { signal }),
    refetchInterval: WATCH_MS,
  })
}

/** Returns the functions that register sweep contracts and confirm where they send money. @throws RequestError */
export function useContractChanges() {
  const once = useChange('wallets', 'contracts', 'alarms', 'readiness', 'projects')
  return {
    addWallet: (factoryId: number, body: NewContractWallet) =>
      once(['contract-wallet', factoryId, body], (idempotencyKey) =>
        call(contractWalletsRoutes.addContractWallet, { params: { id: factoryId }, body }, { idempotencyKey }),
      ),
    registerForApprovals: (blockchainCode: string, body: NewContractAddress) =>
      once(['contract-address', blockchainCode, body], (idempotencyKey) =>
        call(
          contractAddressesRoutes.registerContractAddress,
          { params: { b: blockchainCode, name: 'sweep_approval' }, body },
          { idempotencyKey },
        ),
      ),
    confirmCollector: (walletId: number, family: string, body: CollectorChoice) =>
      once(['collector', walletId, family, body], (idempotencyKey) =>
        call(contractWalletsRoutes.recordCollector, { params: { id: walletId, f: family }, body }, { idempotencyKey }),
      ),
  }
}

/** Asks the wallet that plays the owner on the sandbox. @throws RequestError */
export async function askOwnerWallet(blockchainCode: string, question: OwnerQuestion): Promise<unknown> {
  const { result } = await call(sandboxRoutes.askOwnerWallet, { params: { b: blockchainCode }, body: question })
  return result
}
