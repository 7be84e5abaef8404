import { CONTRACT } from '@kassa/contract/contract.ts'
import type { AuditEntry, AuditExportRow } from '@kassa/contract/audit/schemas.ts'
import type { Routes } from '@kassa/contract/kit/route.ts'

import { deviceIn } from './changes-text.ts'
import type { ListedEntry } from './store.ts'

/** What each call does, by the name of its route. */
const SUMMARIES: ReadonlyMap<string, string> = new Map(
  Object.values<Routes>(CONTRACT).flatMap((routes) =>
    Object.entries(routes).map(([name, { summary }]) => [name, summary] as const),
  ),
)

/** An entry as the contract shows it; `siteUrl` makes addresses of logos absolute. */
export function entryView(row: ListedEntry, siteUrl: string | null): AuditEntry {
  const { operator_id: memberId, operator_email: email, key_id: keyId, project_id: projectId } = row
  return {
    id: Number(row.id),
    createdAt: row.at,
    updatedAt: row.at,
    member_id: memberId,
    sessionID: row.session_id,
    apiKeyID: keyId,
    projectIDs: projectId === null ? [] : [projectId],
    method: row.method,
    apiPart: row.path,
    apiStatus: row.status,
    statusCode: row.status_code,
    errorCode: row.error_code,
    count: row.count,
    description: describe(row),
    ipAddress: row.ip,
    userAgent: row.user_agent,
    referer: row.referer,
    apiAction: row.action,
    metadata: row.changes ?? '',
    role: row.role ?? '',
    eventCategory: row.category,
    eventName: row.event,
    Member: memberId === null ? null : { id: memberId, name: row.operator_name ?? '', email: email ?? '' },
    apiKey: keyId === null ? null : { id: keyId, name: row.key_name ?? '' },
    device: deviceIn(row.changes),
    externalPlatforms:
      projectId === null
        ? []
        : [
            {
              id: projectId,
              name: row.project_name ?? '',
              logoPath: row.project_logo ? `${siteUrl ?? ''}${row.project_logo}` : '',
            },
          ],
    requestID: row.request_id,
    hash: row.hash,
    prevHash: row.prev_hash,
  }
}

/** What an entry says in English. */
export function describe({ event, error_code: code, count }: ListedEntry): string {
  const what = SUMMARIES.get(event) ?? event
  if (code === null) return what
  return count > 1 ? `${what} (refused ${count} times: ${code})` : `${what} (refused: ${code})`
}

/** A sealed entry as a row of a file, which `remaining` rows follow. */
export function exportView(row: ListedEntry, remaining: number): AuditExportRow {
  return {
    id: Number(row.id),
    createdAt: row.at,
    eventCategory: row.category,
    eventName: row.event,
    apiAction: row.action,
    method: row.method,
    apiPart: row.path,
    apiStatus: row.status,
    statusCode: row.status_code,
    errorCode: row.error_code,
    count: row.count,
    memberID: row.operator_id,
    memberEmail: row.operator_email ?? '',
    role: row.role ?? '',
    apiKeyID: row.key_id,
    sessionID: row.session_id,
    projectID: row.project_id,
    ipAddress: row.ip,
    userAgent: row.user_agent,
    referer: row.referer,
    requestID: row.request_id,
    metadata: row.changes ?? '',
    prevHash: row.prev_hash ?? '',
    hash: row.hash ?? '',
    remaining,
  }
}
