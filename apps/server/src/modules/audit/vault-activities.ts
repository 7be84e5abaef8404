/** The entries about vaults for clients that ask for them alone (api.md V9). */
import {
  VAULT_EVENTS,
  VAULT_FUNCTIONS,
  type VaultActivity,
  type VaultActivityQuery,
  type VaultEventName,
  type VaultFunction,
} from '@kassa/contract/vaults/activities.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'

import { keyFor } from '../../config/keys.ts'
import type { Context } from '../../context.ts'
import { readPage, toPage } from '../../paging/paging.ts'
import { type ListFilter, readFilter } from './read-filter.ts'
import { countEntries, listDefaultKeys, type ListedEntry, listEntries } from './store.ts'
import { describe } from './view.ts'

const EVENTS = Object.keys(VAULT_EVENTS) as VaultEventName[]

/** What puts the key of a hot wallet into a vault. */
const KEY_EVENTS: VaultEventName[] = ['addHotWallet']

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

/** What the key of a wallet may be for, and the wallet that serves for it by default. */
export async function vaultFunctions(ctx: Context): Promise<VaultFunction[]> {
  const keys = await listDefaultKeys(ctx)
  return VAULT_FUNCTIONS.map(([activityType, displayName, description], at) => {
    const { family, purpose } = keyOf(activityType)
    const familyId = findFamily(family)?.id
    const key = keys.find((one) => one.familyId === familyId && one.purpose === purpose)
    return { id: at + 1, activityType, displayName, description, walletID: key?.walletId ?? null }
  })
}

/** The filter of the entries; null when none can match. @throws VALIDATION_FAILED */
function filterOf({ vaultID, walletID, activityType, ...span }: VaultActivityQuery): ListFilter | null {
  const events = EVENTS.filter((name) => activityType === undefined || VAULT_EVENTS[name].activityType === activityType)
  const purpose = VAULT_FUNCTIONS.find(([name]) => name === activityType)?.[0]
  const names = purpose === undefined ? events : KEY_EVENTS
  if (names.length === 0) return null
  // Entries about vaults and the keys of hot wallets belong to no project.
  const filter = readFilter({ ...span, eventName: names }, 'every')
  return {
    ...filter,
    ...(vaultID !== undefined && { vaultId: vaultID }),
    ...(walletID !== undefined && { walletId: walletID }),
    ...(purpose !== undefined && { keyOf: keyOf(purpose) }),
  }
}

/** The family and the purpose in the name of what a key may be for. */
function keyOf(name: VaultFunction['activityType']): { readonly family: string; readonly purpose: string } {
  return {
    family: name.startsWith('eth') ? 'ETH_Family' : 'TRX_Family',
    purpose: name.endsWith('_gas_wallet') ? 'gas' : 'payout',
  }
}

function activityView(row: ListedEntry): VaultActivity {
  const { operator_id: operatorId, operator_name: name, operator_email: email } = row
  return {
    id: Number(row.id),
    createdAt: row.at,
    ...VAULT_EVENTS[row.event as VaultEventName],
    description: describe(row),
    walletID: numberIn(changesOf(row).walletID),
    vaultID: vaultOf(row),
    actor: operatorId === null ? null : { id: operatorId, name: name ?? '', email: email ?? '' },
    result: row.status === 'SUCCESS' ? 'ok' : 'refused',
    digest: row.hash,
  }
}

/** The vault is in the path of a call; for a call that created one or sealed a key in it, in what it changed. */
function vaultOf(row: ListedEntry): number | null {
  const named = /^\/secrets-vault\/id\/(\d{1,9})(?:\/|$)/.exec(row.path)?.[1]
  if (named !== undefined) return Number(named)
  const { id, vaultID } = changesOf(row)
  return numberIn(row.event === 'addHotWallet' ? vaultID : id)
}

/** What an entry made, by its fields; nothing where it was refused. */
function changesOf({ changes }: ListedEntry): Readonly<Record<string, unknown>> {
  const { after } = (changes === null ? {} : JSON.parse(changes)) as { after?: Record<string, unknown> | null }
  return after ?? {}
}

function numberIn(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
