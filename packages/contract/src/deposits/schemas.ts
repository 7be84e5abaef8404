import * as z from 'zod/mini'

import { dec, id, int, ts, usd, uuid } from '../kit/codecs.ts'
import { depositMachine } from './machine.ts'

/** One incoming on-chain transfer to an address of ours, with its confirmations. */
export const Deposit = z.object({
  id,
  createdAt: ts,
  blockchainCode: z.string(),
  currencyCode: z.string(),
  txHash: z.string(),
  leg: z.string(),
  blockNumber: z.nullable(int),
  fromAddress: z.nullable(z.string()),
  toAddress: z.string(),
  amount: dec,
  amountInUSD: z.nullable(usd),
  confirmations: int,
  confirmationRequired: int,
  status: z.enum(depositMachine.states),
  reason: z.nullable(z.string()),
  /** Why it is not final although it is deep enough. */
  waitsBecause: z.nullable(z.string()),
  referenceID: z.nullable(uuid),
  memberID: z.nullable(id),
  externalPlatformID: z.nullable(id),
})

export type Deposit = z.output<typeof Deposit>
