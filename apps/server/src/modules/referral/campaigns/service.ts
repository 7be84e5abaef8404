/**
 * Campaigns: what is given for which events, to whom, how often and until when. A campaign counts only what happens while it is
 * active; its row sums its rewards and never lets them exceed its budget.
 */
import { type CampaignFields, type CampaignTerms, readCampaign } from '@kassa/contract/referral/campaign-rules.ts'
import type { CampaignBody, CampaignFilters } from '@kassa/contract/referral/inputs.ts'
import { CAMPAIGN_SORTS } from '@kassa/contract/referral/inputs.ts'
import { campaignMachine, type CampaignStatus } from '@kassa/contract/referral/machine.ts'
import type { Campaign } from '@kassa/contract/referral/schemas.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { readMoment } from '@kassa/contract/kit/moments.ts'

import { keyFor } from '../../../config/keys.ts'
import { type Context, inTransaction, type ProjectScope } from '../../../context.ts'
import { readPage, toPage } from '../../../paging/paging.ts'
import { listAssets } from '../../blockchains/chains/service.ts'
import { eventsOfProject, eventView } from '../events/service.ts'
import { listEventsOfCampaigns } from '../events/store.ts'
import { currencyOf, findRewardCurrency, REWARD_CURRENCIES } from '../rewards/currencies.ts'
import { amountText } from '../rewards/view.ts'
import { fieldsOf, fixedChanges, isEnded, isStarted } from './rules.ts'
import {
  countFoundCampaigns,
  findFoundCampaigns,
  type FoundCampaign,
  insertCampaign,
  type KeyedCampaign,
  listFoundCampaigns,
  listToArchive,
  lockCampaignRows,
  moveCampaign,
  refuseWaiting,
  replaceEvents,
  updateCampaign,
} from './store.ts'
import { budgetLeft, campaignView } from './view.ts'

/** A page of campaigns, newest first. @throws FILTER_INVALID, CURSOR_INVALID, PAGE_TOO_DEEP, SORT_FIELD_UNKNOWN */
export async function listCampaigns(
  ctx: Context,
  { projectIds }: ProjectScope,
  input: CampaignFilters,
): Promise<{ campaigns: Campaign[]; total: number; nextCursor: string | null }> {
  const day = (field: 'startDateMin' | 'startDateMax' | 'endDateMin' | 'endDateMax') => readDay(input, field)
  const filter = {
    projectIds,
    name: input.name,
    // A currency that does not exist matches no campaign.
    unitId: input.currencyCode ? (findRewardCurrency(input.currencyCode.toUpperCase())?.unitId ?? 0) : undefined,
    status: input.status,
    isDefault: input.isDefault,
    startMin: day('startDateMin'),
    startMax: day('startDateMax'),
    endMin: day('endDateMin'),
    endMax: day('endDateMax'),
  }
  const rules = { list: 'campaigns', filter, sorts: CAMPAIGN_SORTS, signingKey: keyFor(ctx, 'cursor') } as const
  const page = readPage(input, rules)
  const { rows, nextCursor } = toPage(await listFoundCampaigns(ctx, filter, page), page, rules)
  return { campaigns: await campaignViews(ctx, rows), total: await countFoundCampaigns(ctx, filter), nextCursor }
}

function readDay(
  input: CampaignFilters,
  field: 'startDateMin' | 'startDateMax' | 'endDateMin' | 'endDateMax',
): Date | undefined {
  const text = input[field]
  if (!text) return undefined
  const options = { isEnd: field.endsWith('Max'), ...(input.timezone !== undefined && { timezone: input.timezone }) }
  return readMoment(text, options) ?? fail('FILTER_INVALID', { values: { filter: field } })
}

async function campaignViews(ctx: Context, rows: readonly FoundCampaign[]): Promise<Campaign[]> {
  const events = Map.groupBy(
    await listEventsOfCampaigns(
      ctx,
      rows.map(({ id }) => id),
    ),
    ({ campaign_id }) => campaign_id,
  )
  return rows.map((row) => campaignView(row, (events.get(row.id) ?? []).map(eventView), ctx.now()))
}

/** Returns one campaign. @throws CAMPAIGN_NOT_FOUND */
export async function readCampaignOf(ctx: Context, { projectIds }: ProjectScope, id: number): Promise<Campaign> {
  const [campaign] = await campaignViews(ctx, await findFoundCampaigns(ctx, { projectIds, id }))
  return campaign ?? fail('CAMPAIGN_NOT_FOUND')
}

/** Returns what a campaign has given, to promoters and to invitees. @throws CAMPAIGN_NOT_FOUND */
export async function totalsOfCampaign(ctx: Context, { projectIds }: ProjectScope, id: number) {
  const [row] = await findFoundCampaigns(ctx, { projectIds, id })
  if (!row) return fail('CAMPAIGN_NOT_FOUND')
  const [given, toReferees] = [BigInt(row.given), BigInt(row.given_to_referees)]
  return {
    campaignID: id,
    currencyCode: currencyOf(row.unit_id),
    total: amountText(given),
    referrerTotal: amountText(given - toReferees),
    refereeTotal: amountText(toReferees),
    rewardCount: row.reward_count,
    budgetLeft: budgetLeft(row),
  }
}

/** Lists the active campaigns that a promoter takes part in now. */
export async function activeCampaignsOf(
  ctx: Context,
  { id, project_id }: { readonly id: number; readonly project_id: number },
): Promise<Campaign[]> {
  const rows = await findFoundCampaigns(ctx, { projectIds: [project_id], status: ['active'], referrerId: id })
  const now = ctx.now()
  return campaignViews(
    ctx,
    rows.filter((row) => isStarted(row, now) && !isEnded(row, now)),
  )
}

/** Starts a campaign. @throws CAMPAIGN_RULES */
export async function createCampaign(ctx: Context, projectId: number, body: CampaignBody): Promise<Campaign> {
  return inTransaction(ctx, async (tx) => {
    const terms = await readTerms(tx, projectId, body)
    const row = await insertCampaign(tx, projectId, { terms, unitId: unitOf(terms) })
    await replaceEvents(tx, row, terms.eventKeys)
    tx.change(null, { id: row.id, ...body })
    return changed(tx, row)
  })
}

/**
 * Changes a campaign: absent fields stay, null and empty text clear. Once it has begun, only its name, budget, description and
 * end date can change; a larger budget resumes a campaign that its budget has paused.
 * @throws CAMPAIGN_NOT_FOUND, CAMPAIGN_ENDED, CAMPAIGN_RUNNING, CAMPAIGN_BUDGET_TOO_LOW, CAMPAIGN_RULES
 */
export async function changeCampaign(
  ctx: Context,
  scope: ProjectScope,
  id: number,
  body: CampaignBody,
): Promise<Campaign> {
  return inTransaction(ctx, async (tx) => {
    const row = await lockInScope(tx, scope, id)
    if (row.status === 'archived' || isEnded(row, tx.now())) return fail('CAMPAIGN_ENDED')
    const now = { currencyCode: currencyOf(row.unit_id), eventKeys: row.event_keys }
    const before = fieldsOf(row, now)
    const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
    const merged = { ...before, ...given, timezone: body.timezone }
    const terms = await readTerms(tx, row.project_id, merged, now.currencyCode)
    if (isStarted(row, tx.now())) await refuseFixed(tx, row, { before, terms })
    if (terms.budget !== null && terms.budget < BigInt(row.given)) return fail('CAMPAIGN_BUDGET_TOO_LOW')
    await updateCampaign(tx, id, { terms, unitId: unitOf(terms) })
    await replaceEvents(tx, row, terms.eventKeys)
    await followBudget(tx, row, terms)
    tx.change(before, merged, { projectId: row.project_id })
    return changed(tx, row)
  })
}

async function refuseFixed(
  tx: Context,
  row: KeyedCampaign,
  { before, terms }: { readonly before: CampaignFields; readonly terms: CampaignTerms },
): Promise<void> {
  // Its end may be in the past by now, and its texts were valid when they were stored.
  const stored = await readTerms(tx, row.project_id, { ...before, endDate: null, startDate: null }, before.currencyCode)
  const fields = fixedChanges({ ...stored, startDate: row.starts_at }, terms)
  if (fields.length > 0) {
    const text = 'This cannot change once the campaign has begun'
    fail('CAMPAIGN_RUNNING', { fields: Object.fromEntries(fields.map((field) => [field, text])) })
  }
}

/**
 * Resumes a campaign that its budget had paused, once that is raised; pauses one whose budget is used up. Some of the budget may
 * be left while it is paused: another change wakes nothing.
 */
async function followBudget(tx: Context, row: KeyedCampaign, { budget }: CampaignTerms): Promise<void> {
  const isUsedUp = budget !== null && budget <= BigInt(row.given)
  if (isUsedUp)
    await moveCampaign(tx, row.id, { from: campaignMachine.moves.pause.from, to: 'paused', because: 'budget' })
  const isRaised = row.budget !== null && (budget === null || budget > BigInt(row.budget))
  if (!isUsedUp && isRaised && row.paused_because === 'budget') await resume(tx, row.id)
}

async function resume(tx: Context, id: number): Promise<void> {
  await moveCampaign(tx, id, { from: campaignMachine.moves.resume.from, to: 'active', because: null })
  await refuseWaiting(tx, id, 'BEFORE_RESUMED')
}

/**
 * Pauses, resumes or archives a campaign.
 * @throws CAMPAIGN_NOT_FOUND, CAMPAIGN_STATUS_SAME, CAMPAIGN_STATUS_FINAL, CAMPAIGN_ENDED
 */
export async function setCampaignStatus(
  ctx: Context,
  scope: ProjectScope,
  id: number,
  status: CampaignStatus,
): Promise<Campaign> {
  return inTransaction(ctx, async (tx) => {
    const row = await lockInScope(tx, scope, id)
    if (row.status === status) return fail('CAMPAIGN_STATUS_SAME')
    if (row.status === 'archived') return fail('CAMPAIGN_STATUS_FINAL')
    if (status === 'archived') await archive(tx, id)
    else if (isEnded(row, tx.now())) return fail('CAMPAIGN_ENDED')
    else if (status === 'active') await resume(tx, id)
    else await moveCampaign(tx, id, { from: campaignMachine.moves.pause.from, to: status, because: 'operator' })
    tx.change({ id, status: row.status }, { id, status }, { projectId: row.project_id })
    return changed(tx, row)
  })
}

async function archive(tx: Context, id: number): Promise<void> {
  await moveCampaign(tx, id, { from: campaignMachine.moves.archive.from, to: 'archived', because: null })
  await refuseWaiting(tx, id, 'CAMPAIGN_NOT_ACTIVE')
}

/** Campaigns archived in one pass. */
const BATCH = 100

/** Archives the campaigns whose end date has passed; what is owed for them stays owed. */
export async function archiveEnded(ctx: Context): Promise<void> {
  for (const id of await listToArchive(ctx, BATCH)) {
    await inTransaction(ctx, async (tx) => {
      const [row] = await lockCampaignRows(tx, [id])
      if (!row || row.status === 'archived' || !isEnded(row, tx.now())) return
      await archive(tx, id)
      await announce(tx, row)
    })
  }
}

async function lockInScope(tx: Context, { projectIds }: ProjectScope, id: number): Promise<KeyedCampaign> {
  const [row] = await lockCampaignRows(tx, [id])
  const isSeen = row && (projectIds === 'every' || projectIds.includes(row.project_id))
  return isSeen ? row : fail('CAMPAIGN_NOT_FOUND')
}

async function changed(tx: Context, row: { readonly id: number; readonly project_id: number }): Promise<Campaign> {
  await announce(tx, row)
  return readCampaignOf(tx, { projectId: row.project_id, projectIds: [row.project_id] }, row.id)
}

/** Notifies open screens that a campaign changed. */
export async function announce(
  tx: Context,
  { id, project_id: projectId }: { readonly id: number; readonly project_id: number },
): Promise<void> {
  await tx.events.emit(tx, { type: 'campaign.changed', projectId, payload: { project_id: projectId, campaign_id: id } })
}

async function readTerms(
  ctx: Context,
  projectId: number,
  fields: CampaignFields & { readonly timezone?: string | undefined },
  currency?: string | null,
): Promise<CampaignTerms> {
  const events = await eventsOfProject(ctx, projectId)
  const payable = (await rewardCurrencies(ctx)).map(({ code }) => code)
  const read = readCampaign(fields, {
    now: ctx.now(),
    timezone: fields.timezone,
    // A campaign may keep the currency that it already pays in.
    currencies: currency && !payable.includes(currency) ? [...payable, currency] : payable,
    events: new Map(events.map(({ key, event_type }) => [key, event_type])),
  })
  if ('terms' in read) return read.terms
  const [message = ''] = Object.values(read.faults)
  return fail('CAMPAIGN_RULES', { message, fields: read.faults })
}

function unitOf({ currencyCode }: CampaignTerms): number {
  const currency = findRewardCurrency(currencyCode)
  if (!currency) throw new Error(`Nobody is rewarded in ${currencyCode}`)
  return currency.unitId
}

/** The currencies a campaign may pay in: US dollars, and stable currencies that can be withdrawn. */
export async function rewardCurrencies(
  ctx: Context,
): Promise<{ id: number; code: string; name: string; walletPrecision: number; blockchains: string[] }[]> {
  const stable = (await listAssets(ctx)).filter((asset) => asset.isStable && asset.visible && asset.withdrawalEnabled)
  return REWARD_CURRENCIES.flatMap(({ unitId, code, name }) => {
    const payable = code === 'USD' ? stable : stable.filter((asset) => asset.currencyCode === code)
    if (code !== 'USD' && payable.length === 0) return []
    const blockchains = [...new Set(payable.map((asset) => asset.blockchainCode))]
    return [{ id: unitId, code, name, walletPrecision: 6, blockchains }]
  })
}
