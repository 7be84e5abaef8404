import { randomId } from '../lib/random-id.ts'

/**
 * How the live channel is doing; `polling` means that it is down and screens refetch by the clock, `unreachable` that
 * the server answers nothing at all.
 */
export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'polling' | 'unreachable'

export type LiveEvent = { readonly id: string; readonly topic: string; readonly name: string }

export type LiveOptions = {
  readonly requestToken: (clientID: string) => Promise<{ readonly token: string; readonly serverUrl: string }>
  /** Whether a refused token means that nothing answered. */
  readonly isUnreachable: (thrown: unknown) => boolean
  readonly onState: (state: LiveState) => void
  readonly onEvent: (event: LiveEvent) => void
  /** Too much was missed on these topics: fetch them again. */
  readonly onResync: (topics: readonly string[]) => void
  readonly onSession: (state: string) => void
}

export type LiveChannel = {
  /** Says what is on screen; the channel subscribes to what is new and leaves what is gone. */
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
  const line: Line = {
    options,
    clientID: randomId(),
    wanted: new Set(),
    isReady: false,
    isStopped: false,
    tries: 0,
    sent: 0,
  }
  void connect(line)
  return {
    setTopics: (topics) => setTopics(line, topics),
    reconnect: () => {
      if (line.socket !== undefined || line.isStopped) return
      line.tries = 0
      options.onState('reconnecting')
      void connect(line)
    },
    stop: () => {
      line.isStopped = true
      clearTimeout(line.retry)
      clearTimeout(line.silence)
      line.socket?.close()
    },
  }
}

/** What one channel knows of itself between two messages. */
type Line = {
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

async function connect(line: Line): Promise<void> {
  clearTimeout(line.retry)
  try {
    const { token, serverUrl } = await line.options.requestToken(line.clientID)
    if (line.isStopped) return
    const socket = new WebSocket(serverUrl, SUBPROTOCOL)
    line.socket = socket
    socket.addEventListener('open', () => {
      heard(line)
      send(line, { type: 'auth', token, clientID: line.clientID })
    })
    socket.addEventListener('message', ({ data }) => receive(line, parse(data)))
    socket.addEventListener('close', ({ code }) => {
      if (line.socket !== socket) return
      if (code === SESSION_GONE && line.isReady) line.options.onSession('revoked')
      lose(line)
    })
  } catch (thrown) {
    lose(line, line.options.isUnreachable(thrown))
  }
}

function receive(line: Line, message: LiveMessage): void {
  const { options } = line
  heard(line)
  if (message.type === 'hello') {
    line.isReady = true
    line.tries = 0
    options.onState('live')
    subscribe(line, [...line.wanted])
  }
  if (message.type === 'ping') send(line, { type: 'pong', t: message.t })
  if (message.type === 'resync') options.onResync(message.topics ?? [])
  if (message.type === 'session') options.onSession(message.state ?? '')
  if (message.type === 'event' && message.topic !== undefined) {
    line.lastEventId = message.id ?? line.lastEventId
    options.onEvent({ id: message.id ?? '', topic: message.topic, name: message.name ?? '' })
  }
}

function setTopics(line: Line, topics: readonly string[]): void {
  const gone = [...line.wanted].filter((topic) => !topics.includes(topic))
  const fresh = topics.filter((topic) => !line.wanted.has(topic))
  line.wanted = new Set(topics)
  if (!line.isReady) return
  if (gone.length > 0) send(line, { type: 'unsubscribe', id: String(++line.sent), topics: gone })
  subscribe(line, fresh)
}

function subscribe(line: Line, topics: readonly string[]): void {
  if (topics.length === 0) return
  send(line, { type: 'subscribe', id: String(++line.sent), topics, since: line.lastEventId })
}

function send(line: Line, message: object): void {
  line.socket?.send(JSON.stringify(message))
}

/** Every message restarts the wait; a minute without one means that the line is dead although it looks open. */
function heard(line: Line): void {
  clearTimeout(line.silence)
  line.silence = setTimeout(() => line.socket?.close(), SILENCE_MS)
}

function lose(line: Line, isUnreachable = false): void {
  clearTimeout(line.silence)
  line.socket = undefined
  line.isReady = false
  if (line.isStopped) return
  const isDown = line.tries >= POLLING_AFTER_TRIES
  line.options.onState(isUnreachable ? 'unreachable' : isDown ? 'polling' : 'reconnecting')
  const waitMs = Math.min(1000 * 2 ** line.tries, LONGEST_WAIT_MS)
  line.tries++
  line.retry = setTimeout(() => void connect(line), waitMs * jitter())
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
  readonly state?: string
}

function parse(text: unknown): LiveMessage {
  try {
    const value: unknown = JSON.parse(String(text))
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
