import { type RawBuilder, sql } from 'kysely'

import type { Context } from '../../context.ts'
import { recordset } from '../../db/recordset.ts'
import type { ListFilter } from './read-filter.ts'
import type { AuditEntryRow, NewAuditEntry } from './proof/tables.ts'

/** Totals are exact up to here, and beyond it as the planner guesses (api.md 1.5). */
const EXACT_COUNT = 10_000

/** The role that every API key has (api.md 3.2). */
const KEY_ROLE = 'platform_admin'

/**
 * The statement that writes entries. It returns nothing, so that it can be combined with another one. It reads the caller's role:
 * one for the whole install, or that in the project; a member of several projects has each once.
 */
export function insertEntries(entries: readonly NewAuditEntry[]): RawBuilder<unknown> {
  const rows = entries.map((entry) => ({ ...entry, role: entry.key_id === null ? null : KEY_ROLE }))
  return sql`
    INSERT INTO audit_entries (at, category, event, action, method, path, status, status_code, error_code, count,
      operator_id, operator_email, role, key_id, session_id, project_id, ip, user_agent, referer, request_id, changes)
    SELECT at, category, event, action, method, path, status, status_code, error_code, count,
      operator_id, operator_email, coalesce(entry.role, (
        SELECT string_agg(DISTINCT role.name, ' ') FROM operator_roles AS held JOIN roles AS role ON role.id = held.role_id
        WHERE held.operator_id = entry.operator_id
          AND (held.project_id IS NULL OR entry.project_id IS NULL OR held.project_id = entry.project_id))),
      key_id, session_id, project_id, ip, user_agent, referer, request_id, changes
    FROM ${recordset('audit_entries', rows)} AS entry`
}

/** Writes an entry. */
export async function insertEntry(ctx: Context, entry: NewAuditEntry): Promise<void> {
  await insertEntries([entry]).execute(ctx.db)
}

export type ListedEntry = AuditEntryRow & {
  readonly hash: string | null
  readonly prev_hash: string | null
  readonly operator_name: string | null
  readonly key_name: string | null
  readonly project_name: string | null
  readonly project_logo: string | null
  readonly sortKey: string
}

export type Slice = {
  readonly limit: number
  readonly offset: number
  readonly isAscending: boolean
  /** Entries after this one in the order of the list, or before it. */
  readonly from: { readonly id: string; readonly isBackwards: boolean } | null
}

/** Lists entries with the names that they show, in reading order; one more than the slice holds. */
export async function listEntries(ctx: Context, filter: ListFilter, slice: Slice): Promise<ListedEntry[]> {
  const isUpwards = slice.isAscending !== (slice.from?.isBackwards ?? false)
  const direction = isUpwards ? sql`ASC` : sql`DESC`
  const conditions = [...conditionsOf(filter, await idBounds(ctx, filter))]
  const after = literal(BigInt(slice.from?.id ?? 0))
  if (slice.from) conditions.push(isUpwards ? sql`id > ${after}` : sql`id < ${after}`)
  const { rows } = await sql<ListedEntry>`
    ${selectListed(sql`
      SELECT * FROM audit_entries WHERE ${allOf(conditions)}
      ORDER BY id ${direction} LIMIT ${literal(slice.limit + 1)} OFFSET ${literal(slice.offset)}`)}
    ORDER BY entry.id ${direction}`.execute(ctx.db)
  return rows
}

/** Finds one entry within the projects. */
export async function findEntry(
  ctx: Context,
  id: number,
  projectIds: ListFilter['projectIds'],
): Promise<ListedEntry | undefined> {
  const { rows } = await sql<ListedEntry>`
    ${selectListed(sql`SELECT * FROM audit_entries WHERE id = ${id} AND ${within(projectIds)}`)}`.execute(ctx.db)
  return rows[0]
}

function selectListed(entries: RawBuilder<unknown>): RawBuilder<ListedEntry> {
  return sql<ListedEntry>`
    SELECT entry.*, entry.id::text AS "sortKey", encode(seal.hash, 'hex') AS hash,
      CASE WHEN seal.hash IS NOT NULL THEN coalesce(encode(before.hash, 'hex'), repeat('0', 64)) END AS prev_hash,
      operator.name AS operator_name, key.name AS key_name, project.name AS project_name, project.logo_path AS project_logo
    FROM (${entries}) AS entry
    LEFT JOIN audit_seals AS seal ON seal.entry_id = entry.id
    LEFT JOIN LATERAL (
      SELECT hash FROM audit_seals WHERE entry_id < entry.id ORDER BY entry_id DESC LIMIT 1) AS before ON true
    LEFT JOIN operators AS operator ON operator.id = entry.operator_id
    LEFT JOIN api_keys AS key ON key.id = entry.key_id
    LEFT JOIN projects AS project ON project.id = entry.project_id`
}

/** Counts the entries of a filter. */
export async function countEntries(
  ctx: Context,
  filter: ListFilter,
): Promise<{ readonly count: number; readonly isEstimate: boolean }> {
  const matching = sql`audit_entries WHERE ${allOf(conditionsOf(filter, await idBounds(ctx, filter)))}`
  const { rows } = await sql<{ count: bigint }>`
    SELECT count(*) AS count FROM (SELECT FROM ${matching} LIMIT ${literal(EXACT_COUNT + 1)}) AS found`.execute(ctx.db)
  const count = Number(rows[0]?.count ?? 0n)
  if (count <= EXACT_COUNT) return { count, isEstimate: false }
  const plans = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
    EXPLAIN (FORMAT json) SELECT id FROM ${matching}`.execute(ctx.db)
  return { count: Math.max(plans.rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0, count), isEstimate: true }
}

/** Counts the sealed entries of a filter up to an entry, exactly. */
export async function countSealed(ctx: Context, filter: ListFilter, through: bigint): Promise<number> {
  const conditions = conditionsOf(filter, await idBounds(ctx, filter))
  const { rows } = await sql<{ count: bigint }>`
    SELECT count(*) AS count FROM audit_entries WHERE ${allOf([...conditions, sql`id <= ${literal(through)}`])}`.execute(
    ctx.db,
  )
  return Number(rows[0]?.count ?? 0n)
}

type IdBounds = { readonly low: bigint | null; readonly high: bigint | null }

/** How far ids and times may be out of order: as long as a transaction lasts, or clocks differ. */
const SKEW = '10 minutes'

/** The range of ids that holds the entries of a time, so that their order can be read from the index of ids. */
async function idBounds(ctx: Context, { from, to }: ListFilter): Promise<IdBounds> {
  if (!from && !to) return { low: null, high: null }
  const { rows } = await sql<IdBounds>`
    SELECT
      (SELECT id FROM audit_entries WHERE at >= ${from ?? null}::timestamptz - interval '${sql.raw(SKEW)}'
       ORDER BY at LIMIT 1) AS low,
      (SELECT id FROM audit_entries WHERE at <= ${to ?? null}::timestamptz + interval '${sql.raw(SKEW)}'
       ORDER BY at DESC LIMIT 1) AS high`.execute(ctx.db)
  const { low = null, high = null } = rows[0] ?? {}
  // No entry is that new, or that old.
  return { low: from && low === null ? 2n ** 62n : low, high: to && high === null ? 0n : high }
}

/** Entries of one moment may be numbered in another order than they were written. */
const NEAR = 10_000n

function conditionsOf(filter: ListFilter, { low, high }: IdBounds): RawBuilder<unknown>[] {
  return [
    within(filter.projectIds),
    ...(low === null ? [] : [sql`id >= ${literal(low - NEAR)}`]),
    ...(high === null ? [] : [sql`id <= ${literal(high + NEAR)}`]),
    ...(filter.from ? [sql`at >= ${literal(filter.from.toISOString())}`] : []),
    ...(filter.to ? [sql`at <= ${literal(filter.to.toISOString())}`] : []),
    ...anyOf('operator_id', filter.operatorIds),
    ...anyOf('key_id', filter.keyIds),
    ...anyOf('project_id', filter.inProjects),
    ...anyOf('role', filter.roles),
    ...anyOf('category', filter.categories),
    ...anyOf('event', filter.events),
    ...anyOf('action', filter.actions),
    ...anyOf('status', filter.statuses),
    ...(filter.excluded ?? []).map(
      ({ action, status }) => sql`NOT (action = ${literal(action)} AND status = ${literal(status)})`,
    ),
    ...termOf(filter.term),
    ...(filter.vaultId === undefined ? [] : [aboutVault(filter.vaultId)]),
    ...(filter.walletId === undefined ? [] : [made('{after,walletID}', filter.walletId)]),
    ...(filter.keyOf ? [sealedFor(filter.keyOf)] : []),
  ]
}

function aboutVault(id: number): RawBuilder<unknown> {
  const own = `/secrets-vault/id/${id}`
  return sql`(path = ${literal(own)} OR path LIKE ${literal(`${own}/%`)} OR CASE
    WHEN event = 'createVault' THEN changes::jsonb #>> '{after,id}' = ${literal(String(id))}
    WHEN event = 'addHotWallet' THEN changes::jsonb #>> '{after,vaultID}' = ${literal(String(id))} ELSE false END)`
}

/** Entries about hot wallets only: what others change has other fields. */
function made(place: string, id: number): RawBuilder<unknown> {
  return sql`CASE WHEN event = 'addHotWallet' THEN changes::jsonb #>> ${literal(place)} = ${literal(String(id))} ELSE false END`
}

function sealedFor({ family, purpose }: { readonly family: string; readonly purpose: string }): RawBuilder<unknown> {
  const facts = JSON.stringify({ after: { family, purposes: [purpose] } })
  return sql`CASE WHEN event = 'addHotWallet' THEN changes::jsonb @> ${literal(facts)}::jsonb ELSE false END`
}

/** Columns of `wallets`: read here, never written. */
type Neighbours = { wallet_defaults: { family_id: number; role: string; wallet_id: number } }

/** The hot wallets that serve by default, by family and purpose. */
export async function listDefaultKeys(
  ctx: Context,
): Promise<{ readonly familyId: number; readonly purpose: string; readonly walletId: number }[]> {
  return ctx.db
    .$extendTables<Neighbours>()
    .selectFrom('wallet_defaults')
    .select(['family_id as familyId', 'role as purpose', 'wallet_id as walletId'])
    .where('role', 'in', ['gas', 'payout'])
    .execute()
}

function termOf(term: ListFilter['term']): RawBuilder<unknown>[] {
  switch (term?.kind) {
    case undefined:
      return []
    case 'id':
      return [sql`id = ${literal(term.id)}`]
    case 'address':
      return [sql`ip = ${literal(term.ip)}`]
    case 'path':
      return [sql`path = ${literal(term.path)} AND key_id IS NULL`]
    case 'email': {
      const after =
        term.prefix.slice(0, -1) + String.fromCodePoint((term.prefix.codePointAt(term.prefix.length - 1) ?? 0) + 1)
      return [sql`operator_email ~>=~ ${literal(term.prefix)} AND operator_email ~<~ ${literal(after)}`]
    }
  }
}

/**
 * Values are part of the statement's text, so that it is planned for them: how many entries have one value says little about
 * another (0009). A text with unusual characters stays a parameter; only a rare e-mail address has them.
 */
function literal(value: string | number | bigint): RawBuilder<unknown> {
  if (typeof value !== 'string') return sql.raw(String(value))
  return /^[\w.@+:/%~ -]*$/.test(value) ? sql.lit(value) : sql`${value}`
}

/** A single value is compared directly, so that an index can return its entries in order. */
function anyOf(column: string, values: readonly (string | number)[] | undefined): RawBuilder<unknown>[] {
  if (!values) return []
  const [first, ...others] = values.map(literal)
  if (!first || others.length === 0) return [first ? sql`${sql.ref(column)} = ${first}` : sql`false`]
  return [sql`${sql.ref(column)} IN (${sql.join([first, ...others])})`]
}

function within(projectIds: ListFilter['projectIds']): RawBuilder<unknown> {
  return projectIds === 'every'
    ? sql`true`
    : sql`project_id IN (NULL${sql.join(
        projectIds.map((id) => sql`, ${literal(id)}`),
        sql``,
      )})`
}

function allOf(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join([...conditions], sql` AND `)
}
