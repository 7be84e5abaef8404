import { randomId } from '../lib/random-id.ts'

/** How the live channel is doing; `polling` means that it is down and screens refetch by the clock. */
export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'polling'

export type LiveEvent = { readonly id: string; readonly topic: string; readonly name: string }

export type LiveOptions = {
  readonly requestToken: (clientID: string) => Promise<{ readonly token: string; readonly serverUrl: string }>
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
  const clientID = randomId()
  let wanted: ReadonlySet<string> = new Set()
  let socket: WebSocket | undefined
  let isReady = false
  let isStopped = false
  let tries = 0
  let sequence = 0
  let lastEventId: string | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let silence: ReturnType<typeof setTimeout> | undefined

  const send = (message: object) => socket?.send(JSON.stringify(message))
  const subscribe = (topics: readonly string[]) => {
    if (topics.length > 0) send({ type: 'subscribe', id: String(++sequence), topics, since: lastEventId })
  }
  const heard = () => {
    clearTimeout(silence)
    silence = setTimeout(() => socket?.close(), SILENCE_MS)
  }

  const receive = (message: LiveMessage) => {
    heard()
    if (message.type === 'hello') {
      isReady = true
      tries = 0
      options.onState('live')
      subscribe([...wanted])
    }
    if (message.type === 'ping') send({ type: 'pong', t: message.t })
    if (message.type === 'resync') options.onResync(message.topics ?? [])
    if (message.type === 'session') options.onSession(message.state ?? '')
    if (message.type === 'event' && message.topic !== undefined) {
      lastEventId = message.id ?? lastEventId
      options.onEvent({ id: message.id ?? '', topic: message.topic, name: message.name ?? '' })
    }
  }

  const lost = () => {
    clearTimeout(silence)
    socket = undefined
    isReady = false
    if (isStopped) return
    options.onState(tries >= POLLING_AFTER_TRIES ? 'polling' : 'reconnecting')
    const waitMs = Math.min(1000 * 2 ** tries, LONGEST_WAIT_MS)
    tries++
    // Jitter keeps a whole office from knocking at the same moment after a restart.
    retry = setTimeout(() => void connect(), waitMs * (0.75 + Math.random() / 2))
  }

  const connect = async () => {
    clearTimeout(retry)
    try {
      const { token, serverUrl } = await options.requestToken(clientID)
      if (isStopped) return
      const opened = new WebSocket(serverUrl, SUBPROTOCOL)
      socket = opened
      opened.addEventListener('open', () => {
        heard()
        send({ type: 'auth', token, clientID })
      })
      opened.addEventListener('message', ({ data }) => receive(parse(data)))
      opened.addEventListener('close', ({ code }) => {
        if (socket !== opened) return
        if (code === SESSION_GONE && isReady) options.onSession('revoked')
        lost()
      })
    } catch {
      lost()
    }
  }

  void connect()
  return {
    setTopics: (topics) => {
      const next = new Set(topics)
      const gone = [...wanted].filter((topic) => !next.has(topic))
      const fresh = topics.filter((topic) => !wanted.has(topic))
      wanted = next
      if (!isReady) return
      if (gone.length > 0) send({ type: 'unsubscribe', id: String(++sequence), topics: gone })
      subscribe(fresh)
    },
    reconnect: () => {
      if (socket !== undefined || isStopped) return
      tries = 0
      options.onState('reconnecting')
      void connect()
    },
    stop: () => {
      isStopped = true
      clearTimeout(retry)
      clearTimeout(silence)
      socket?.close()
    },
  }
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
    return typeof value === 'object' && value !== null ? (value as LiveMessage) : {}
  } catch {
    return {}
  }
}
