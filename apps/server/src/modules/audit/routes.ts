import { AUDIT_CATEGORIES } from '@kassa/contract/audit/events.ts'
import type { auditRoutes } from '@kassa/contract/audit/routes.ts'
import type { vaultActivityRoutes } from '@kassa/contract/vaults/activity-routes.ts'

import { type Handlers, reply } from '../../http/handlers.ts'
import { nextLink } from '../../paging/next-link.ts'
import { spanOf } from './read-filter.ts'
import { exportEntries, listEntryPage, readEntry } from './read-entries.ts'
import { verifyEntries } from './seals.ts'
import { listVaultActivities, vaultFunctions } from './vault-activities.ts'

export const auditHandlers: Handlers<typeof auditRoutes> = {
  listAuditEntries: (ctx, { scope, query }) => listEntryPage(ctx, scope.projectIds, query),
  listAuditCategories: async () => [...AUDIT_CATEGORIES],
  getAuditEntry: (ctx, { scope, params }) => readEntry(ctx, scope.projectIds, params.id),
  exportAuditEntries: (ctx, { scope, query }) => exportEntries(ctx, scope.projectIds, query),
  verifyAuditEntries: (ctx, { query }) => verifyEntries(ctx, spanOf(query)),
}

export const vaultActivityHandlers: Handlers<typeof vaultActivityRoutes> = {
  listVaultActivities: async (ctx, { query }) => {
    if (query.view === 'functions') return vaultFunctions(ctx)
    const { rows, count, nextCursor } = await listVaultActivities(ctx, query)
    const link = nextLink('/api/v1/secrets-vault-activities', query, nextCursor)
    return reply(rows, { headers: { 'x-total-count': String(count), ...link } })
  },
}
