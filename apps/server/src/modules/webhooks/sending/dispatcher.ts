/**
 * Finds due deliveries and sends them. Deliveries are rows of the database, which any number of workers claims; a process only
 * remembers which endpoints to check next, and how many requests each has.
 */
import { setImmediate } from 'node:timers/promises'

import type { Context } from '../../../context.ts'
import { attempt } from './attempt.ts'
import { claimDeliveries, listDueWebhooks, listTargets, recheckPostponed, type Target } from './claim-store.ts'
import { createOutcomeWriter } from './outcome-writer.ts'
import { createConcurrencyLimiter, type ConcurrencyLimiter } from './concurrency-limiter.ts'
import type { DeliveryRow } from '../record/store.ts'
import { isProven, LEASE_MS } from '../record/rules.ts'
import { allot, createScheduler, type Due, type FreePlaces, type Scheduler } from './scheduler.ts'

export type Dispatcher = {
  /** Something new is due in a project. */
  readonly wake: (projectId: number) => void
  /** Looks for whatever is due. */
  readonly sweep: () => Promise<void>
  /** Waits until no endpoint is to be checked and every running request has ended and is stored. */
  readonly idle: () => Promise<void>
  /** Starts nothing more and waits for the requests under way. */
  readonly stop: () => Promise<void>
}

/** Creates the part of a worker that sends deliveries; it starts when it is woken. */
export function createDispatcher(ctx: Context): Dispatcher {
  const running = new Set<Promise<void>>()
  const places = createConcurrencyLimiter()
  const scheduler: Scheduler = createScheduler(ctx, (due, most) => sendDue({ ctx, places, send, check }, due, most))
  const outcomeWriter = createOutcomeWriter(ctx, check)

  /** Deliveries to an endpoint that answers go together with new ones, never behind those to endpoints that do not. */
  function check(webhookId: number, isAnswering: boolean): void {
    if (isAnswering) scheduler.checkNext(webhookId)
    else scheduler.check(webhookId)
  }

  function send(target: Target, delivery: DeliveryRow): void {
    const ended = sendOne(target, delivery).finally(() => running.delete(ended))
    running.add(ended)
  }

  async function sendOne(target: Target, delivery: DeliveryRow): Promise<void> {
    const outcome = await attempt(ctx, target, delivery)
    const isAnswering = outcome.note.status === 'received'
    const noted = outcomeWriter.write(outcome)
    // A failure and a first success change the endpoint's limit, so they are stored before its next delivery is claimed.
    if (!isAnswering || !isProven(target)) await noted
    if (places.leave(target.id, 1)) check(target.id, isAnswering)
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
  readonly check: (webhookId: number, isAnswering: boolean) => void
}

/** Requests started at once; the process handles other events before it starts more. */
const STARTED_AT_ONCE = 8

/**
 * Claims due deliveries of these endpoints, as many as have a free slot and at most this many, and starts to send them. In a
 * project with new events, failing endpoints wait for the lane of retries.
 */
async function sendDue(deps: Deps, due: Due, most: number): Promise<void> {
  const { ctx, places, send, check } = deps
  const found = await listTargets(ctx, due)
  const named = new Set(due.webhookIds)
  const isNow = ({ id, failing_since }: Target) => named.has(id) || failing_since === null
  const targets = new Map(found.filter(isNow).map((target) => [target.id, target]))
  for (const { id } of found) if (!targets.has(id)) check(id, false)
  const wanted = [...targets.values()].map((target) => ({
    webhookId: target.id,
    places: places.free(target.id, isProven(target)),
  }))
  for (const one of wanted) if (one.places === 0) places.reject(one.webhookId)
  const { granted, left } = allot(wanted, most)
  for (const webhookId of left) check(webhookId, false)
  for (const [at, delivery] of (await claimInto(deps, granted, targets)).entries()) {
    if (at > 0 && at % STARTED_AT_ONCE === 0) await setImmediate()
    const target = targets.get(delivery.webhook_id)
    if (target) send(target, delivery)
  }
}

/** Claims as many deliveries as were granted, each in a slot of its endpoint; unused slots are freed. */
async function claimInto(
  { ctx, places, check }: Deps,
  granted: readonly FreePlaces[],
  targets: ReadonlyMap<number, Target>,
): Promise<readonly DeliveryRow[]> {
  if (granted.length === 0) return []
  const checkAgain = (id: number) => {
    const target = targets.get(id)
    check(id, target !== undefined && isProven(target))
  }
  // Taken before the first wait, because the other lane may be claiming for the same endpoint.
  for (const one of granted) places.take(one.webhookId, one.places)
  const unused = new Map(granted.map((one) => [one.webhookId, one.places]))
  try {
    const { claimed, postponed } = await claimDeliveries(ctx, granted, new Date(ctx.now().getTime() + LEASE_MS))
    for (const { webhook_id: id } of claimed) unused.set(id, (unused.get(id) ?? 0) - 1)
    for (const [id, count] of unused) if (count === 0) places.reject(id)
    if (postponed.length > 0) {
      await recheckPostponed(ctx, postponed)
      for (const id of unused.keys()) if (!places.isRejected(id)) checkAgain(id)
    }
    return claimed
  } finally {
    for (const [id, count] of unused) if (count > 0 && places.leave(id, count)) checkAgain(id)
  }
}
