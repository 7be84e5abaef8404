/** Promoters as operators and shops read them: who they are, whom they brought, what they earned and what became of it. */
import { fail } from '@kassa/contract/kit/api-error.ts'
import { PROMOTER_SORTS, type PromoterFilters } from '@kassa/contract/referral/inputs.ts'
import type { PromoterDetail, PromoterRow, Referrer, ReferrerSummary } from '@kassa/contract/referral/schemas.ts'
import type { FoundPromoter } from '@kassa/contract/search/schemas.ts'
import type * as z from 'zod/mini'

import { keyFor } from '../../../config/keys.ts'
import { type Context, inTransaction, type ProjectScope } from '../../../context.ts'
import { readPage, toPage } from '../../../paging/paging.ts'
import { readSpan, type SpanInput } from '../../../paging/span.ts'
import { getProject } from '../../projects/service.ts'
import { listAttachedCampaigns, replaceAttached } from '../campaigns/store.ts'
import { announceChanged } from '../events/service.ts'
import { getReferrer, lockReferrers, type ReferrerRow } from '../referrers/service.ts'
import { listReferrers } from '../referrers/store.ts'
import { type Balance, balancesOfReferrer, balanceView, type PageOf } from '../rewards/lists.ts'
import { amountText } from '../rewards/view.ts'
import { countFoundPromoters, countReferees, listFoundPromoters, searchOf } from './store.ts'

/** A person as the contract shows them, with who brought them and the campaigns they are attached to. */
export async function showReferrer(ctx: Context, row: ReferrerRow): Promise<Referrer> {
  const { name: project } = await getProject(ctx, row.project_id)
  const [promoter] = row.referred_by === null ? [] : await listReferrers(ctx, [row.referred_by])
  const [above] = promoter?.referred_by ? await listReferrers(ctx, [promoter.referred_by]) : []
  const attached = await listAttachedCampaigns(ctx, [row.id])
  return {
    ...profile(row, project, promoter?.reference_id ?? null),
    referredByMember: promoter ? profile(promoter, project, above?.reference_id ?? null) : null,
    campaigns: attached.map(({ id, name, status, is_default }) => ({ id, name, status, isDefault: is_default })),
  }
}

function profile(row: ReferrerRow, project: string, referredBy: string | null) {
  return {
    id: row.id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    project,
    referenceId: row.reference_id,
    email: row.email,
    code: row.code,
    status: row.status,
    referredByMemberID: row.referred_by,
    referredByMemberReferenceID: referredBy,
  }
}

/** A person with what they earned, for a shop to show its customer. */
export async function summarizeReferrer(ctx: Context, row: ReferrerRow): Promise<z.output<typeof ReferrerSummary>> {
  const { available, totalRewards } = figuresOf(await balancesOfReferrer(ctx, row.id))
  return { ...(await showReferrer(ctx, row)), refereeCount: row.referee_count, totalRewards, available }
}

/** One promoter: what they earned, and what became of it. @throws REFERRER_NOT_FOUND */
export async function readPromoter(ctx: Context, scope: ProjectScope, id: number): Promise<PromoterDetail> {
  const row = await getReferrer(ctx, scope, id)
  const balances = await balancesOfReferrer(ctx, id)
  return {
    ...(await showReferrer(ctx, row)),
    refereeCount: row.referee_count,
    ...figuresOf(balances),
    balances: balances.map(balanceView),
  }
}

/** Sums over currencies, each of which counts 1 : 1 with the US dollar. */
function figuresOf(balances: readonly Balance[]) {
  const sum = (of: 'earned' | 'available' | 'held' | 'paid' | 'owed') =>
    amountText(balances.reduce((total, balance) => total + balance[of], 0n))
  const [available, held, paid, owed] = [sum('available'), sum('held'), sum('paid'), sum('owed')]
  return { totalRewards: sum('earned'), available, held, paid, owed }
}

/** A page of people, newest first. @throws CURSOR_INVALID, PAGE_TOO_DEEP, SORT_FIELD_UNKNOWN */
export async function listPromoters(
  ctx: Context,
  { projectIds }: ProjectScope,
  { query, code, status, isReferred, isPromoter, campaignIDs, ...input }: PromoterFilters,
): Promise<PageOf<PromoterRow>> {
  const filter = { projectIds, query, code, status, isReferred, isPromoter, campaignIds: campaignIDs }
  const rules = { list: 'promoters', filter, sorts: PROMOTER_SORTS, signingKey: keyFor(ctx, 'cursor') } as const
  const page = readPage(input, rules)
  const search = await searchOf(ctx, filter)
  const { rows, nextCursor } = toPage(await listFoundPromoters(ctx, search, page), page, rules)
  const data = rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    project: row.project_name,
    externalPlatformID: row.project_id,
    email: row.email,
    referenceID: row.reference_id,
    code: row.code,
    refereeCount: row.referee_count,
    totalRewards: amountText(row.earned),
    isReferred: row.referred_by !== null,
    status: row.status,
  }))
  const total = await countFoundPromoters(ctx, search)
  return { data, total, limit: page.limit, offset: page.offset, nextCursor }
}

/** The newest people whose e-mail or reference begins with a text, or of that code. */
export async function findPromoters(
  ctx: Context,
  { limit, ...filter }: { projectIds: ProjectScope['projectIds']; query: string; limit: number },
): Promise<FoundPromoter[]> {
  const search = await searchOf(ctx, filter)
  if (search.candidates?.length === 0) return []
  const page = { sort: 'created_at', isAscending: false, from: null, limit, offset: 0 } as const
  const rows = await listFoundPromoters(ctx, search, page)
  return rows
    .slice(0, limit)
    .map(({ id, project_id: externalPlatformID, email, reference_id: referenceID, ...row }) => ({
      id,
      externalPlatformID,
      email,
      referenceID,
      code: row.code,
      status: row.status,
    }))
}

/** How many customers a promoter brought. @throws REFERRER_NOT_FOUND, FILTER_INVALID */
export async function totalReferees(ctx: Context, scope: ProjectScope, id: number, span: SpanInput): Promise<number> {
  await getReferrer(ctx, scope, id)
  return countReferees(ctx, id, readSpan(span))
}

/** Attaches a promoter to these campaigns, and to no others. @throws REFERRER_NOT_FOUND, CAMPAIGN_NOT_FOUND */
export async function attachCampaigns(
  ctx: Context,
  scope: ProjectScope,
  id: number,
  campaignIds: readonly number[],
): Promise<ReferrerRow> {
  return inTransaction(ctx, async (tx) => {
    const row = await getReferrer(tx, scope, id)
    // Two calls at once take turns: the campaigns of the later one stay, not those of both.
    await lockReferrers(tx, [id])
    const before = (await listAttachedCampaigns(tx, [id])).map((one) => one.id)
    const wanted = [...new Set(campaignIds)]
    if ((await replaceAttached(tx, row, wanted)) < wanted.length) return fail('CAMPAIGN_NOT_FOUND')
    tx.change({ id, campaigns: before }, { id, campaigns: wanted }, { projectId: row.project_id })
    await announceChanged(tx, { projectId: row.project_id, referrer_id: id })
    return row
  })
}
