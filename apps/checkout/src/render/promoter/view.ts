import type { Preferences } from '../view.ts'

/** A decimal text and the currency it is in. */
export type Sum = { readonly amount: string; readonly currencyCode: string }

/** What a promoter has of one currency. */
export type PromoterTotals = {
  readonly currencyCode: string
  readonly earned: string
  readonly available: string
  readonly held: string
  readonly paid: string
}

/** What one side gets for a sale. */
export type Offer = { readonly amount: Sum } | { readonly percent: string; readonly cap: Sum | null }

/** How often somebody who came with the link counts. */
export type OfferLimit =
  | { readonly kind: 'once' }
  | { readonly kind: 'forever' }
  | { readonly kind: 'months' | 'times'; readonly n: number }

export type PromoterCampaign = {
  readonly name: string
  readonly description: string
  readonly reward: Offer | null
  readonly inviteeReward: Offer | null
  readonly limit: OfferLimit
  readonly endDate: Date | null
}

export type PromoterReward = Sum & {
  readonly createdAt: Date
  readonly status: 'pending' | 'held' | 'processed' | 'reversed'
  readonly campaign: string
}

export type PromoterWithdrawal = Sum & {
  readonly createdAt: Date
  readonly network: string
  readonly toAddress: string
  readonly state: 'waiting' | 'sending' | 'paid' | 'returned'
  readonly explorerTransaction: string | null
}

/** In what a withdrawal can be paid. */
export type PromoterAsset = { readonly currencyCode: string; readonly blockchainCode: string; readonly network: string }

/** Everything the promoter's page is drawn from. */
export type PromoterView = Preferences & {
  readonly code: string
  /** Masked: where the code for a withdrawal is mailed to. */
  readonly email: string
  readonly link: string
  readonly isActive: boolean
  readonly project: { readonly name: string; readonly logoPath: string; readonly brandColor: string }
  readonly campaigns: readonly PromoterCampaign[]
  readonly totals: readonly PromoterTotals[]
  readonly broughtCount: number
  readonly rewards: readonly PromoterReward[]
  readonly withdrawals: readonly PromoterWithdrawal[]
  readonly assets: readonly PromoterAsset[]
  /** In US dollars. */
  readonly minimum: string
  /** The path of this page, which the links of a browser without a script lead to again. */
  readonly path: string
  readonly now: Date
  readonly siteUrl: string
  readonly scriptUrl: string
}
