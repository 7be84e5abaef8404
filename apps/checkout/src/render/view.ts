import type { Diagnosis } from '@kassa/contract/payments/diagnosis.ts'
import type {
  DepositAddress,
  PaymentOption,
  PaymentPublic,
  PaymentRepair,
  ProjectPublic,
} from '@kassa/contract/payments/schemas.ts'
import type { TickerRow } from '@kassa/contract/prices/schemas.ts'

export type { DepositAddress, Diagnosis, PaymentOption, PaymentPublic, PaymentRepair, ProjectPublic }

export type PublicDeposit = PaymentPublic['deposits'][number]

/** The price of one asset, for the estimates beside the options (Y15). */
export type AssetPrice = Pick<TickerRow, 'blockchainCode' | 'currencyCode' | 'price'>

/** What the customer asked about a transaction, and what became of the question. */
export type Asked = {
  readonly txHash: string
  readonly blockchainCode: string
  readonly diagnosis: Diagnosis | null
  /** Why there is no diagnosis. */
  readonly refusal?: string | undefined
  /** The text is no transaction hash. */
  readonly isMalformed?: boolean | undefined
}

export type Theme = 'light' | 'dark'

/** Everything the payer's page is drawn from. */
export type CheckoutView = {
  readonly payment: PaymentPublic
  readonly project: ProjectPublic
  readonly options: readonly PaymentOption[]
  readonly addresses: readonly DepositAddress[]
  readonly now: Date
  /** The origin of Kassa's own pages: only pictures from there are shown. */
  readonly siteUrl: string
  /** The path of the script (build/manifest.json). */
  readonly scriptUrl: string
  readonly prices?: readonly AssetPrice[] | undefined
  /** What was asked by the form of "I already paid". */
  readonly asked?: Asked | undefined
  /** The customer wants to pay as asked, although something came that does not count or was taken back. */
  readonly paysAgain?: boolean | undefined
  readonly theme?: Theme | undefined
  /** 3.44: without header and footer, posted from and back to `/pay`. */
  readonly compact?: boolean | undefined
  /** Seconds; for browsers without script, on the customer's wish only. */
  readonly refreshEvery?: number | undefined
  /** A sentence about what the customer just tried. */
  readonly error?: string | undefined
}

/** A document and the hashes of its inline styles, for `style-src` of the Content-Security-Policy. */
export type Rendered = { readonly html: string; readonly styleHashes: readonly string[] }
