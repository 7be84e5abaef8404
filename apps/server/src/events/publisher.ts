import { setTimeout as wait } from 'node:timers/promises'

import type { Logger } from 'pino'

import type { LiveMessage } from '../context.ts'
import type { Db } from '../db/database.ts'
import { notifyAll } from './store.ts'

/** The channel that carries committed changes to the open screens of every process. */
export const LIVE_CHANNEL = 'kassa_live'

/** PostgreSQL refuses a notification of 8,000 bytes or more. */
const MAX_BYTES = 7_999

/** Long enough for a connection to be opened again, and too short to be noticed on a screen. */
const RETRY_MS = 250

/** Between two statements: a busy process needs a tenth as many, and the delay is not visible on a screen. */
const PAUSE_MS = 10

/**
 * Messages that wait while the database is unreachable; beyond that the oldest are dropped, so that screens only learn less
 * (0023).
 */
const MOST_WAITING = 10_000

export type Publisher = {
  readonly publish: (messages: readonly LiveMessage[]) => void
  /** Resolves when nothing waits to be sent. */
  readonly idle: () => Promise<void>
}

/**
 * Sends messages of a process to the listeners of all processes, one statement at a time; messages that arrive meanwhile, or in
 * the pause after it, share the next. A failed statement is sent once more; then its messages are dropped.
 * Call it after the commit of the change (0023): a transaction that notifies lets no other one share its flush.
 */
export function createPublisher(db: Db, log: Logger): Publisher {
  const waiting: LiveMessage[] = []
  let sending: Promise<void> | undefined

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0).map((message) => JSON.stringify(message))
      await notifyAll(db, LIVE_CHANNEL, batch)
        .catch(() => wait(RETRY_MS).then(() => notifyAll(db, LIVE_CHANNEL, batch)))
        .catch((err: unknown) => log.warn({ err, messages: batch.length }, 'open screens were not notified'))
      await wait(PAUSE_MS)
    }
    sending = undefined
  }

  function dropOldest(): void {
    const dropped = waiting.splice(0, Math.max(0, waiting.length - MOST_WAITING))
    if (dropped.length > 0) log.warn({ messages: dropped.length }, 'open screens were not notified: too much waits')
  }

  return {
    publish: (messages) => {
      waiting.push(...messages)
      dropOldest()
      if (waiting.length > 0) sending ??= sendAll()
    },
    idle: async () => sending,
  }
}

/** Refuses a message that no notification can carry, while its change can still be rolled back. */
export function requirePublishable(message: LiveMessage): void {
  const bytes = Buffer.byteLength(JSON.stringify(message))
  if (bytes > MAX_BYTES) throw new Error(`${message.name} is announced with ${bytes} bytes; ${MAX_BYTES} can be sent`)
}
