import * as z from 'zod/mini'

import { pageInput, spanInput } from '../kit/paging.ts'
import { depositMachine } from './machine.ts'

const words = z.optional(z.array(z.string()))

export const DepositFilters = z.object({
  ...pageInput,
  ...spanInput,
  /** `confirmed` was a state once: it is still understood, and no deposit is in it. */
  status: z.optional(z.array(z.enum([...depositMachine.states, 'confirmed'], { error: 'Unknown status' }))),
  blockchainCode: words,
  currencyCode: words,
  txHash: z.optional(z.string()),
  /** The customer's row. */
  memberID: z.optional(z.int()),
})

export type DepositFilters = z.output<typeof DepositFilters>
