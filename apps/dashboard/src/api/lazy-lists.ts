/** Lists that the first page reads once it stands: what reads them is loaded when they are asked for. */
import { queryOptions } from '@tanstack/react-query'

import { lost } from './client.ts'

/** The webhook endpoints of a project, or of `all`; their secrets are masked. */
export function webhooksQuery(projectId: string) {
  return queryOptions({
    queryKey: ['webhooks', projectId],
    queryFn: async ({ signal }) => (await arrived(import('./webhooks.ts'))).readWebhooks(projectId, signal),
  })
}

/** The API keys of a project, or of `all`; never their values. */
export function apiKeysQuery(projectId: string) {
  return queryOptions({
    queryKey: ['api-keys', projectId],
    queryFn: async ({ signal }) => (await arrived(import('./api-keys.ts'))).readApiKeys(projectId, signal),
  })
}

/** The deposit wallets of the install with the projects they are linked to; extended public keys are masked. */
export const depositWalletsQuery = queryOptions({
  queryKey: ['wallets', 'deposit'],
  queryFn: async ({ signal }) => (await arrived(import('./wallets.ts'))).readDepositWallets(signal),
})

/** Code that does not arrive is an answer that does not: it is said so, and asked for again. */
function arrived<Module>(load: Promise<Module>): Promise<Module> {
  return load.catch(lost)
}
