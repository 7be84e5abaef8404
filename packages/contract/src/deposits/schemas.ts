import * as z from 'zod/mini'

import { dec, id, int, ts, usd, uuid } from '../kit/codecs.ts'
import { codeShape, reasonShape } from '../kit/reason-shape.ts'
import { depositMachine } from './machine.ts'
import type { DepositReason } from './reasons.ts'
import type { DEPOSIT_WAITS } from './waits.ts'

/** Why a deposit is not final although it is deep enough. */
export const DepositWaits = z.nullable(reasonShape<typeof DEPOSIT_WAITS>())

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
  /** Why it has its state; null for exactly what was asked for. */
  reason: z.nullable(codeShape<DepositReason>()),
  waits: DepositWaits,
  /** The text of `waits`, for clients that print it. */
  waitsBecause: z.nullable(z.string()),
  referenceID: z.nullable(uuid),
  memberID: z.nullable(id),
  externalPlatformID: z.nullable(id),
})

export type Deposit = z.output<typeof Deposit>
