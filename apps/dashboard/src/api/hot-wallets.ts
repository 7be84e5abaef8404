import { coldWalletsRoutes, type NewColdWallet } from '@kassa/contract/wallets/cold-routes.ts'
import { hotWalletsRoutes } from '@kassa/contract/wallets/hot-routes.ts'
import { sandboxRoutes } from '@kassa/contract/sandbox/routes.ts'
import type { Fund } from '@kassa/contract/sandbox/schemas.ts'
import type { NewHotWallet } from '@kassa/contract/wallets/hot-schemas.ts'
import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'
import type { WalletChange } from '@kassa/contract/wallets/schemas.ts'
import { queryOptions } from '@tanstack/react-query'

import { call } from './client.ts'
import { useChange } from './intent.ts'

/** The balance of a wallet changes without an operator's action. */
const WATCH_MS = 15_000

/** The hot wallets; never their keys. */
export const hotWalletsQuery = queryOptions({
  queryKey: ['wallets', 'hot'],
  queryFn: ({ signal }) => call(walletsRoutes.listWallets, { query: { walletType: ['hot_wallet'] } }, { signal }),
})

/** The cold wallets of every blockchain. */
export const coldWalletsQuery = queryOptions({
  queryKey: ['wallets', 'cold'],
  queryFn: ({ signal }) => call(walletsRoutes.listWallets, { query: { walletType: ['cold_wallet'] } }, { signal }),
})

/** What the hot wallets hold, on their blockchains and by the ledger. */
export const hotBalancesQuery = queryOptions({
  queryKey: ['wallets', 'hot', 'balances'],
  queryFn: ({ signal }) => call(walletsRoutes.listBalances, { query: { walletType: 'hot_wallet' } }, { signal }),
  refetchInterval: WATCH_MS,
})

/** Every key of the install, and the worst that a thief of it can do. */
export const custodyQuery = queryOptions({
  queryKey: ['wallets', 'custody'],
  queryFn: ({ signal }) => call(walletsRoutes.listCustody, {}, { signal }),
})

/** Returns the functions that add and change hot and cold wallets. @throws RequestError */
export function useWalletChanges() {
  const once = useChange('wallets', 'vaults', 'alarms')
  const on = (id: number) => ({ params: { id } })
  return {
    addHot: (family: string, body: NewHotWallet) =>
      once(['hot', family, body], (idempotencyKey) =>
        call(hotWalletsRoutes.addHotWallet, { params: { f: family }, body }, { idempotencyKey }),
      ),
    addCold: (blockchain: string, body: NewColdWallet) =>
      once(['cold', blockchain, body], (idempotencyKey) =>
        call(coldWalletsRoutes.addColdWallet, { params: { id: blockchain }, body }, { idempotencyKey }),
      ),
    change: (id: number, body: WalletChange) =>
      once(['change', id, body], (idempotencyKey) =>
        call(walletsRoutes.changeWallet, { ...on(id), body }, { idempotencyKey }),
      ),
    makeDefault: (id: number) =>
      once(['default', id], (idempotencyKey) =>
        call(walletsRoutes.setDefaultWallet, { ...on(id), body: {} }, { idempotencyKey }),
      ),
    setStatus: (id: number, status: 'active' | 'inactive') =>
      once(['status', id, status], (idempotencyKey) =>
        call(walletsRoutes.setWalletStatus, { params: { id, status } }, { idempotencyKey }),
      ),
    remove: (id: number) =>
      once(['remove', id], (idempotencyKey) => call(walletsRoutes.deleteWallet, on(id), { idempotencyKey })),
    fund: (body: Fund) => once(['fund', body], () => call(sandboxRoutes.fundWallet, { body })),
  }
}
