/**
 * Distinct customers of spans, counted once until something changes in them (decision 0028). A span that contains the beginning
 * of today (UTC) is divided there, so that today's changes do not invalidate the count of the long part.
 */
import { createHash } from 'node:crypto'

import type { Context } from '../../../context.ts'
import { remembered } from '../../../memory.ts'
import { countChanges, type Moments } from '../rollups/service.ts'
import {
  countCreatedOnDays,
  countDistinctPayers,
  countLaterPayers,
  countLaterRequesters,
  countRequesters,
} from './store.ts'

const DAY_MS = 86_400_000
const QUARTER_MS = 900_000

/** Counts a process remembers at most; beyond it the oldest is counted again. */
const MOST = 10_000

/** A count, and the number of changes at which it was made, which tells whether it still holds. */
type Known = { readonly version: bigint; readonly total: number }

const recall = remembered(() => new Map<string, Known>())

/** Counts the distinct customers of counted deposits of each bucket, as of the open snapshot. */
export async function distinctPayers(
  ctx: Context,
  projectIds: readonly number[],
  buckets: readonly Moments[],
): Promise<number[]> {
  const today = startOfDay(ctx.now())
  const closed = buckets.map((bucket) => ({ from: bucket.from, until: isWithin(today, bucket) ? today : bucket.until }))
  const totals = await unchanged(ctx, { kind: 'payers', projectIds, spans: closed }, async (spans) => {
    const found = await countDistinctPayers(ctx, projectIds, spans)
    return spans.map((_, span) => found.get(span) ?? 0)
  })
  for (const [index, { from, until }] of buckets.entries()) {
    if (!isWithin(today, { from, until })) continue
    totals[index] = (totals[index] ?? 0) + (await countLaterPayers(ctx, projectIds, { from, at: today, until }))
  }
  return totals
}

/** Counts the distinct customers of payments created in the span, as of the open snapshot. */
export async function distinctRequesters(
  ctx: Context,
  projectIds: readonly number[],
  { from, until }: Moments,
): Promise<number> {
  const today = startOfDay(ctx.now())
  if (!isWithin(today, { from, until })) return countRequesters(ctx, projectIds, { from, until })
  const closed = { from, until: today }
  const [total = 0] = await unchanged(ctx, { kind: 'requesters', projectIds, spans: [closed] }, async () => [
    await countRequesters(ctx, projectIds, closed),
  ])
  return total + (await countLaterRequesters(ctx, projectIds, { from, at: today, until }))
}

type Counted = {
  readonly kind: 'payers' | 'requesters'
  readonly projectIds: readonly number[]
  readonly spans: readonly Moments[]
}

/** Returns the stored count of each span, counting again those in which something has changed. */
async function unchanged(
  ctx: Context,
  { kind, projectIds, spans }: Counted,
  count: (spans: readonly Moments[]) => Promise<number[]>,
): Promise<number[]> {
  const known = recall(ctx)
  const whose = createHash('sha256').update(projectIds.join()).digest('base64url')
  const nameOf = ({ from, until }: Moments) => `${kind} ${whose} ${from.getTime()} ${until.getTime()}`
  const versions =
    kind === 'payers'
      ? await countChanges(ctx, projectIds, spans)
      : await Promise.all(spans.map((span) => countCreatedOnDays(ctx, projectIds, span)))
  const holds = (span: Moments, index: number) =>
    isWholeQuarters(span) && known.get(nameOf(span))?.version === versions[index]
  const stale = spans.map((span, index) => ({ span, index })).filter(({ span, index }) => !holds(span, index))
  const totals = spans.map((span) => known.get(nameOf(span))?.total ?? 0)
  if (stale.length === 0) return totals
  const counted = await count(stale.map(({ span }) => span))
  for (const [at, { span, index }] of stale.entries()) {
    totals[index] = counted[at] ?? 0
    keep(known, nameOf(span), { version: versions[index] ?? 0n, total: totals[index] })
  }
  return totals
}

function keep(known: Map<string, Known>, name: string, counted: Known): void {
  const [oldest] = known.keys()
  if (known.size >= MOST && oldest !== undefined) known.delete(oldest)
  known.set(name, counted)
}

function startOfDay(at: Date): Date {
  return new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS)
}

function isWithin(at: Date, { from, until }: Moments): boolean {
  return at > from && at < until
}

/** Changes are numbered by quarters of an hour: other spans may change without a number. */
function isWholeQuarters({ from, until }: Moments): boolean {
  return from.getTime() % QUARTER_MS === 0 && until.getTime() % QUARTER_MS === 0
}
