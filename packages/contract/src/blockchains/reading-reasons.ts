import * as z from 'zod/mini'

import { int, usd } from '../kit/codecs.ts'
import { type Cause, reason, sentence } from '../kit/reason.ts'
import { Halt, haltText } from './halts.ts'

const text = z.string()

/** Why a network is not read: halted, or waiting. */
export const STOP_REASONS = {
  halted: reason({ params: z.object({ halt: Halt }), text: ({ halt }) => haltText(halt) }),
  /** `error` is what the node, the connection or the database answered, or a sentence of an older version. */
  read_failed: reason({ params: z.object({ error: text }), text: ({ error }) => error }),
  no_process: sentence('No process reads this network right now.'),
} as const

/** What operators should know about a network although reading it continues. */
export const NETWORK_NOTICES = {
  block_unreadable: reason({
    params: z.object({ height: int }),
    text: ({ height }) => `Block ${height} could not be read as a whole, and it names an address of yours.`,
  }),
  internal_transfers_hidden: reason({
    params: z.object({ network: text, height: int }),
    text: ({ network, height }) =>
      `The node shows nothing of what contracts pass on, up to block ${height}: such deposits are missed, and ${network}'s own coin is not swept. Switch vm.saveInternalTx on in the node, or use another one, then read these blocks again.`,
  }),
  finality_stalled: reason({
    /** Deposits wait from `fromUSD` on; null: all of them. */
    params: z.object({ height: int, minutes: int, fromUSD: z.nullable(usd) }),
    text: ({ height, minutes, fromUSD }) => {
      const who =
        fromUSD === null
          ? 'Deposits wait for it'
          : `Deposits of $${Number(fromUSD).toLocaleString('en-US')} or more wait for it; smaller ones follow their depth`
      return `Nothing has become final above block ${height} for ${minutes} minutes. ${who}.`
    },
  }),
  /** `text` is a sentence, or the code, of another version. */
  unknown_notice: reason({ params: z.object({ text }), text: (params) => params.text }),
} as const

/** Why a network is not read. */
export type StopCause = Cause<typeof STOP_REASONS>

/** What operators should know about a network although reading it continues. */
export type NoticeCause = Cause<typeof NETWORK_NOTICES>
