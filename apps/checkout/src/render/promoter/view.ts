import type { OwnReward, OwnWithdrawalRow, PromoterPage } from '@kassa/contract/referral/schemas.ts'

import type { Preferences } from '../view.ts'

export type { OwnReward, OwnWithdrawalRow, PromoterPage }

/** A campaign as the page of a promoter tells of it. */
export type PromoterCampaign = PromoterPage['campaigns'][number]

/** Everything the promoter's page is drawn from. */
export type PromoterView = Preferences & {
  readonly page: PromoterPage
  /** The newest of each. */
  readonly rewards: readonly OwnReward[]
  readonly withdrawals: readonly OwnWithdrawalRow[]
  /** The path of this page, which the links of a browser without a script lead to again. */
  readonly path: string
  readonly now: Date
  readonly siteUrl: string
  /** Its text, which stands in the page: one request paints and runs it. */
  readonly script: string
}
