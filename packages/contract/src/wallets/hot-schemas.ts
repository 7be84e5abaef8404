import * as z from 'zod/mini'

import { positiveUsd, text } from '../kit/fields.ts'

/** What a hot wallet is for: `gas` pays network fees of sweeps, `payout` sends payouts. Two keys, unless one is named for both. */
export const HOT_PURPOSES = ['gas', 'payout'] as const

export type HotPurpose = (typeof HOT_PURPOSES)[number]

/** What a hot wallet may hold before the excess is shown, in US dollars. */
export const DEFAULT_FLOAT_LIMIT = '500'

/** Longer than any spelling of a private key; words of a phrase are refused by their shape. */
const LONGEST_KEY = 300

/**
 * A hot wallet that the server makes a key for (`generate`), or whose key is imported once. The key is never answered, logged
 * or stored in the open.
 */
export const NewHotWallet = z
  .object({
    name: text('Name', { max: 100 }),
    privateKey: z.optional(text('Private key', { max: LONGEST_KEY })),
    generate: z.optional(z.boolean({ error: 'Generate must be true or false' })),
    floatLimitInUSD: z.optional(positiveUsd('Limit')),
    functions: z.optional(
      z
        .array(z.enum(HOT_PURPOSES, { error: `Functions must be one of: ${HOT_PURPOSES.join(', ')}` }))
        .check(z.minLength(1, { error: 'Functions are required' }), z.maxLength(HOT_PURPOSES.length)),
    ),
    /** The default vault when absent. */
    vaultID: z.optional(z.int({ error: 'Vault must be a number' })),
  })
  .check(
    z.refine(({ privateKey, generate }) => (privateKey === undefined) === (generate === true), {
      error: 'Either paste a private key, or let the server make one',
      path: ['privateKey'],
    }),
  )

export type NewHotWallet = z.output<typeof NewHotWallet>
