/** The entries about vaults for clients that ask for them alone (api.md V9). */
import {
  VAULT_EVENTS,
  VAULT_FUNCTIONS,
  type VaultActivity,
  type VaultActivityQuery,
  type VaultEventName,
  type VaultFunction,
} from '@kassa/contract/vaults/activities.ts'

import { keyFor } from '../../config/keys.ts'
import type { Context } from '../../context.ts'
import { readPage, toPage } from '../../paging/paging.ts'
import { type ListFilter, readFilter } from './read-filter.ts'
import { countEntries, type ListedEntry, listEntries } from './store.ts'
import { describe } from './view.ts'

const EVENTS = Object.keys(VAULT_EVENTS) as VaultEventName[]

/** A page of what was done to vaults, newest first. @throws VALIDATION_FAILED, CURSOR_INVALID */
export async function listVaultActivities(ctx: Context, query: VaultActivityQuery) {
  const filter = filterOf(query)
  if (filter === null) return { rows: [], count: 0, nextCursor: null }
  const rules = { list: 'vault-activities', filter, sorts: ['created_at'] as const, signingKey: keyFor(ctx, 'cursor') }
  const page = readPage(query, rules)
  const { rows, nextCursor } = toPage(await listEntries(ctx, filter, page), page, rules)
  const { count } = await countEntries(ctx, filter)
  return { rows: rows.map(activityView), count, nextCursor }
}

/** What the key of a wallet may be for. */
export function vaultFunctions(): VaultFunction[] {
  return VAULT_FUNCTIONS.map(([activityType, displayName, description], at) => ({
    id: at + 1,
    activityType,
    displayName,
    description,
    walletID: null,
  }))
}

/** The filter of the entries; null when none can match, because no wallet has a key here yet. @throws VALIDATION_FAILED */
function filterOf({ vaultID, walletID, activityType, ...span }: VaultActivityQuery): ListFilter | null {
  const events = EVENTS.filter((name) => activityType === undefined || VAULT_EVENTS[name].activityType === activityType)
  if (walletID !== undefined || events.length === 0) return null
  // Entries about vaults belong to no project.
  const filter = readFilter({ ...span, eventCategory: ['vaults'], eventName: events }, 'every')
  return vaultID === undefined ? filter : { ...filter, vaultId: vaultID }
}

function activityView(row: ListedEntry): VaultActivity {
  const { operator_id: operatorId, operator_name: name, operator_email: email } = row
  return {
    id: Number(row.id),
    createdAt: row.at,
    ...VAULT_EVENTS[row.event as VaultEventName],
    description: describe(row),
    walletID: null,
    vaultID: vaultOf(row),
    actor: operatorId === null ? null : { id: operatorId, name: name ?? '', email: email ?? '' },
    result: row.status === 'SUCCESS' ? 'ok' : 'refused',
    digest: row.hash,
  }
}

/** The vault is in the path of a call; for a call that created one, in what it changed. */
function vaultOf({ path, changes }: ListedEntry): number | null {
  const named = /^\/secrets-vault\/id\/(\d{1,9})(?:\/|$)/.exec(path)?.[1]
  if (named !== undefined) return Number(named)
  const { after } = (changes === null ? {} : JSON.parse(changes)) as { after?: { id?: unknown } | null }
  return typeof after?.id === 'number' ? after.id : null
}
