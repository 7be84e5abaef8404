import pg from 'pg'
import type { Logger } from 'pino'

import { LIVE_CHANNEL } from './outbox.ts'

/** What was committed somewhere, as open screens hear of it. */
export type LiveMessage = {
  readonly name: string
  readonly projectId: number | null
  readonly referenceId?: string
  readonly data: Readonly<Record<string, unknown>>
  /** RFC 3339. */
  readonly at: string
}

export type LiveChannel = {
  /** Hears every message from now on; call what is returned to stop. `null` means that messages may have been missed. */
  readonly subscribe: (listener: (message: LiveMessage | null) => void) => () => void
  readonly close: () => Promise<void>
}

/** How soon a lost connection is tried again. */
const RECONNECT_MS = 1000

/** Listens on a connection of its own; after a break every subscriber is told that it may have missed something. */
export async function openLiveChannel(connectionString: string, log: Logger): Promise<LiveChannel> {
  const listeners = new Set<(message: LiveMessage | null) => void>()
  const tell = (message: LiveMessage | null) => {
    for (const listener of listeners) listener(message)
  }
  let isClosed = false
  let client = await connect(connectionString, tell, reconnect)

  function reconnect(): void {
    if (isClosed) return
    log.warn('live updates lost their connection')
    setTimeout(() => {
      connect(connectionString, tell, reconnect)
        .then((next) => {
          client = next
          tell(null)
        })
        .catch(reconnect)
    }, RECONNECT_MS).unref()
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

async function connect(
  connectionString: string,
  tell: (message: LiveMessage) => void,
  onLost: () => void,
): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, application_name: 'kassa-live', keepAlive: true })
  client.on('error', () => undefined)
  client.once('end', onLost)
  client.on('notification', ({ payload }) => {
    if (payload) tell(JSON.parse(payload) as LiveMessage)
  })
  await client.connect()
  await client.query(`LISTEN ${LIVE_CHANNEL}`)
  return client
}
