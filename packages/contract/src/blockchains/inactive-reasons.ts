import * as z from 'zod/mini'

import { reason, sentence } from '../kit/reason.ts'

/** Why a network is inactive, as it is stored with the network. */
export const INACTIVE_REASONS = {
  not_started: sentence('Switch it on: its local chain starts with it.'),
  no_node: sentence('Add a node.'),
  switched_off: sentence('Switched off by an operator.'),
  /** `error` is what the program of the local chain said, or what it lacks. */
  local_chain_failed: reason({ params: z.object({ error: z.string() }), text: ({ error }) => error }),
} as const
