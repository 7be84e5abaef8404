import type { CancelReason, FundingState, PaymentState } from '@kassa/contract/payments/machine.ts'
import type { Price, Usd } from '@kassa/primitives/money/rate.ts'

/** One request for money, with what is shown beside it. */
export type Payment = {
  readonly id: bigint
  readonly reference: string
  readonly invoiceId: string
  readonly amountUsd: Usd
  readonly status: PaymentState
  readonly fundingState: FundingState
  /** Why it ended; kept when late money fills it after all. */
  readonly cancelReason: CancelReason | null
  readonly late: boolean
  readonly createdBy: 'user' | 'system'
  /** Counted so far, in units of the asset asked for: seen money, and final money. */
  readonly seenUnits: bigint
  readonly filledUnits: bigint
  readonly overUnits: bigint
  /** Less than was asked counts as paid while at least so much is final: a person said so. */
  readonly acceptance: Acceptance | null
  /** Nothing more is to be done about it, until its money changes: a person said so. */
  readonly settlement: Resolved | null
  /** The newer request that replaced this one. */
  readonly supersededBy: bigint | null
  readonly filledUsd: Usd
  readonly description: string
  readonly metadata: Readonly<Record<string, unknown>>
  readonly successUrl: string | null
  readonly cancelUrl: string | null
  readonly rateLockedUntil: Date | null
  readonly expiresAt: Date
  readonly createdAt: Date
  readonly updatedAt: Date
  /** What must be paid, once the payer picked asset and network. */
  readonly terms: PinnedQuote | null
  readonly project: {
    readonly id: number
    readonly name: string
    readonly successEndpoint: string
    readonly cancelEndpoint: string
    readonly supportEmail: string
  }
  readonly customer: { readonly id: number; readonly customerId: string; readonly email: string }
}

/** A person's word that a payment is paid although some is missing. */
export type Acceptance = {
  readonly leastUnits: bigint
  readonly at: Date
  readonly by: string
  readonly note: string
}

/** A person's word that nothing more is to be done about a payment. */
export type Resolved = { readonly at: Date; readonly by: string; readonly note: string }

/** Asset, price and address of a payment, held by a quote. */
export type PinnedQuote = {
  readonly quoteId: bigint
  readonly dueUnits: bigint
  readonly price: Price
  readonly quotedAt: Date
  readonly address: string
  readonly asset: AssetFacts
}

export type AssetFacts = {
  readonly id: number
  readonly blockchainId: number
  readonly blockchainCode: string
  readonly currencyCode: string
  readonly address: string
  readonly decimals: number
  readonly isStable: boolean
}

/** A price held for a payment, with the sources it was made from. */
export type QuoteRow = {
  readonly id: bigint
  readonly assetId: number
  readonly blockchainCode: string
  readonly currencyCode: string
  readonly decimals: number
  readonly addressId: bigint
  readonly price: Price
  readonly dueUnits: bigint
  readonly quotedAt: Date
  readonly lockedUntil: Date
  readonly sources: readonly {
    readonly name: string
    /** The source's own text. */
    readonly price: string
    readonly at: Date
    readonly used: boolean
    readonly why?: string
  }[]
}
