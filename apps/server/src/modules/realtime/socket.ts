import { isDeepStrictEqual } from 'node:util'

import type { WebSocket } from 'ws'

import { graphsChangedBy } from '@kassa/contract/analytics/changes.ts'
import type { Hello } from '@kassa/contract/realtime/schemas.ts'

import type { Context, LiveMessage } from '../../context.ts'
import { remembered } from '../../memory.ts'
import type { SessionFacts } from '../../credentials.ts'
import { findSessionFacts, permissionsVersion } from '../auth/sessions/service.ts'
import { type ChangedGraphs, collectChanges } from './changed-graphs.ts'
import {
  AUTH_MS,
  type ClientMessage,
  CLOSE,
  HEARTBEAT_SECONDS,
  MAX_MESSAGE_BYTES,
  MAX_MESSAGES_PER_SECOND,
  MAX_TOPICS,
  readMessage,
  SILENCE_MS,
} from './protocol.ts'
import { ANALYTICS_PERMISSION, analyticsTopics, holds, readTopic, topicsOf } from './rules.ts'
import { sendMessage } from './send-message.ts'
import { useToken } from './tokens.ts'

/** How long the permissions of a session are cached: a burst of events costs one read. */
const FACTS_MS = 1000

/** One open socket of a tab. */
type Connection = {
  readonly ctx: Context
  readonly socket: WebSocket
  readonly origin: string | undefined
  readonly topics: Set<string>
  session: SessionFacts | null
  factsAt: number
  /** Operator and client id, once both are known. */
  tab: string | null
  lastMessageAt: number
  /** Messages in the running second. */
  rate: { second: number; count: number }
  /** Which graphs changed, at most once a second. */
  readonly changes: ChangedGraphs
  /** Messages are handled one after the other: `subscribe` may follow `auth` at once. */
  queue: Promise<void>
  /** Events are sent one after the other: those behind one that reads the session again do not overtake it. */
  outgoing: Promise<void>
}

/** Sockets of this process by tab, so that a tab that connects again replaces its old one, and no other tab's. */
const connections = remembered(() => new Map<string, Connection>())

/** Speaks the protocol of api.md 7 on a socket until it closes. */
export function serveSocket(ctx: Context, socket: WebSocket, origin: string | undefined): void {
  const byTab = connections(ctx)
  const connection: Connection = {
    ctx,
    socket,
    origin,
    topics: new Set(),
    session: null,
    factsAt: Date.now(),
    tab: null,
    lastMessageAt: performance.now(),
    rate: { second: 0, count: 0 },
    changes: collectChanges(
      (topic, graphIDs) => void nameChanges(connection, topic, graphIDs).catch(askAgain(connection, [topic])),
    ),
    queue: Promise.resolve(),
    outgoing: Promise.resolve(),
  }
  const unsubscribe = ctx.live.subscribe((message) => {
    connection.outgoing = connection.outgoing
      .then(() => forward(connection, message))
      .catch(askAgain(connection, connection.topics))
  })
  const authTimer = setTimeout(() => connection.session ?? socket.close(CLOSE.timeout, 'No auth in time'), AUTH_MS)
  const heartbeat = setInterval(() => checkConnection(connection), HEARTBEAT_SECONDS * 1000)
  socket.on('message', (raw: Buffer) => take(connection, raw))
  socket.on('error', logTo(connection))
  socket.once('close', () => {
    clearTimeout(authTimer)
    clearInterval(heartbeat)
    unsubscribe()
    connection.changes.stop()
    if (connection.tab !== null && byTab.get(connection.tab) === connection) byTab.delete(connection.tab)
  })
}

function take(connection: Connection, raw: Buffer): void {
  const { socket } = connection
  connection.lastMessageAt = performance.now()
  if (raw.length > MAX_MESSAGE_BYTES) return socket.close(CLOSE.tooBig, 'The message is too big')
  if (isTooFast(connection)) return socket.close(CLOSE.tooMany, 'Too many messages')
  const message = readMessage(raw.toString('utf8'))
  if (!message) return socket.close(CLOSE.malformed, 'Not a message of this protocol')
  connection.queue = connection.queue.then(() => handle(connection, message)).catch(logTo(connection))
}

async function handle(connection: Connection, message: ClientMessage): Promise<void> {
  const { socket } = connection
  if (socket.readyState !== socket.OPEN) return
  if (message.type === 'auth') {
    if (connection.session) return socket.close(CLOSE.malformed, 'This socket is open already')
    return authenticate(connection, message)
  }
  if (!connection.session) return socket.close(CLOSE.unauthorised, 'Send auth first')
  if (message.type === 'ping') return send(connection, { type: 'pong', t: message.t ?? null })
  if (message.type === 'subscribe') return subscribe(connection, message)
  if (message.type === 'unsubscribe') for (const topic of message.topics) connection.topics.delete(topic)
}

async function authenticate(connection: Connection, message: Extract<ClientMessage, { type: 'auth' }>): Promise<void> {
  const { ctx, socket, origin } = connection
  const used = await useToken(ctx, message.token, message.clientID, origin)
  if (used === 'origin') return socket.close(CLOSE.origin, 'This token is not for this origin')
  const session = used && (await findSessionFacts(ctx, used.sessionId))
  if (!used || !session || !mayListen(session)) return socket.close(CLOSE.unauthorised, 'The token is not valid')
  if (socket.readyState !== socket.OPEN) return
  const byTab = connections(ctx)
  const tab = `${session.operatorId} ${message.clientID}`
  byTab.get(tab)?.socket.close(CLOSE.replaced, 'This tab connected again')
  byTab.set(tab, connection)
  connection.tab = tab
  connection.session = session
  connection.factsAt = Date.now()
  send(connection, {
    type: 'hello',
    sessionExpiresAt: session.expiresAt,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    serverTime: ctx.now(),
    version: ctx.config.version,
    // No event says what changed since the page read its permissions, so the page compares versions.
    permissionsVersion: permissionsVersion(session.grants),
  } satisfies Hello)
}

function subscribe(connection: Connection, message: Extract<ClientMessage, { type: 'subscribe' }>): void {
  const { session, topics } = connection
  const refused: { topic: string; code: string }[] = []
  const taken = message.topics.filter((name) => {
    const topic = readTopic(name)
    const isAllowed = topic && session && holds(session.grants, topic.permission, topic.projectId)
    if (!isAllowed) refused.push({ topic: name, code: topic ? 'FORBIDDEN' : 'ROUTE_NOT_FOUND' })
    return isAllowed
  })
  for (const name of taken) topics.add(name)
  if (topics.size > MAX_TOPICS) return connection.socket.close(CLOSE.tooMany, 'Too many topics')
  if (taken.length > 0) send(connection, { type: 'subscribed', id: message.id, topics: taken })
  if (refused.length > 0) send(connection, { type: 'refused', id: message.id, topics: refused })
  // A tab that was disconnected reads its lists again, so they are current whatever it missed.
  if (message.since !== undefined && taken.length > 0) send(connection, { type: 'resync', topics: taken })
}

async function forward(connection: Connection, message: LiveMessage | null): Promise<void> {
  if (!connection.session) return
  if (message === null) {
    if (connection.topics.size > 0) send(connection, { type: 'resync', topics: [...connection.topics] })
    return
  }
  noteChanges(connection, message)
  const { topics, permission, operatorId } = topicsOf(message)
  // The event may have ended the session of this socket's operator, or changed what it may do.
  if (operatorId !== undefined && operatorId === connection.session.operatorId) await readSessionAgain(connection)
  const wanted = topics.filter((topic) => connection.topics.has(topic))
  if (wanted.length === 0) return
  const session = await freshSession(connection)
  if (!session || !holds(session.grants, permission, message.projectId)) return
  if (operatorId !== undefined && operatorId !== session.operatorId) return
  for (const topic of wanted) {
    send(connection, {
      type: 'event',
      id: typeof message.data.id === 'string' ? message.data.id : '',
      topic,
      name: message.name,
      at: message.at,
      data: { projectId: message.projectId, referenceId: message.referenceId ?? null, ...message.data },
    })
  }
}

/** Notes the graphs that a message changes, for the topics that name them; under all projects only those that the tab may read. */
function noteChanges({ topics, changes, session }: Connection, { name, projectId }: LiveMessage): void {
  const graphIDs = projectId === null ? [] : graphsChangedBy(name)
  if (projectId === null || graphIDs.length === 0) return
  if (!session || !holds(session.grants, ANALYTICS_PERMISSION, projectId)) return
  for (const topic of analyticsTopics(projectId)) if (topics.has(topic)) changes.add(topic, graphIDs)
}

/** Names changed graphs, when the tab may still read them. */
async function nameChanges(connection: Connection, topic: string, graphIDs: number[]): Promise<void> {
  const projectId = readTopic(topic)?.projectId ?? null
  const session = await freshSession(connection)
  if (!connection.topics.has(topic) || !session || !holds(session.grants, ANALYTICS_PERMISSION, projectId)) return
  const at = connection.ctx.now().toISOString()
  send(connection, { type: 'event', id: '', topic, name: 'analytics.changed', at, data: { projectId, graphIDs } })
}

/** Notifies at once that the roles changed, or that the session ended. */
async function readSessionAgain(connection: Connection): Promise<void> {
  const former = connection.session
  connection.factsAt = 0
  const session = await freshSession(connection)
  if (session && former && !isDeepStrictEqual(session.grants, former.grants)) {
    send(connection, { type: 'session', state: 'roles-changed' })
  }
}

/** Reads what the session may do now; closes the socket when the session has ended. */
async function freshSession(connection: Connection): Promise<SessionFacts | null> {
  const { ctx, socket, session } = connection
  // A time in the future comes from a clock that was set back since.
  if (!session || Math.abs(Date.now() - connection.factsAt) < FACTS_MS) return session
  connection.factsAt = Date.now()
  const facts = await findSessionFacts(ctx, session.sessionId)
  connection.session = facts && mayListen(facts) ? facts : null
  if (!connection.session) {
    send(connection, { type: 'session', state: facts ? 'restricted' : 'revoked' })
    socket.close(CLOSE.unauthorised, 'The session has ended')
  }
  return connection.session
}

/** As the routes: who must first choose a password, or set up a second factor, learns nothing (api.md 2.4, 2.6). */
function mayListen({ restricted, missingFactor }: SessionFacts): boolean {
  return !restricted && missingFactor !== 'always'
}

function checkConnection(connection: Connection): void {
  if (performance.now() - connection.lastMessageAt > SILENCE_MS)
    return connection.socket.close(CLOSE.timeout, 'No sign of life')
  send(connection, { type: 'ping', t: Date.now() })
  void freshSession(connection).catch(logTo(connection))
}

function isTooFast({ rate }: Connection): boolean {
  const second = Math.floor(Date.now() / 1000)
  if (rate.second !== second) Object.assign(rate, { second, count: 0 })
  rate.count += 1
  return rate.count > MAX_MESSAGES_PER_SECOND
}

function send({ socket }: Connection, message: object): void {
  sendMessage(socket, message)
}

/** What could not be sent, because the session could not be read, is not lost: the tab reads these topics again. */
function askAgain(connection: Connection, topics: Iterable<string>): (thrown: unknown) => void {
  return (thrown) => {
    logTo(connection)(thrown)
    const missed = [...topics]
    if (connection.session && missed.length > 0) send(connection, { type: 'resync', topics: missed })
  }
}

function logTo({ ctx }: Connection): (thrown: unknown) => void {
  return (thrown) => ctx.log.warn({ err: thrown }, 'socket')
}
