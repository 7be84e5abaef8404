import { auditRoutes } from '@kassa/contract/audit/routes.ts'
import type { AuditVerification } from '@kassa/contract/audit/schemas.ts'
import type { ExportFormat } from '@kassa/contract/kit/exports.ts'
import type { RouteCall } from '@kassa/contract/kit/route.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'

import { call, openFile } from './client.ts'
import { receivedFile } from './received-file.ts'

export type AuditFilter = NonNullable<RouteCall<typeof auditRoutes.listAuditEntries>['query']>

/** A page of the audit log; the page before stays on screen while the next one loads. */
export function auditQuery(filter: AuditFilter) {
  return queryOptions({
    queryKey: ['audit', filter],
    queryFn: ({ signal }) => call(auditRoutes.listAuditEntries, { query: filter }, { signal }),
    placeholderData: keepPreviousData,
  })
}

/** One entry of the audit log, which a link may name. */
export function auditEntryQuery(id: number) {
  return queryOptions({
    queryKey: ['audit', 'entry', id],
    queryFn: ({ signal }) => call(auditRoutes.getAuditEntry, { params: { id } }, { signal }),
  })
}

/** Verifies the chain of hashes over every sealed entry, now. @throws RequestError */
export function verifyAudit(): Promise<AuditVerification> {
  return call(auditRoutes.verifyAuditEntries, { query: {} })
}

export type AuditExport = {
  readonly filter: Omit<AuditFilter, 'limit' | 'cursor'>
  readonly format: ExportFormat
  readonly onBytes: (bytes: number) => void
  readonly signal: AbortSignal
}

/** Fetches the sealed entries that match as a file, with their hashes. @throws RequestError when it did not come to its end */
export async function exportAudit({ filter, format, onBytes, signal }: AuditExport): Promise<Blob> {
  const response = await openFile(auditRoutes.exportAuditEntries, { query: { ...filter, format } }, signal)
  return receivedFile(response, format, onBytes)
}
