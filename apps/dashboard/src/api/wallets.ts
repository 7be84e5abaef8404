import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'
import type { NewAddressList, NewDepositWallet, Wallet, WalletAddressQuery } from '@kassa/contract/wallets/schemas.ts'
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'

import { call } from './client.ts'
import { useIntent } from './intent.ts'

/** Reads what `depositWalletsQuery` of the lazy lists holds. @throws RequestError */
export function readDepositWallets(signal: AbortSignal): Promise<readonly Wallet[]> {
  return call(walletsRoutes.listWallets, { query: { walletType: ['deposit_wallet'] } }, { signal })
}

/** Reads what `coldWalletsQuery` of the lazy lists holds. @throws RequestError */
export function readColdWallets(signal: AbortSignal): Promise<readonly Wallet[]> {
  return call(walletsRoutes.listWallets, { query: { walletType: ['cold_wallet'] } }, { signal })
}

/** A page of the addresses of a deposit wallet, and who has them. */
export function walletAddressesQuery(id: number, filter: WalletAddressQuery) {
  return queryOptions({
    queryKey: ['wallets', id, 'addresses', filter],
    queryFn: ({ signal }) => call(walletsRoutes.listWalletAddresses, { params: { id }, query: filter }, { signal }),
    placeholderData: keepPreviousData,
  })
}

/** Returns the function that adds a deposit wallet; a repetition after a lost answer adds no second one. @throws RequestError */
export function useAddDepositWallet(): (wallet: NewDepositWallet) => Promise<Wallet> {
  const intent = useIntent()
  const refresh = useRefreshWallets()
  return async (wallet) => {
    const added = await intent(wallet, (idempotencyKey) =>
      call(walletsRoutes.addDepositWallet, { body: wallet }, { idempotencyKey }),
    )
    refresh()
    return added
  }
}

/** Addresses of a list, and the wallet they join. */
export type MoreAddresses = { readonly walletId: number; readonly list: NewAddressList }

/** Returns the function that adds addresses to the list of a wallet. @throws RequestError */
export function useAddAddresses(): (more: MoreAddresses) => Promise<void> {
  const intent = useIntent()
  const refresh = useRefreshWallets()
  return async (more) => {
    const { walletId, list } = more
    await intent(more, (idempotencyKey) =>
      call(walletsRoutes.addListedAddresses, { params: { id: walletId }, body: list }, { idempotencyKey }),
    )
    refresh()
  }
}

/** Where customers of a project get their addresses of one chain family from. */
export type WalletChoice = { readonly projectId: number; readonly walletId: number; readonly family: string }

/**
 * Returns the function that links a wallet to a project, in place of the one linked before; false where it takes effect later.
 * @throws RequestError
 */
export function useLinkWallet(): (choice: WalletChoice) => Promise<boolean> {
  const intent = useIntent()
  const refresh = useRefreshWallets()
  return async (choice) => {
    const { projectId, walletId, family } = choice
    const body = { wallets: [{ walletID: walletId, blockchainFamily: family }] }
    const linked = await intent(choice, (idempotencyKey) =>
      call(walletsRoutes.linkWallets, { params: { p: String(projectId) }, body }, { idempotencyKey }),
    )
    refresh()
    return linked.some((one) => one.walletID === walletId)
  }
}

/** Returns the function that takes a wallet from a project, or withdraws that it is linked later. @throws RequestError */
export function useUnlinkWallet(): (projectId: number, walletId: number) => Promise<void> {
  const intent = useIntent()
  const refresh = useRefreshWallets()
  return async (projectId, walletId) => {
    const params = { p: String(projectId), id: walletId }
    await intent(params, (idempotencyKey) => call(walletsRoutes.unlinkWallet, { params }, { idempotencyKey }))
    refresh()
  }
}

/** Whether a project can take payments hangs on its wallets. */
function useRefreshWallets(): () => void {
  const queryClient = useQueryClient()
  return () => {
    for (const noun of ['wallets', 'readiness', 'projects']) void queryClient.invalidateQueries({ queryKey: [noun] })
  }
}
