import { randomId } from '../../lib/random-id.ts'

/**
 * How the live channel is doing; `polling` means that it is down and screens refetch by the clock, `unreachable` that
 * the server answers nothing at all.
 */
export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'polling' | 'unreachable'

export type LiveEvent = {
  readonly id: string
  readonly topic: string
  readonly name: string
  /** What the event says beside its name. */
  readonly data: unknown
}

export type LiveOptions = {
  readonly requestToken: (clientID: string) => Promise<{ readonly token: string; readonly serverUrl: string }>
  /** Whether a refused token means that nothing answered. */
  readonly isUnreachable: (thrown: unknown) => boolean
  readonly onState: (state: LiveState) => void
  readonly onEvent: (event: LiveEvent) => void
  /** Too much was missed on these topics: fetch them again. */
  readonly onResync: (topics: readonly string[]) => void
  readonly onSession: (state: string) => void
  /** Names the permissions that the operator has now. */
  readonly onPermissions: (version: string) => void
}

export type LiveChannel = {
  /** Sets the topics on screen; the channel subscribes to new ones and unsubscribes from dropped ones. */
  readonly setTopics: (topics: readonly string[]) => void
  /** Tries again now instead of waiting. */
  readonly reconnect: () => void
  readonly stop: () => void
}

/** The subprotocol and the silences of api.md 7. */
const SUBPROTOCOL = 'kassa.v1'
const SILENCE_MS = 60_000
const LONGEST_WAIT_MS = 30_000

/** The server closes with these when trying again with the same credentials is pointless. */
const SESSION_GONE = 4401

/** After this many failed tries the screens stop waiting for the channel and poll. */
const POLLING_AFTER_TRIES = 2

/**
 * Opens this tab's websocket and keeps it open: token, first message, subscriptions, pongs; after a loss it comes back
 * after 1, 2, 4 … 30 seconds and asks for what happened since the last event it saw.
 */
export function openLive(options: LiveOptions): LiveChannel {
  const connection: Connection = {
    options,
    clientID: randomId(),
    wanted: new Set(),
    isReady: false,
    isStopped: false,
    tries: 0,
    sent: 0,
  }
  void connect(connection)
  return {
    setTopics: (topics) => setTopics(connection, topics),
    reconnect: () => {
      if (connection.socket !== undefined || connection.isStopped) return
      connection.tries = 0
      options.onState('reconnecting')
      void connect(connection)
    },
    stop: () => {
      connection.isStopped = true
      clearTimeout(connection.retry)
      clearTimeout(connection.silence)
      connection.socket?.close()
    },
  }
}

/** What one channel knows of itself between two messages. */
type Connection = {
  readonly options: LiveOptions
  readonly clientID: string
  wanted: ReadonlySet<string>
  socket?: WebSocket | undefined
  /** The server has greeted: subscriptions may go out. */
  isReady: boolean
  isStopped: boolean
  tries: number
  /** Numbers the requests, so that answers can name them. */
  sent: number
  lastEventId?: string | undefined
  retry?: ReturnType<typeof setTimeout>
  silence?: ReturnType<typeof setTimeout>
}

async function connect(connection: Connection): Promise<void> {
  clearTimeout(connection.retry)
  try {
    const { token, serverUrl } = await connection.options.requestToken(connection.clientID)
    if (connection.isStopped) return
    const socket = new WebSocket(serverUrl, SUBPROTOCOL)
    connection.socket = socket
    socket.addEventListener('open', () => {
      onMessage(connection)
      send(connection, { type: 'auth', token, clientID: connection.clientID })
    })
    socket.addEventListener('message', ({ data }) => receive(connection, parse(data)))
    socket.addEventListener('close', ({ code }) => {
      if (connection.socket !== socket) return
      if (code === SESSION_GONE && connection.isReady) connection.options.onSession('revoked')
      disconnect(connection)
    })
  } catch (thrown) {
    disconnect(connection, connection.options.isUnreachable(thrown))
  }
}

function receive(connection: Connection, message: LiveMessage): void {
  const { options } = connection
  onMessage(connection)
  if (message.type === 'hello') {
    connection.isReady = true
    connection.tries = 0
    options.onState('live')
    if (message.permissionsVersion !== undefined) options.onPermissions(message.permissionsVersion)
    subscribe(connection, [...connection.wanted])
  }
  if (message.type === 'ping') send(connection, { type: 'pong', t: message.t })
  if (message.type === 'resync') options.onResync(message.topics ?? [])
  if (message.type === 'session') options.onSession(message.state ?? '')
  if (message.type === 'event' && message.topic !== undefined) {
    connection.lastEventId = message.id ?? connection.lastEventId
    options.onEvent({ id: message.id ?? '', topic: message.topic, name: message.name ?? '', data: message.data })
  }
}

function setTopics(connection: Connection, topics: readonly string[]): void {
  const gone = [...connection.wanted].filter((topic) => !topics.includes(topic))
  const fresh = topics.filter((topic) => !connection.wanted.has(topic))
  connection.wanted = new Set(topics)
  if (!connection.isReady) return
  if (gone.length > 0) send(connection, { type: 'unsubscribe', id: String(++connection.sent), topics: gone })
  subscribe(connection, fresh)
}

function subscribe(connection: Connection, topics: readonly string[]): void {
  if (topics.length === 0) return
  send(connection, { type: 'subscribe', id: String(++connection.sent), topics, since: connection.lastEventId })
}

function send(connection: Connection, message: object): void {
  connection.socket?.send(JSON.stringify(message))
}

/** Every message restarts the wait; a minute without one means that the line is dead although it looks open. */
function onMessage(connection: Connection): void {
  clearTimeout(connection.silence)
  connection.silence = setTimeout(() => connection.socket?.close(), SILENCE_MS)
}

function disconnect(connection: Connection, isUnreachable = false): void {
  clearTimeout(connection.silence)
  connection.socket = undefined
  connection.isReady = false
  if (connection.isStopped) return
  const isDown = connection.tries >= POLLING_AFTER_TRIES
  connection.options.onState(isUnreachable ? 'unreachable' : isDown ? 'polling' : 'reconnecting')
  const waitMs = Math.min(1000 * 2 ** connection.tries, LONGEST_WAIT_MS)
  connection.tries++
  connection.retry = setTimeout(() => void connect(connection), waitMs * jitter())
}

/** Between 0.75 and 1.25: keeps a whole office from knocking at the same moment after a restart. */
function jitter(): number {
  const [byte = 0] = crypto.getRandomValues(new Uint8Array(1))
  return 0.75 + byte / 510
}

type LiveMessage = {
  readonly type?: string
  readonly id?: string
  readonly t?: unknown
  readonly topic?: string
  readonly topics?: readonly string[]
  readonly name?: string
  readonly data?: unknown
  readonly state?: string
  readonly permissionsVersion?: string
}

function parse(text: unknown): LiveMessage {
  try {
    const value: unknown = JSON.parse(String(text))
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
