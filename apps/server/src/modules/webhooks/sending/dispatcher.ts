/**
 * Finds due deliveries and sends them. Deliveries are rows of the database, and any number of workers claims them; a
 * process only remembers which endpoints to check next, and how many requests each has.
 */
import type { Context } from '../../../context.ts'
import { attempt } from './attempt.ts'
import { claimDeliveries, listDueWebhooks, listTargets, recheckPostponed, type Target } from './claim-store.ts'
import { createOutcomeWriter } from './outcome-writer.ts'
import { createConcurrencyLimiter, type ConcurrencyLimiter } from './concurrency-limiter.ts'
import type { DeliveryRow } from '../record/store.ts'
import { createScheduler, type Due } from './scheduler.ts'

/** An attempt ends within 15 s; one that has not been noted after this belongs to a process that died. */
const LEASE_MS = 45_000

export type Dispatcher = {
  /** Something new is due in a project. */
  readonly wake: (projectId: number) => void
  /** Looks for whatever is due. */
  readonly sweep: () => Promise<void>
  /** Waits until no endpoint is to be checked and every running request has ended and is stored. */
  readonly idle: () => Promise<void>
  /** Takes up nothing more and waits for the requests under way. */
  readonly stop: () => Promise<void>
}

/** Creates the part of a worker that sends deliveries; it starts when it is woken. */
export function createDispatcher(ctx: Context): Dispatcher {
  const running = new Set<Promise<void>>()
  const places = createConcurrencyLimiter()
  const scheduler = createScheduler(ctx, (due) => sendDue({ ctx, places, send, check: scheduler.check }, due))
  const outcomeWriter = createOutcomeWriter(ctx, scheduler.check)

  function send(target: Target, delivery: DeliveryRow): void {
    places.take(target.id)
    const ended = sendOne(target, delivery).finally(() => running.delete(ended))
    running.add(ended)
  }

  async function sendOne(target: Target, delivery: DeliveryRow): Promise<void> {
    const outcome = await attempt(ctx, target, delivery)
    const noted = outcomeWriter.write(outcome)
    // A failure may change what the endpoint gets next: it is written before the next one is taken.
    if (outcome.note.status !== 'received') await noted
    if (places.leave(target.id)) scheduler.check(target.id)
    await noted
  }

  async function idle(): Promise<void> {
    while (scheduler.current() || running.size > 0) await Promise.all([scheduler.current(), ...running])
  }

  return {
    wake: scheduler.wake,
    sweep: async () => {
      for (const id of await listDueWebhooks(ctx)) if (!places.isRejected(id)) scheduler.check(id)
    },
    idle,
    stop: () => {
      scheduler.stop()
      return idle()
    },
  }
}

type Deps = {
  readonly ctx: Context
  readonly places: ConcurrencyLimiter
  readonly send: (target: Target, delivery: DeliveryRow) => void
  readonly check: (webhookId: number) => void
}

/** Claims due deliveries of these endpoints, as many as have a place, and starts to send them. */
async function sendDue({ ctx, places, send, check }: Deps, due: Due): Promise<void> {
  const targets = new Map((await listTargets(ctx, due)).map((target) => [target.id, target]))
  const candidates = [...targets.values()].map(({ id, failing_since }) => ({
    webhookId: id,
    places: places.free(id, failing_since !== null),
  }))
  for (const one of candidates) if (one.places === 0) places.reject(one.webhookId)
  const open = candidates.filter((one) => one.places > 0)
  if (open.length === 0) return
  const { claimed, postponed } = await claimDeliveries(ctx, open, new Date(ctx.now().getTime() + LEASE_MS))
  for (const delivery of claimed) {
    const target = targets.get(delivery.webhook_id)
    if (target) send(target, delivery)
  }
  const counts = Map.groupBy(claimed, ({ webhook_id }) => webhook_id)
  const full = open.filter((one) => counts.get(one.webhookId)?.length === one.places)
  for (const { webhookId } of full) places.reject(webhookId)
  if (postponed.length === 0) return
  await recheckPostponed(ctx, postponed)
  for (const { webhookId } of open) if (!places.isRejected(webhookId)) check(webhookId)
}
