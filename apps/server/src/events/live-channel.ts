import pg from 'pg'
import type { Logger } from 'pino'

import type { Live, LiveMessage } from '../context.ts'
import { KEEP_ALIVE } from '../db/keep-alive.ts'
import { LIVE_CHANNEL } from './publisher.ts'

export type LiveChannel = Live & { readonly close: () => Promise<void> }

/** How soon a lost connection is tried again. */
const RECONNECT_MS = 1000

/** Listens on a connection of its own; after a break every subscriber receives `null`, because it may have missed something. */
export async function openLiveChannel(connectionString: string, log: Logger): Promise<LiveChannel> {
  const listeners = new Set<(message: LiveMessage | null) => void>()
  const publish = (message: LiveMessage | null) => {
    for (const listener of listeners) listener(message)
  }
  let isClosed = false
  let client = await connect(connectionString, { publish, onLost: reconnect })

  function reconnect(): void {
    if (isClosed) return
    log.warn('live updates lost their connection')
    setTimeout(() => void comeBack(), RECONNECT_MS).unref()
  }

  async function comeBack(): Promise<void> {
    try {
      const next = await connect(connectionString, { publish, onLost: reconnect })
      if (isClosed) return await next.end()
      client = next
      publish(null)
    } catch {
      reconnect()
    }
  }

  return {
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: async () => {
      isClosed = true
      await client.end()
    },
  }
}

type Listeners = { readonly publish: (message: LiveMessage) => void; readonly onLost: () => void }

/** A connection that listens. A failure to connect is thrown and does not count as a lost connection. */
async function connect(connectionString: string, { publish, onLost }: Listeners): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, application_name: 'kassa-live', ...KEEP_ALIVE })
  client.on('error', () => undefined)
  client.on('notification', ({ payload }) => {
    if (payload) publish(JSON.parse(payload) as LiveMessage)
  })
  try {
    await client.connect()
    await client.query(`LISTEN ${LIVE_CHANNEL}`)
  } catch (thrown) {
    await client.end().catch(() => undefined)
    throw thrown
  }
  client.once('end', onLost)
  return client
}
