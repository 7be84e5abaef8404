import { acceptedAssetsRoutes } from '@kassa/contract/blockchains/accepted-assets-routes.ts'
import type { ProjectAsset } from '@kassa/contract/blockchains/schemas.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'

import { call } from './client.ts'
import { useIntent } from './intent.ts'
import { type SavedProject, changeProject } from './project-changes.ts'

/** A currency on a network as one project sees it, and the page on which its obstacle is removed. */
export type PaymentMethod = ProjectAsset & {
  /** As B18 calls it, such as `BASE:USDC`. */
  readonly optionKey: string
  readonly isOffEverywhere: boolean
  readonly fixedAt: 'network' | 'wallet' | null
}

/** Everything a project could accept, by id. */
export function paymentMethodsQuery(projectId: number) {
  return queryOptions({
    queryKey: ['payment-methods', projectId],
    queryFn: async ({ signal }): Promise<PaymentMethod[]> => {
      const params = { p: String(projectId) }
      const [assets, { options }] = await Promise.all([
        call(acceptedAssetsRoutes.listProjectAssets, { params, query: { all: true } }, { signal }),
        call(acceptedAssetsRoutes.listPaymentOptions, { params }, { signal }),
      ])
      const switches = new Map(options.map((option) => [option.optionKey, option]))
      return assets.map((asset) => {
        const optionKey = `${asset.blockchainCode}:${asset.currencyCode}`
        const option = switches.get(optionKey)
        const isOnlyWallet = option?.unmet.every(({ kind }) => kind === 'wallet-deployed') && option.unmet.length > 0
        return {
          ...asset,
          optionKey,
          isOffEverywhere: option?.globallyEnabled === false,
          fixedAt: asset.ready ? null : isOnlyWallet === true ? 'wallet' : 'network',
        }
      })
    },
  })
}

/** Returns the function that lets a project accept one currency, or no longer; the others stay as they are. @throws RequestError */
export function useSwitchMethod(projectId: number): (optionKey: string, enabled: boolean) => Promise<void> {
  const intent = useIntent()
  const refresh = useRefresh(projectId)
  return async (optionKey, enabled) => {
    await intent({ optionKey, enabled }, (idempotencyKey) =>
      call(
        acceptedAssetsRoutes.setPaymentOption,
        { params: { p: String(projectId), optionKey }, body: { enabled } },
        { idempotencyKey },
      ),
    )
    await refresh()
  }
}

/** Returns the function that says what the checkout of a project offers first; null: nothing. Never throws. */
export function useChooseDefault(projectId: number): (method: PaymentMethod | null) => Promise<SavedProject> {
  const refresh = useRefresh(projectId)
  return async (method) => {
    const saved = await changeProject(projectId, {
      defaultPaymentBlockchainID: method?.blockchainID ?? null,
      defaultPaymentBlockchainCurrencyID: method?.id ?? null,
    })
    await refresh()
    return saved
  }
}

/** Whether a project can be paid, and how its list shows it, hangs on what it accepts. */
function useRefresh(projectId: number): () => Promise<void> {
  const queryClient = useQueryClient()
  return async () => {
    void queryClient.invalidateQueries({ queryKey: ['readiness'] })
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: ['projects'] }),
      queryClient.invalidateQueries({ queryKey: paymentMethodsQuery(projectId).queryKey }),
    ])
  }
}
