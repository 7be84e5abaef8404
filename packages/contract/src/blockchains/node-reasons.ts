import * as z from 'zod/mini'

import { int } from '../kit/codecs.ts'
import { reason } from '../kit/reason.ts'

const text = z.string()

/** Why a node is not used. */
export const NODE_REASONS = {
  /** `detail` says which block of which branch it has, as the comparison stored it. */
  other_branch: reason({ params: z.object({ detail: text }), text: ({ detail }) => detail }),
  /** `detail` is why the node itself, or its address, may not be used. */
  refused: reason({ params: z.object({ detail: text }), text: ({ detail }) => detail }),
  behind: reason({
    params: z.object({ lagBlocks: int }),
    text: ({ lagBlocks }) => `It is ${lagBlocks} blocks behind the best node.`,
  }),
  ahead: reason({
    params: z.object({ aheadBlocks: int }),
    text: ({ aheadBlocks }) =>
      `Its newest block is ${aheadBlocks} above every other node's, more than the time allows. It is asked last.`,
  }),
  calls_used_up: reason({
    params: z.object({ calls: int }),
    text: ({ calls }) => `Its ${calls} calls of today are used up.`,
  }),
  /** `until` is RFC 3339; `error` is what the node, or the connection, last answered. */
  backoff: reason({
    params: z.object({ until: text, error: z.nullable(text) }),
    text: ({ until, error }) => `Not used until ${until.slice(11, 19)} UTC: ${error ?? 'it failed'}`,
  }),
} as const
