/** Events: what customers can do that campaigns count. A shop defines its own; Kassa logs one itself. */
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { NewReferralEvent, ReferralEventChange, ReferralEventFilters } from '@kassa/contract/referral/inputs.ts'
import { KASSA_PAYMENT_EVENT } from '@kassa/contract/referral/machine.ts'
import type { ReferralEvent } from '@kassa/contract/referral/schemas.ts'

import { keyFor } from '../../../config/keys.ts'
import { type Context, inTransaction, type ProjectScope } from '../../../context.ts'
import { readPage, toPage } from '../../../paging/paging.ts'
import {
  countFoundEvents,
  type EventRow,
  findFoundEvent,
  type FoundEvent,
  insertEvent,
  listCampaignsOfEvent,
  listEventsOfProject,
  listFoundEvents,
  updateEvent,
} from './store.ts'

/** An event as the contract shows it. */
export function eventView(row: FoundEvent): ReferralEvent {
  return {
    id: row.id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    project: row.project_name,
    externalPlatformID: row.project_id,
    key: row.key,
    name: row.name,
    eventType: row.event_type,
    description: row.description || null,
    isEditable: row.key !== KASSA_PAYMENT_EVENT,
    campaignCount: row.campaign_count,
  }
}

/** A page of events, newest first. @throws CURSOR_INVALID, PAGE_TOO_DEEP, SORT_FIELD_UNKNOWN */
export async function listEvents(
  ctx: Context,
  { projectIds }: ProjectScope,
  { key, name, eventType, ...input }: ReferralEventFilters,
): Promise<{ events: ReferralEvent[]; total: number; nextCursor: string | null }> {
  const filter = { projectIds, key, name, eventType }
  const rules = { list: 'referral events', filter, sorts: ['created_at'], signingKey: keyFor(ctx, 'cursor') } as const
  const page = readPage(input, rules)
  const { rows, nextCursor } = toPage(await listFoundEvents(ctx, filter, page), page, rules)
  return { events: rows.map(eventView), total: await countFoundEvents(ctx, filter), nextCursor }
}

/** One event, and the campaigns that count it. @throws REFERRAL_EVENT_NOT_FOUND */
export async function readEvent(
  ctx: Context,
  scope: ProjectScope,
  id: number,
): Promise<ReferralEvent & { campaigns: { id: number; name: string }[] }> {
  const row = await getEvent(ctx, scope, id)
  return { ...eventView(row), campaigns: await listCampaignsOfEvent(ctx, id) }
}

async function getEvent(ctx: Context, { projectIds }: ProjectScope, id: number): Promise<FoundEvent> {
  return (await findFoundEvent(ctx, { projectIds, id })) ?? fail('REFERRAL_EVENT_NOT_FOUND')
}

/** Adds an event to a project. @throws REFERRAL_EVENT_EXISTS */
export async function createEvent(
  ctx: Context,
  projectId: number,
  { key, name, eventType, description = '' }: NewReferralEvent,
): Promise<ReferralEvent> {
  return inTransaction(ctx, async (tx) => {
    const row =
      (await insertEvent(tx, { projectId, key, name, eventType, description })) ?? fail('REFERRAL_EVENT_EXISTS')
    tx.change(null, { id: row.id, key, name, eventType, description })
    await announceChanged(tx, { projectId, event_id: row.id })
    return eventView(await getEvent(tx, { projectId, projectIds: [projectId] }, row.id))
  })
}

/** Changes name and description of an event. @throws REFERRAL_EVENT_NOT_FOUND, REFERRAL_EVENT_FIXED */
export async function changeEvent(
  ctx: Context,
  scope: ProjectScope,
  id: number,
  change: ReferralEventChange,
): Promise<ReferralEvent> {
  return inTransaction(ctx, async (tx) => {
    const before = await getEvent(tx, scope, id)
    const isOther =
      (change.key !== undefined && change.key !== before.key) ||
      (change.eventType !== undefined && change.eventType !== before.event_type)
    if (isOther || before.key === KASSA_PAYMENT_EVENT) return fail('REFERRAL_EVENT_FIXED')
    const { name, description } = { ...before, ...defined(change) }
    await updateEvent(tx, id, { name, description })
    tx.change(before, { ...before, name, description }, { projectId: before.project_id })
    await announceChanged(tx, { projectId: before.project_id, event_id: id })
    return eventView(await getEvent(tx, scope, id))
  })
}

function defined({ name, description }: ReferralEventChange) {
  return { ...(name !== undefined && { name }), ...(description !== undefined && { description }) }
}

/** Notifies open screens that an event or a promoter of a project changed. */
export async function announceChanged(
  tx: Context,
  { projectId, ...about }: { readonly projectId: number; readonly event_id?: number; readonly referrer_id?: number },
): Promise<void> {
  await tx.events.emit(tx, { type: 'referral.changed', projectId, payload: { project_id: projectId, ...about } })
}

/** Lists the events of a project, including Kassa's own. */
export function eventsOfProject(ctx: Context, projectId: number): Promise<EventRow[]> {
  return listEventsOfProject(ctx, projectId)
}
