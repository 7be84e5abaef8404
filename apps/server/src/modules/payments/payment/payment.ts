import type { CancelReason, FundingState, PaymentState } from '@kassa/contract/payments/machine.ts'
import type { Price, Usd } from '@kassa/primitives/money/rate.ts'

/** One request for money, with what is shown beside it. */
export type Payment = {
  readonly id: bigint
  readonly reference: string
  /** The merchant's own; the reference when they gave none. */
  readonly invoiceId: string
  readonly amountUsd: Usd
  readonly status: PaymentState
  readonly fundingState: FundingState
  /** Why it ended; stays when a late deposit fills it after all. */
  readonly cancelReason: CancelReason | null
  readonly late: boolean
  readonly createdBy: 'user' | 'system'
  /** Counted so far, in units of the asset asked for: seen money, and final money. */
  readonly seenUnits: bigint
  readonly filledUnits: bigint
  readonly overUnits: bigint
  /** An operator accepted an underpayment: it counts as paid while at least so much is final. */
  readonly acceptance: Acceptance | null
  /** An operator marked it as resolved; it stays so until its deposits change. */
  readonly resolved: Resolved | null
  /** The newer payment that replaced this one. */
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
  readonly quote: PinnedQuote | null
  readonly project: {
    readonly id: number
    readonly name: string
    readonly successEndpoint: string
    readonly cancelEndpoint: string
    readonly supportEmail: string
  }
  readonly customer: { readonly id: number; readonly customerId: string; readonly email: string }
}

/** An operator's decision that an underpaid payment counts as paid. */
export type Acceptance = {
  readonly leastUnits: bigint
  readonly at: Date
  readonly by: string
  readonly note: string
}

/** An operator's decision that a payment needs nothing more. */
export type Resolved = { readonly at: Date; readonly by: string; readonly note: string }

/** Asset, rate and address that a payment is pinned to by a quote. */
export type PinnedQuote = {
  readonly quoteId: bigint
  readonly dueUnits: bigint
  readonly price: Price
  readonly quotedAt: Date
  readonly address: string
  /** What the address is derived from. */
  readonly derivation: { readonly walletId: number; readonly familyId: number; readonly index: number }
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

/** A quote of a payment, with the price sources behind its rate. */
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
