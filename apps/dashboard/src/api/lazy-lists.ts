/** Lists that the first page reads once it stands: what reads them is loaded when they are asked for. */
import { t } from '@lingui/core/macro'
import { queryOptions } from '@tanstack/react-query'

import { loadCode } from '../lib/loading/server-reachable.ts'
import { RequestError } from './request-error.ts'
import { lost } from './client.ts'

/** The webhook endpoints of a project, or of `all`; their secrets are masked. */
export function webhooksQuery(projectId: string) {
  return queryOptions({
    queryKey: ['webhooks', projectId],
    queryFn: async ({ signal }) => (await arrived(() => import('./webhooks.ts'))).readWebhooks(projectId, signal),
  })
}

/** The API keys of a project, or of `all`; never their values. */
export function apiKeysQuery(projectId: string) {
  return queryOptions({
    queryKey: ['api-keys', projectId],
    queryFn: async ({ signal }) => (await arrived(() => import('./api-keys.ts'))).readApiKeys(projectId, signal),
  })
}

/** The deposit wallets of the install with the projects they are linked to; extended public keys are masked. */
export const depositWalletsQuery = queryOptions({
  queryKey: ['wallets', 'deposit'],
  queryFn: async ({ signal }) => (await arrived(() => import('./wallets.ts'))).readDepositWallets(signal),
})

/** The cold wallets, where deposits end. */
export const coldWalletsQuery = queryOptions({
  queryKey: ['wallets', 'cold'],
  queryFn: async ({ signal }) => (await arrived(() => import('./wallets.ts'))).readColdWallets(signal),
})

/** What is found on deposit addresses and rarely changes is not asked for more often. */
const FUNDS_EVERY_MS = 60_000

/** How many rows of funds need a person. */
export function sweepTroubleQuery(projectId: string) {
  return queryOptions({
    queryKey: ['sweeps', projectId, 'trouble'],
    queryFn: async ({ signal }) =>
      (await arrived(() => import('./sweep-trouble.ts'))).readSweepTrouble(projectId, signal),
    refetchInterval: FUNDS_EVERY_MS,
  })
}

/** Code that cannot be reached fails and is retried like a request; missing code comes with a reload. */
async function arrived<Module extends object>(load: () => Promise<Module>): Promise<Module> {
  const code = await loadCode(load)
  if (code === 'unanswered') return lost(code)
  if (code === 'missing') {
    const message = t`A part of this page could not be loaded. Reload the page.`
    throw new RequestError({ code: 'ANSWER_UNREADABLE', message, status: 0 })
  }
  return code
}
