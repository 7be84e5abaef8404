/** Whether a project and its networks can take payments. */
import * as z from 'zod/mini'

import { int } from '../kit/codecs.ts'
import { AnyReason } from '../kit/reason-shape.ts'

const text = z.string()

/** What a project needs before it can take payments; what each says stands in `readiness-reasons.ts`. */
export const MISSING_KINDS = ['site_url', 'node', 'asset', 'wallet'] as const

/** Why payments on a network are not noticed, or not in time. */
export const OBSTACLE_KINDS = [
  'switched_off',
  'no_node',
  'stopped',
  'not_read',
  'behind',
  'no_wallet',
  'no_addresses',
] as const

/** Programs branch on the kind; the text is for people. */
export const NetworkObstacle = z.object({
  kind: z.enum(OBSTACLE_KINDS),
  params: z.object({
    network: z.optional(text),
    lagBlocks: z.optional(int),
    reason: z.optional(text),
    cause: z.optional(AnyReason),
  }),
  text,
})

export type NetworkObstacle = z.output<typeof NetworkObstacle>

/** Why nothing happens to a payment although it waits for its network. */
export const NetworkWait = z.object({
  code: z.literal('network_not_followed'),
  /** `obstacle` is null for payers, because it may name a node, which only the merchant may see. */
  params: z.object({ network: text, obstacle: z.nullable(NetworkObstacle) }),
  text,
})

/** Whether a project can take payments, and what is missing. */
export const Readiness = z.object({
  ready: z.boolean(),
  missing: z.array(
    z.object({
      kind: z.enum(MISSING_KINDS),
      params: z.object({ networks: z.optional(z.array(text)) }),
      family: z.optional(text),
      blockchainCode: z.optional(text),
      text,
      /** Where in the dashboard it is fixed. */
      fixPath: text,
    }),
  ),
  chains: z.array(
    z.object({
      blockchainCode: text,
      ready: z.boolean(),
      lagBlocks: z.nullable(int),
      reasons: z.array(NetworkObstacle),
    }),
  ),
  /** Dollars, rounded up to cents, that the payment method with the smallest minimum takes; null while one has no price. */
  leastAmountInUSD: z.nullable(text),
})

export type Readiness = z.output<typeof Readiness>
