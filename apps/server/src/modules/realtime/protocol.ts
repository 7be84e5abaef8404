/** The messages of the socket (api.md 7). */
import * as z from 'zod/mini'

/** Why a socket is closed, by code. */
export const CLOSE = {
  malformed: 4400,
  unauthorised: 4401,
  origin: 4403,
  timeout: 4408,
  replaced: 4409,
  tooBig: 4413,
  tooMany: 4429,
  restarting: 1012,
} as const

/** The subprotocol a client asks for. */
export const PROTOCOL = 'kassa.v1'

/** A first message must arrive within this. */
export const AUTH_MS = 5000
export const HEARTBEAT_SECONDS = 25
/** A socket without a sign of life for this long is dead. */
export const SILENCE_MS = 60_000
export const MAX_MESSAGE_BYTES = 16 * 1024
export const MAX_MESSAGES_PER_SECOND = 20
export const MAX_TOPICS = 200

const topics = z.array(z.string().check(z.maxLength(100)))

export const ClientMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('auth'), token: z.string(), clientID: z.string() }),
  z.object({
    type: z.literal('subscribe'),
    id: z.union([z.string(), z.number()]),
    topics,
    since: z.optional(z.string()),
  }),
  z.object({ type: z.literal('unsubscribe'), id: z.union([z.string(), z.number()]), topics }),
  z.object({ type: z.literal('ping'), t: z.optional(z.unknown()) }),
  z.object({ type: z.literal('pong'), t: z.optional(z.unknown()) }),
])

export type ClientMessage = z.output<typeof ClientMessage>

/** Reads one message; null when it is not one of the protocol. */
export function readMessage(text: string): ClientMessage | null {
  try {
    const result = ClientMessage.safeParse(JSON.parse(text))
    return result.success ? result.data : null
  } catch {
    return null
  }
}
