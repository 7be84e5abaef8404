import type { DepositAddress, PaymentOption, PaymentPublic, ProjectPublic } from '@kassa/contract/payments/schemas.ts'
import type { TickerRow } from '@kassa/contract/prices/schemas.ts'

export type { DepositAddress, PaymentOption, PaymentPublic, ProjectPublic }

export type PublicDeposit = PaymentPublic['deposits'][number]

/** The price of one asset, for the estimates beside the options (Y15). */
export type AssetPrice = Pick<TickerRow, 'blockchainCode' | 'currencyCode' | 'price'>

/** Money that reached an address of this payment, but not as it was asked for. */
export type Notice =
  | { readonly kind: 'other-network'; readonly network: string; readonly counted: boolean }
  | { readonly kind: 'other-asset'; readonly currencyCode: string; readonly counted: boolean }
  | { readonly kind: 'on-hold' }

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
  readonly notice?: Notice | undefined
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
