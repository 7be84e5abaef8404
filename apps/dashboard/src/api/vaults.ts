import type { RouteCall } from '@kassa/contract/kit/route.ts'
import type { VaultActivity } from '@kassa/contract/vaults/activities.ts'
import { vaultActivityRoutes } from '@kassa/contract/vaults/activity-routes.ts'
import { vaultsRoutes } from '@kassa/contract/vaults/routes.ts'
import { queryOptions } from '@tanstack/react-query'

import { call } from './client.ts'
import { useChange } from './intent.ts'

export type NewVaultRequest = NonNullable<RouteCall<typeof vaultsRoutes.createVault>['body']>
export type VaultChangeRequest = NonNullable<RouteCall<typeof vaultsRoutes.changeVault>['body']>

/** While a vault is locked, or its secrets are encrypted anew, how far that is changes without anybody's press. */
const WATCH_MS = 5000

/** The vaults, that of the server first. */
export const vaultsQuery = queryOptions({
  queryKey: ['vaults'],
  queryFn: ({ signal }) => call(vaultsRoutes.listVaults, {}, { signal }),
  refetchInterval: ({ state: { data } }) =>
    data?.some(({ status, rotation }) => status === 'locked' || rotation !== null) ? WATCH_MS : false,
})

/** One vault with its secrets by name. */
export const vaultQuery = (id: number) =>
  queryOptions({
    queryKey: ['vaults', id],
    queryFn: ({ signal }) => call(vaultsRoutes.getVault, { params: { id } }, { signal }),
  })

/** How many of the newest activities the vault page shows; the audit log has them all. */
const ACTIVITIES_SHOWN = 20

/** What was done to vaults, newest first. */
export const vaultActivitiesQuery = queryOptions({
  queryKey: ['vaults', 'activities'],
  queryFn: async ({ signal }) => {
    const rows = await call(vaultActivityRoutes.listVaultActivities, { query: { limit: ACTIVITIES_SHOWN } }, { signal })
    return rows as VaultActivity[]
  },
})

/** Returns the functions that make and change vaults. @throws RequestError */
export function useVaultChanges() {
  const once = useChange('vaults', 'alarms')
  const on = (id: number) => ({ params: { id } })
  return {
    create: (body: NewVaultRequest) =>
      once(['create', body], (idempotencyKey) => call(vaultsRoutes.createVault, { body }, { idempotencyKey })),
    change: (id: number, body: VaultChangeRequest) =>
      once(['change', id, body], (idempotencyKey) =>
        call(vaultsRoutes.changeVault, { ...on(id), body }, { idempotencyKey }),
      ),
    unlock: (id: number, passphrase: string) =>
      once(['unlock', id, passphrase], (idempotencyKey) =>
        call(vaultsRoutes.unlockVault, { ...on(id), body: { passphrase } }, { idempotencyKey }),
      ),
    lock: (id: number) =>
      once(['lock', id], (idempotencyKey) => call(vaultsRoutes.lockVault, on(id), { idempotencyKey })),
    rotate: (id: number) =>
      once(['rotate', id], (idempotencyKey) => call(vaultsRoutes.rotateVault, on(id), { idempotencyKey })),
    remove: (id: number) =>
      once(['remove', id], (idempotencyKey) => call(vaultsRoutes.deleteVault, on(id), { idempotencyKey })),
  }
}
