/**
 * Finds what is due and sends it. Deliveries are rows of the database, and any number of workers takes from them; what a
 * process remembers is only which endpoints to look at next, and how many requests each has.
 */
import type { Context } from '../../../context.ts'
import { attempt } from './attempt.ts'
import { claimDeliveries, listDueWebhooks, listTargets, recheckPostponed, type Target } from './claim-store.ts'
import { createNotebook } from './outcome-writer.ts'
import { createConcurrencyLimiter, type ConcurrencyLimiter } from './concurrency-limiter.ts'
import type { DeliveryRow } from '../record/store.ts'
import { createTurns, type Wanted } from './scheduler.ts'

/** An attempt ends within 15 s; one that has not been noted after this belongs to a process that died. */
const LEASE_MS = 45_000

export type Dispatcher = {
  /** Something new is due in a project. */
  readonly wake: (projectId: number) => void
  /** Looks for whatever is due. */
  readonly sweep: () => Promise<void>
  /** Waits until nothing is to be looked at and every request under way has ended and is noted. */
  readonly idle: () => Promise<void>
  /** Takes up nothing more and waits for the requests under way. */
  readonly stop: () => Promise<void>
}

/** Makes the part of a worker that sends deliveries; it begins to look when it is woken. */
export function createDispatcher(ctx: Context): Dispatcher {
  const running = new Set<Promise<void>>()
  const places = createConcurrencyLimiter()
  const turns = createTurns(ctx, (wanted) => turn({ ctx, places, send, look: turns.look }, wanted))
  const notebook = createNotebook(ctx, turns.look)

  function send(target: Target, delivery: DeliveryRow): void {
    places.take(target.id)
    const ended = sendOne(target, delivery).finally(() => running.delete(ended))
    running.add(ended)
  }

  async function sendOne(target: Target, delivery: DeliveryRow): Promise<void> {
    const outcome = await attempt(ctx, target, delivery)
    const noted = notebook.write(outcome)
    // A failure may change what the endpoint gets next: it is written before the next one is taken.
    if (outcome.note.status !== 'received') await noted
    if (places.leave(target.id)) turns.look(target.id)
    await noted
  }

  async function idle(): Promise<void> {
    while (turns.current() || running.size > 0) await Promise.all([turns.current(), ...running])
  }

  return {
    wake: turns.wake,
    sweep: async () => {
      for (const id of await listDueWebhooks(ctx)) if (!places.isTurnedAway(id)) turns.look(id)
    },
    idle,
    stop: () => {
      turns.stop()
      return idle()
    },
  }
}

type Deps = {
  readonly ctx: Context
  readonly places: ConcurrencyLimiter
  readonly send: (target: Target, delivery: DeliveryRow) => void
  readonly look: (webhookId: number) => void
}

/** Claims what is due for these endpoints, as much as has a place, and begins to send it. */
async function turn({ ctx, places, send, look }: Deps, wanted: Wanted): Promise<void> {
  const targets = new Map((await listTargets(ctx, wanted)).map((target) => [target.id, target]))
  const wants = [...targets.values()].map(({ id, failing_since }) => ({
    webhookId: id,
    places: places.free(id, failing_since !== null),
  }))
  for (const one of wants) if (one.places === 0) places.reject(one.webhookId)
  const open = wants.filter((one) => one.places > 0)
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
  for (const { webhookId } of open) if (!places.isTurnedAway(webhookId)) look(webhookId)
}
