import { devicesRoutes } from '@kassa/contract/devices/routes.ts'
import { settingsRoutes } from '@kassa/contract/settings/routes.ts'
import type { SiteAddressChange } from '@kassa/contract/settings/schemas.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'

import { call } from './client.ts'

const WALLET_CONNECT = 'wallet_connect_id'

/** Returns the function that sets the id payment pages connect to wallets under. @throws RequestError */
export function useSaveWalletConnectId(): (id: string) => Promise<void> {
  const queryClient = useQueryClient()
  return async (value) => {
    await call(settingsRoutes.updateSetting, { params: { key: WALLET_CONNECT }, body: { value } })
    await queryClient.invalidateQueries({ queryKey: ['configuration'] })
  }
}

/** Returns the function that takes it back. @throws RequestError */
export function useForgetWalletConnectId(): () => Promise<void> {
  const queryClient = useQueryClient()
  return async () => {
    await call(settingsRoutes.resetSetting, { params: { key: WALLET_CONNECT } })
    await queryClient.invalidateQueries({ queryKey: ['configuration'] })
  }
}

const ORIGINS = 'security.allowed_origins'

/** Where people and programs reach this server. */
export const siteAddressQuery = queryOptions({
  queryKey: ['configuration', 'site-address'],
  queryFn: ({ signal }) => call(settingsRoutes.getSiteAddress, {}, { signal }),
})

/** What the QR code of this server says. */
export const systemDetailsQuery = queryOptions({
  queryKey: ['configuration', 'system'],
  queryFn: ({ signal }) => call(devicesRoutes.getSystemDetails, {}, { signal }),
})

/** The further origins whose pages may call the API from a browser. */
export const allowedOriginsQuery = queryOptions({
  queryKey: ['configuration', 'allowed-origins'],
  queryFn: async ({ signal }) => {
    const { value } = await call(settingsRoutes.getSetting, { params: { key: ORIGINS } }, { signal })
    return value === '' ? [] : value.split(',')
  },
})

/** Returns the function that says where this server is reached. @throws RequestError */
export function useSaveSiteAddress(): (address: SiteAddressChange) => Promise<void> {
  const queryClient = useQueryClient()
  return async (body) => {
    await call(settingsRoutes.saveSiteAddress, { body })
    await queryClient.invalidateQueries({ queryKey: ['configuration'] })
  }
}

/**
 * Returns the function that replaces the further origins, unless they are others by now than those seen: it then
 * returns those there are and changes nothing. @throws RequestError
 */
export function useSaveAllowedOrigins() {
  const queryClient = useQueryClient()
  return async (origins: readonly string[], seen: readonly string[]): Promise<readonly string[] | undefined> => {
    const now = await queryClient.query({ ...allowedOriginsQuery, staleTime: 0 })
    if (now.join() !== seen.join()) return now
    await call(settingsRoutes.updateSetting, { params: { key: ORIGINS }, body: { value: origins.join(',') } })
    await queryClient.invalidateQueries({ queryKey: ['configuration'] })
    return undefined
  }
}
