import { AUDIT_CATEGORIES } from '@kassa/contract/audit/events.ts'
import type { auditRoutes } from '@kassa/contract/audit/routes.ts'

import type { Handlers } from '../../http/handlers.ts'
import { spanOf } from './read-filter.ts'
import { exportEntries, listEntryPage, readEntry } from './read-entries.ts'
import { verifyEntries } from './seals.ts'

export const auditHandlers: Handlers<typeof auditRoutes> = {
  listAuditEntries: (ctx, { scope, query }) => listEntryPage(ctx, scope.projectIds, query),
  listAuditCategories: async () => [...AUDIT_CATEGORIES],
  getAuditEntry: (ctx, { scope, params }) => readEntry(ctx, scope.projectIds, params.id),
  exportAuditEntries: (ctx, { scope, query }) => exportEntries(ctx, scope.projectIds, query),
  verifyAuditEntries: (ctx, { query }) => verifyEntries(ctx, spanOf(query)),
}
