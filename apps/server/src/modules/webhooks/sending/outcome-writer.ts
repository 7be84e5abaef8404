import { type Announcement, type Context, inTransaction } from '../../../context.ts'
import type { Outcome } from './attempt.ts'
import { endFailing, disableGone } from '../endpoints/health.ts'
import { type Moved, noteAttempts, releaseFollowers } from '../record/attempt-store.ts'
import { noteEndpoints, type EndpointNews } from '../record/store.ts'

/** Outcomes written in one transaction at most. */
const BATCH = 200

export type OutcomeWriter = {
  /** Resolves when the outcome is written, or cannot be: its lease then expires and the delivery is attempted again. */
  readonly write: (outcome: Outcome) => Promise<void>
}

/** Writes outcomes in batches: while one batch is being committed, the next one collects. */
export function createOutcomeWriter(
  ctx: Context,
  onReleased: (webhookId: number, isAnswering: boolean) => void,
): OutcomeWriter {
  const waiting: { outcome: Outcome; done: () => void }[] = []
  let isWriting = false
  const writeAll = async () => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH)
      const outcomes = batch.map(({ outcome }) => outcome)
      const answering = new Set(
        outcomes.filter(({ note }) => note.status === 'received').map(({ webhook }) => webhook.id),
      )
      await saveAll(ctx, outcomes).then(
        (released) => released.forEach((webhookId) => onReleased(webhookId, answering.has(webhookId))),
        (err: unknown) => ctx.log.error({ err }, 'outcomes of deliveries could not be written'),
      )
      for (const { done } of batch) done()
    }
  }
  return {
    write: (outcome) =>
      new Promise((done) => {
        waiting.push({ outcome, done })
        if (isWriting) return
        isWriting = true
        void writeAll().finally(() => (isWriting = false))
      }),
  }
}

/** One outcome that cannot be stored must not lose the others: when a batch fails, each outcome is written alone. */
async function saveAll(ctx: Context, outcomes: readonly Outcome[]): Promise<number[]> {
  try {
    return await saveOutcomes(ctx, outcomes)
  } catch (err) {
    ctx.log.warn({ err, outcomes: outcomes.length }, 'outcomes of deliveries are written one by one')
    const released: number[] = []
    for (const outcome of outcomes) {
      const one = saveOutcomes(ctx, [outcome])
      released.push(...(await one.catch((cause: unknown) => lose(ctx, outcome, cause))))
    }
    return released
  }
}

function lose(ctx: Context, { note }: Outcome, err: unknown): number[] {
  ctx.log.error({ err, deliveryId: String(note.id) }, 'a delivery lost its outcome')
  return []
}

async function saveOutcomes(ctx: Context, outcomes: readonly Outcome[]): Promise<number[]> {
  return inTransaction(ctx, async (tx) => {
    // Locks endpoints before deliveries, in the same order as a change of an endpoint.
    await noteEndpoints(tx, newsOf(outcomes))
    const moved = await noteAttempts(
      tx,
      outcomes.map(({ note }) => note),
    )
    for (const webhook of new Set(outcomes.filter(({ isGone }) => isGone).map((one) => one.webhook))) {
      await disableGone(tx, webhook)
    }
    const recovered = outcomes.filter(({ note, webhook }) => note.status === 'received' && webhook.failing_since)
    for (const webhook of new Set(recovered.map((one) => one.webhook))) await endFailing(tx, webhook)
    const released = await releaseFollowers(
      tx,
      moved.map(({ id }) => id),
    )
    tx.events.announceAll(tx, moved.map(announcementOf))
    return released
  })
}

/** The combined result of each endpoint in these outcomes. */
function newsOf(outcomes: readonly Outcome[]): EndpointNews[] {
  const news = new Map<number, EndpointNews>()
  for (const { webhook, note } of outcomes) {
    const isReceived = note.status === 'received'
    const before = news.get(webhook.id)
    news.set(webhook.id, {
      id: webhook.id,
      code: note.code,
      hasReceived: isReceived || before?.hasReceived === true,
      endsFailing: !isReceived,
    })
  }
  return [...news.values()]
}

function announcementOf(row: Moved): Announcement {
  return {
    name: 'delivery.changed',
    projectId: row.project_id,
    ...(row.reference_id !== null && { referenceId: row.reference_id }),
    data: { deliveryID: Number(row.id), status: row.status },
  }
}
