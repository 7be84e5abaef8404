import * as z from 'zod/mini'

import { dec, id, int, ts, uuid } from '../kit/codecs.ts'

/** What a sandbox payer can do with a payment (api.md X2). */
export const PAY_CASES = ['exact', 'under', 'over', 'late', 'wrong_token', 'two_parts'] as const

export type PayCase = (typeof PAY_CASES)[number]

export const Sandbox = z.object({
  chains: z.array(z.object({ code: z.string(), height: int })),
  payer: z.array(
    z.object({
      blockchainCode: z.string(),
      address: z.string(),
      balances: z.array(z.object({ currencyCode: z.string(), amount: dec })),
    }),
  ),
})

export type Sandbox = z.output<typeof Sandbox>

export const Pay = z.object({
  case: z.optional(z.enum(PAY_CASES, { error: `Case must be one of: ${PAY_CASES.join(', ')}` })),
  amount: z.optional(
    z.string().check(z.regex(/^\d{1,60}(\.\d{1,36})?$/, { error: 'Amount must be a decimal number' })),
  ),
  blockchainCode: z.optional(z.string()),
  currencyCode: z.optional(z.string()),
})

/** How much the payer of the sandbox sends to a hot wallet. */
export const Fund = z.object({
  walletID: z.int({ error: 'Wallet is required' }),
  blockchainCode: z.string({ error: 'Blockchain is required' }),
  currencyCode: z.string({ error: 'Currency is required' }),
  amount: z
    .string({ error: 'Amount must be a decimal number' })
    .check(z.regex(/^\d{1,60}(\.\d{1,36})?$/, { error: 'Amount must be a decimal number' })),
})

export type Fund = z.output<typeof Fund>

export const Paid = z.object({ txHash: z.string(), blockchainCode: z.string() })

/** A referral that the sandbox made: its reward follows when the payment is final. */
export const BroughtFriend = z.extend(Paid, {
  promoterID: id,
  campaignID: id,
  /** Of the friend's payment. */
  referenceID: uuid,
  /** The link to the promoter's page. */
  promoterPage: z.string(),
})

/** An e-mail that the sandbox kept instead of sending it. */
export const SandboxEmail = z.object({
  id,
  createdAt: ts,
  to: z.string(),
  subject: z.string(),
  paragraphs: z.array(z.string()),
  /** The one thing to press. */
  action: z.nullable(z.object({ label: z.string(), url: z.string() })),
  /** Why it was written. */
  foot: z.string(),
})

export type SandboxEmail = z.output<typeof SandboxEmail>
