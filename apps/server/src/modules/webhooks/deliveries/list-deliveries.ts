import { fail } from '@kassa/contract/kit/api-error.ts'
import type { Delivery } from '@kassa/contract/webhooks/schemas.ts'

import { keyFor } from '../../../config/keys.ts'
import type { Context } from '../../../context.ts'
import { type PageInput, readPage, toPage } from '../../../paging/paging.ts'
import { readSpanFields, type SpanInput } from '../../../paging/span.ts'
import { withAttempts } from '../record/service.ts'
import { countDeliveries, type DeliveryFilters, listDeliveryRows } from '../record/store.ts'
import type { DeliveryStatus } from '../record/tables.ts'

export type DeliveriesQuery = PageInput &
  SpanInput & {
    readonly projectIds: readonly number[] | 'every'
    readonly webhookId?: number
    readonly status?: DeliveryStatus[] | undefined
    readonly event?: string[] | undefined
    readonly referenceID?: string | undefined
  }

export type DeliveryPage = {
  readonly data: Delivery[]
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly nextCursor: string | null
}

/** A page of deliveries, newest first. @throws VALIDATION_FAILED, CURSOR_INVALID, PAGE_TOO_DEEP, SORT_FIELD_UNKNOWN */
export async function listDeliveries(ctx: Context, query: DeliveriesQuery): Promise<DeliveryPage> {
  const filters: DeliveryFilters = {
    projectIds: query.projectIds,
    webhookId: query.webhookId,
    status: query.status,
    event: query.event,
    referenceId: referenceOf(query.referenceID),
    ...readSpanFields(query),
  }
  const rules = {
    list: 'deliveries',
    filter: filters,
    sorts: ['created_at'] as const,
    signingKey: keyFor(ctx, 'cursor'),
  }
  const page = readPage({ ...query, sortDirection: 'DESC' }, rules)
  const rows = await listDeliveryRows(ctx, filters, {
    limit: page.limit + 1,
    offset: page.offset,
    beforeId: page.from ? BigInt(page.from.id) : undefined,
  })
  const cut = toPage(
    rows.map((row) => ({ ...row, sortKey: row.created_at.toISOString() })),
    page,
    rules,
  )
  return {
    data: await withAttempts(ctx, cut.rows),
    total: await countDeliveries(ctx, filters),
    limit: page.limit,
    offset: page.offset,
    nextCursor: cut.nextCursor,
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The reference of a payment. @throws VALIDATION_FAILED for text that cannot be one */
export function referenceOf(text: string | undefined): string | undefined {
  if (text === undefined || UUID.test(text)) return text
  const message = 'Reference ID must be the reference of a payment'
  return fail('VALIDATION_FAILED', { message, fields: { referenceID: message } })
}
