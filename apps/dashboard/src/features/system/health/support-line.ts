import type { Alarm } from '@kassa/contract/alarms/schemas.ts'
import type { BackupState } from '@kassa/contract/backups/schemas.ts'
import type { Blockchain } from '@kassa/contract/blockchains/schemas.ts'
import type { RouteOutput } from '@kassa/contract/kit/route.ts'
import type { BooksCheck } from '@kassa/contract/ledger/schemas.ts'
import type { systemRoutes } from '@kassa/contract/system/routes.ts'

import { headOf } from '../../../labels/networks/network-state.ts'
import { utcIso } from '../../../lib/time/time.ts'

export type SupportFacts = {
  readonly version: RouteOutput<typeof systemRoutes.version> | undefined
  readonly health: RouteOutput<typeof systemRoutes.health> | undefined
  readonly books: BooksCheck | undefined
  readonly alarms: readonly Alarm[] | undefined
  readonly blockchains: readonly Blockchain[] | undefined
  readonly backups: BackupState | undefined
}

/**
 * Returns what anybody who helps asks first, in one line; it holds no secret, address or name of a customer. It is
 * English whatever the operator reads: those who help must understand it.
 */
export function supportLine({ version, health, books, alarms, blockchains, backups }: SupportFacts): string {
  const active = blockchains?.filter(({ status }) => status === 'active')
  return [
    `Kassa ${version?.version ?? health?.version ?? 'unknown'}${version === undefined ? '' : ` (${version.build})`}`,
    blockchains?.[0]?.networkMode ?? 'network unknown',
    `health ${health?.status ?? 'unknown'}`,
    `database ${health?.db ?? 'unknown'}`,
    booksPart(books),
    alarms === undefined ? 'alarms unknown' : `alarms ${alarms.map(alarmPart).join(', ') || 'none'}`,
    backupPart(backups),
    ...(active ?? []).map(
      (row) => `${row.code} ${row.lagBlocks === null ? 'not read' : `${row.height}/${headOf(row)}`}`,
    ),
    ...Object.entries(health?.workers ?? {}).map(([name, state]) => `${name} ${state}`),
  ].join(' · ')
}

function booksPart(books: BooksCheck | undefined): string {
  if (books === undefined) return 'books unknown'
  return `books ${books.ok ? 'balance' : 'differ'} at ${utcIso(books.checkedAt)}, head ${books.headHash ?? 'none'}`
}

function backupPart(backups: BackupState | undefined): string {
  if (backups === undefined) return 'backup unknown'
  return backups.last === null ? 'backup none' : `backup ${utcIso(backups.last.takenAt)}`
}

function alarmPart({ kind, subject }: Alarm): string {
  return `${kind} ${subject}`
}
