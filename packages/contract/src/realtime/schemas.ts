import * as z from 'zod/mini'

import { id, ts } from '../kit/codecs.ts'

export const WebsocketToken = z.object({
  id,
  createdAt: ts,
  updatedAt: ts,
  /** 32 hex digits, good once, for the first message of the socket. */
  token: z.string(),
  serverUrl: z.string(),
  expiry: ts,
  clientId: z.string(),
  memberId: z.int(),
  Member: z.null(),
})

/** The first message of the server on a live channel (api.md 7). */
export const Hello = z.object({
  type: z.literal('hello'),
  sessionExpiresAt: ts,
  heartbeatSeconds: z.int(),
  serverTime: ts,
  version: z.string(),
  /** As in `Me`: where it differs, permissions changed since, and are read again. */
  permissionsVersion: z.string(),
})

export type Hello = z.output<typeof Hello>

export type WebsocketToken = z.output<typeof WebsocketToken>
