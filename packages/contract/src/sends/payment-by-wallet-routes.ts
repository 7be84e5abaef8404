/** Paying with a wallet of the browser that signs and sends nothing itself (TRON, Solana). */
import * as z from 'zod/mini'

import { text } from '../kit/fields.ts'
import { route } from '../kit/route.ts'
import { SentDraft, SignedDraft, WalletDraft } from './wallet-drafts.ts'

const params = z.object({ ref: z.string() })

const ERRORS = ['PAYMENT_REFERENCE_UNKNOWN', 'PAYMENT_NOT_OPEN', 'FAMILY_UNSUPPORTED', 'NODE_UNREACHABLE'] as const

/** Who pays, and how much: the page's own words, which the wallet shows again. */
export const WalletPayment = z.object({
  from: text('Account', { max: 100 }),
  /** In the natural unit of what the payment asks for. */
  amount: text('Amount', { max: 100 }).check(
    z.regex(/^\d+(\.\d+)?$/, { error: 'Amount must be a decimal number', abort: true }),
    z.refine((value) => /[1-9]/.test(value), { error: 'Amount must be greater than 0' }),
  ),
})
export type WalletPayment = z.output<typeof WalletPayment>

export const paymentWalletRoutes = {
  draftPayment: route({
    id: 'Y29',
    methods: ['POST'],
    paths: ['/payment/reference/{ref}/wallet-transaction'],
    summary: 'Write the transaction by which an account pays a payment, for its wallet to sign',
    access: { reference: true },
    rate: 'checkout-write',
    params,
    body: WalletPayment,
    response: WalletDraft,
    errors: [...ERRORS, 'ADDRESS_INVALID'],
    repeatable: true,
  }),

  sendDraft: route({
    id: 'Y30',
    methods: ['POST'],
    paths: ['/payment/reference/{ref}/wallet-transaction/send'],
    summary: 'Give nodes what a wallet signed, if it pays this payment',
    access: { reference: true },
    rate: 'checkout-write',
    params,
    body: SignedDraft,
    response: SentDraft,
    errors: [...ERRORS, 'TRANSACTION_UNREADABLE', 'TRANSACTION_REFUSED', 'TRANSACTION_EXPIRED'],
    repeatable: true,
  }),
}
