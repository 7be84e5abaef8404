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

export type WebsocketToken = z.output<typeof WebsocketToken>
