/** What the payer's pages show, and what they are given to draw and to call. */
import type { Diagnosis } from '@kassa/contract/payments/diagnosis.ts'
import type { DepositAddress, PaymentOption, PaymentPublic, ProjectPublic } from '@kassa/contract/payments/schemas.ts'
import type { RefundClaimState } from '@kassa/contract/refund-claims/schemas.ts'
import type { NetworkMode } from '@kassa/primitives/chains/blockchain.ts'

import type { Context } from '../../context.ts'
import type { CheckoutBuild } from '../checkout-build.ts'
import type { Preferences } from '../preferences.ts'
import type { AddressesRenderer } from './addresses.ts'
import type { Asked, Question } from './question.ts'
import type { Refused } from './refusal.ts'

/** What a payer's page is drawn from. */
export type CheckoutFacts = {
  readonly payment: PaymentPublic
  /** Who pays, as far as everybody with the link may know; empty where the shop gave no e-mail. */
  readonly payerEmail: string
  /** What the payer may claim back, and has claimed. */
  readonly refund: RefundClaimState
  /** Whether the receipt can be mailed. */
  readonly mailsReceipts: boolean
  readonly project: ProjectPublic
  readonly options: readonly PaymentOption[]
  readonly addresses: readonly DepositAddress[]
  readonly prices: readonly {
    readonly blockchainCode: string
    readonly currencyCode: string
    readonly price: string | null
  }[]
  /** Where a transaction of the network that the payment is on can be looked up, with `{tx}` in its place. */
  readonly explorerTransaction: string | null
}

/** What a page is drawn from beside the payment. */
export type PageFacts = Preferences & {
  readonly now: Date
  readonly siteUrl: string
  readonly scriptUrl: string
  readonly walletUrls: Readonly<Record<string, string>>
  readonly networkMode: NetworkMode
  readonly compact: boolean
  readonly display: 'screen' | undefined
  readonly refreshEvery: number | undefined
  readonly error: Refused | undefined
  readonly asked: Asked | undefined
  readonly paysAgain: boolean
}

export type RenderedPage = { readonly html: string; readonly styleHashes: readonly string[] }
type RefundRenderer = (view: CheckoutFacts & PageFacts & { readonly typed: TypedClaim | undefined }) => RenderedPage
type PageRenderer = (view: CheckoutFacts & PageFacts) => RenderedPage
type ReceiptRenderer = (view: CheckoutFacts & PageFacts & ReceiptState) => RenderedPage
/** Whether the mail was requested; `typed` is a refused address as it was typed. */
type ReceiptState = { readonly isMailed?: boolean; readonly typed?: string }
export type Choice = { readonly blockchain_code: string; readonly currency_code: string }

/** A mail as it is sent, in the language of the page. */
export type ReceiptText = {
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly action?: { readonly label: string; readonly url: string }
  readonly foot: string
  readonly language: { readonly code: string; readonly dir: 'ltr' | 'rtl' }
}

/** Queues the mail; an empty address means the customer's own. @throws SMTP_NOT_CONFIGURED */
export type RequestReceipt = (
  ctx: Context,
  reference: string,
  request: { readonly address: string; readonly message: ReceiptText },
) => Promise<'queued' | 'limited' | 'not_paid' | 'no_address'>

/** A claim as it was typed. */
export type TypedClaim = { readonly blockchainCode: string; readonly address: string }

/** Stores a claim. @throws the errors of claiming a refund */
export type ClaimRefund = (ctx: Context, reference: string, claim: TypedClaim) => Promise<unknown>

/** Renders the pages; app.ts passes the functions of the checkout's own package. */
export type CheckoutRenderers = {
  readonly checkout: PageRenderer
  readonly receipt: ReceiptRenderer
  readonly receiptMail: (view: CheckoutFacts & PageFacts) => ReceiptText
  readonly refund: RefundRenderer
  readonly addresses: AddressesRenderer
  readonly unknown: (preferences: Preferences) => RenderedPage
  readonly fault: (requestId: string, preferences: Preferences) => RenderedPage
  readonly hasReceipt: (payment: PaymentPublic) => boolean
  readonly onlyOption: (options: readonly PaymentOption[]) => PaymentOption | null
  readonly readChoice: (form: Readonly<Record<string, string>>) => Choice | null
}

/** The use cases of payments that the pages call; app.ts passes them. */
export type CheckoutCalls = {
  /** @throws PAYMENT_REFERENCE_UNKNOWN */
  readonly load: (ctx: Context, reference: string) => Promise<CheckoutFacts>
  /** @throws the errors of choosing an asset */
  readonly choose: (ctx: Context, reference: string, choice: Choice) => Promise<void>
  /** @throws VALIDATION_FAILED and BLOCKCHAIN_NOT_FOUND for what the form cannot mean */
  readonly diagnose: (ctx: Context, reference: string, question: Question) => Promise<Diagnosis>
  /** @throws the errors of claiming a refund */
  readonly claim: ClaimRefund
  readonly mailReceipt: RequestReceipt
  /** On the sandbox only. @throws the errors of paying with test money */
  readonly payWithTestMoney: (ctx: Context, reference: string) => Promise<void>
  readonly siteUrl: (ctx: Context) => Promise<string | null>
  /** The key that address proofs are signed with, base64. */
  readonly proofKey: (ctx: Context) => Promise<string>
  /** Counts the caller, and the payment, in the same limits as the routes behind the pages. @throws RATE_LIMITED */
  readonly limit: (
    ctx: Context,
    rate: 'checkout-read' | 'checkout-write' | 'diagnose' | 'test-payment',
    ip: string,
    reference?: string,
  ) => Promise<unknown>
}

/** What the answers of all pages need. */
export type Pages = {
  readonly ctx: Context
  readonly draw: CheckoutRenderers
  readonly calls: CheckoutCalls
  readonly build: CheckoutBuild
}
