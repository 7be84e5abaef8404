import { type RecipientState, recipientMachine } from '@kassa/contract/recipients/machine.ts'
import type { RECIPIENT_SORTS } from '@kassa/contract/recipients/schemas.ts'
import { sourcesOf } from '@kassa/primitives/machine.ts'
import { type Insertable, type SelectQueryBuilder, sql } from 'kysely'

import type { Context } from '../../../context.ts'
import { keysetOf } from '../../../db/lists/keyset.ts'
import type { PageRequest } from '../../../paging/paging.ts'
import type { Place, RecipientReads, RecipientRow, RecipientTables, RecipientWithPlaces } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<RecipientTables & RecipientReads>()

export type RecipientSort = (typeof RECIPIENT_SORTS)[number]

export type RecipientFilter = {
  /** Recipients that can be paid in one of these. */
  readonly projectIds: readonly number[] | 'every'
  readonly ids?: readonly number[] | undefined
  readonly query?: string | undefined
  readonly status?: readonly RecipientState[] | undefined
  readonly blockchainIds?: readonly number[] | undefined
}

export type NewRecipientRow = Omit<Insertable<RecipientTables['recipients']>, 'id' | 'created_at' | 'updated_at'>

/** Inserts a recipient. */
export async function insertRecipient(ctx: Context, row: NewRecipientRow): Promise<RecipientRow> {
  const now = ctx.now()
  return tables(ctx)
    .insertInto('recipients')
    .values({ ...row, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Lets projects pay a recipient; returns the projects that had no recipient with this address before. */
export async function insertPlaces(
  ctx: Context,
  { id, blockchain_id, address_key }: Pick<RecipientRow, 'id' | 'blockchain_id' | 'address_key'>,
  { projectIds, knownSince }: { projectIds: readonly number[]; knownSince: Date | null },
): Promise<number[]> {
  if (projectIds.length === 0) return []
  const rows = await tables(ctx)
    .insertInto('recipient_projects')
    .values(
      projectIds.map((project_id) => ({
        recipient_id: id,
        project_id,
        blockchain_id,
        address_key,
        known_since: knownSince,
      })),
    )
    .onConflict((conflict) => conflict.columns(['project_id', 'blockchain_id', 'address_key']).doNothing())
    .returning('project_id')
    .execute()
  return rows.map((row) => row.project_id)
}

/** Takes projects from a recipient, all of them without a list. */
export async function deletePlaces(ctx: Context, id: number, projectIds?: readonly number[]): Promise<void> {
  const all = tables(ctx).deleteFrom('recipient_projects').where('recipient_id', '=', id)
  await (projectIds ? all.where('project_id', '=', (row) => row.fn.any(row.val([...projectIds]))) : all).execute()
}

/** Notes since when the projects of a recipient know its address. */
export async function updateKnownSince(ctx: Context, id: number): Promise<void> {
  await tables(ctx)
    .updateTable('recipient_projects')
    .set({ known_since: ctx.now() })
    .where('recipient_id', '=', id)
    .execute()
}

/** Finds the recipient that has an address in one of the projects. */
export async function findByAddress(
  ctx: Context,
  { projectIds, blockchainId, key }: { projectIds: readonly number[]; blockchainId: number; key: Buffer },
): Promise<(RecipientRow & { known_since: Date | null }) | undefined> {
  return tables(ctx)
    .selectFrom('recipient_projects as place')
    .innerJoin('recipients', 'recipients.id', 'place.recipient_id')
    .selectAll('recipients')
    .select('place.known_since')
    .where('place.project_id', '=', (row) => row.fn.any(row.val([...projectIds])))
    .where('place.blockchain_id', '=', blockchainId)
    .where('place.address_key', '=', key)
    .orderBy('place.project_id')
    .limit(1)
    .executeTakeFirst()
}

/** An address in a project, which may have blocked it. */
export type ProjectAddress = { readonly projectId: number; readonly key: Buffer }

/** Returns which of these addresses of a blockchain their projects block. */
export async function listBlocked(
  ctx: Context,
  blockchainId: number,
  asked: readonly ProjectAddress[],
): Promise<ProjectAddress[]> {
  const rows = await tables(ctx)
    .selectFrom('recipient_projects as place')
    .innerJoin('recipients', 'recipients.id', 'place.recipient_id')
    .select(['place.project_id', 'place.address_key'])
    .where('recipients.status', '=', 'blocked')
    .where('place.blockchain_id', '=', blockchainId)
    .where('place.project_id', '=', (row) => row.fn.any(row.val([...new Set(asked.map((one) => one.projectId))])))
    .where('place.address_key', '=', (row) => row.fn.any(row.val(asked.map(({ key }) => key))))
    .execute()
  return rows.map((row) => ({ projectId: row.project_id, key: row.address_key }))
}

/** Finds a recipient that was not deleted, with every project in which it can be paid. */
export async function findRecipient(ctx: Context, id: number): Promise<RecipientWithPlaces | undefined> {
  return shown(tables(ctx).selectFrom('recipients'), 'every')
    .where('recipients.id', '=', id)
    .where('recipients.status', '!=', 'deleted')
    .executeTakeFirst()
}

/** Locks a recipient until the transaction ends, to change it or check its code. */
export async function lockRecipient(ctx: Context, id: number): Promise<void> {
  await tables(ctx).selectFrom('recipients').select('id').where('id', '=', id).forUpdate().execute()
}

/** Moves a recipient by a verb of its machine; undefined when its state does not allow that. */
export async function moveRecipient(
  ctx: Context,
  id: number,
  { to, by }: { to: Exclude<RecipientState, 'pending-otp-verification'>; by?: string },
): Promise<RecipientRow | undefined> {
  const now = ctx.now()
  return tables(ctx)
    .updateTable('recipients')
    .set({ status: to, updated_at: now, ...(to === 'active' && { verified_at: now, verified_by: by ?? null }) })
    .where('id', '=', id)
    .where('status', '=', (row) => row.fn.any(row.val(sourcesOf(recipientMachine, to))))
    .returningAll()
    .executeTakeFirst()
}

export type RecipientFacts = Partial<Pick<RecipientRow, 'name' | 'email' | 'mobile_number' | 'residential_address'>>

/** Changes what is known of a recipient, its address and network excepted. */
export async function updateRecipient(ctx: Context, id: number, facts: RecipientFacts): Promise<void> {
  await tables(ctx)
    .updateTable('recipients')
    .set({ ...facts, updated_at: ctx.now() })
    .where('id', '=', id)
    .execute()
}

const SORT_KEYS: Readonly<Record<RecipientSort, { readonly key: string; readonly type: string }>> = {
  created_at: { key: 'recipients.created_at', type: 'timestamptz' },
  name: { key: 'lower(recipients.name)', type: 'text' },
}

/** Lists a page of recipients, one row more than the page holds, with the key they are sorted by. */
export async function listRecipients(
  ctx: Context,
  filter: RecipientFilter,
  page: PageRequest<RecipientSort>,
): Promise<(RecipientWithPlaces & { sortKey: string })[]> {
  const { key, type } = SORT_KEYS[page.sort]
  const column = sql.raw(key)
  const { beyond, direction } = keysetOf(page, { column, type, id: sql`recipients.id` })
  return shown(matching(ctx, filter), filter.projectIds)
    .select(sql<string>`(${column})::text`.as('sortKey'))
    .where(beyond)
    .orderBy(column, direction)
    .orderBy('recipients.id', direction)
    .limit(page.limit + 1)
    .offset(page.offset)
    .execute()
}

/** Counts the recipients a filter matches. */
export async function countRecipients(ctx: Context, filter: RecipientFilter): Promise<number> {
  const { count } = await matching(ctx, filter)
    .select((row) => row.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

type Tables = RecipientTables & RecipientReads

function matching(ctx: Context, { projectIds, ids, query, status, blockchainIds }: RecipientFilter) {
  let found = tables(ctx).selectFrom('recipients').where('recipients.status', '!=', 'deleted')
  if (projectIds !== 'every') {
    found = found.where('recipients.id', 'in', (row) =>
      row
        .selectFrom('recipient_projects')
        .select('recipient_id')
        .where('project_id', '=', row.fn.any(row.val([...projectIds]))),
    )
  }
  if (ids) found = found.where('recipients.id', '=', (row) => row.fn.any(row.val([...ids])))
  if (status) found = found.where('recipients.status', '=', (row) => row.fn.any(row.val([...status])))
  if (blockchainIds) found = found.where('blockchain_id', '=', (row) => row.fn.any(row.val([...blockchainIds])))
  if (!query) return found
  const part = `%${query.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  return found.where((row) =>
    row.or([
      row(sql`lower(recipients.name)`, 'like', part),
      row(sql`lower(recipients.email)`, 'like', part),
      row('recipients.address', 'ilike', part),
    ]),
  )
}

/** Adds the network's code and the visible projects. */
function shown(query: SelectQueryBuilder<Tables, 'recipients', object>, projectIds: readonly number[] | 'every') {
  const ids = projectIds === 'every' ? null : [...projectIds]
  return query
    .innerJoin('blockchains', 'blockchains.id', 'recipients.blockchain_id')
    .selectAll('recipients')
    .select([
      'blockchains.code',
      sql<Place[]>`coalesce((
        SELECT jsonb_agg(jsonb_build_object('projectId', place.project_id, 'knownSince', place.known_since,
          'delayHours', coalesce(policy.recipient_delay_hours, 0),
          'payouts', (SELECT count(*) FROM withdrawals AS payout WHERE payout.project_id = place.project_id
            AND payout.blockchain_id = recipients.blockchain_id AND payout.to_address = recipients.address
            AND payout.status = 'processed')) ORDER BY place.project_id)
        FROM recipient_projects AS place LEFT JOIN payout_policies AS policy USING (project_id)
        WHERE place.recipient_id = recipients.id AND (${ids}::int[] IS NULL OR place.project_id = ANY(${ids}::int[]))
      ), '[]')`.as('places'),
    ])
}
