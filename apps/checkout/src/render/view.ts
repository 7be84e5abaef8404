import type { Diagnosis } from '@kassa/contract/payments/diagnosis.ts'
import type { RefundClaimState } from '@kassa/contract/refund-claims/schemas.ts'
import type {
  DepositAddress,
  PaymentOption,
  PaymentPublic,
  PaymentRepair,
  ProjectPublic,
} from '@kassa/contract/payments/schemas.ts'
import type { NetworkMode } from '@kassa/primitives/chains/blockchain.ts'
import type { TickerRow } from '@kassa/contract/prices/schemas.ts'
import type { Translator } from './text/translator.ts'

export type { DepositAddress, Diagnosis, PaymentOption, PaymentPublic, PaymentRepair, ProjectPublic }

export type PublicDeposit = PaymentPublic['deposits'][number]

/** The price of one asset, from which the estimates beside the options are computed. */
export type AssetPrice = Pick<TickerRow, 'blockchainCode' | 'currencyCode' | 'price'>

/** What the customer asked about a transaction, and what became of the question. */
export type TransactionQuestion = {
  readonly txHash: string
  readonly blockchainCode: string
  /** What was known without the hash; absent where it was asked by the hash. */
  readonly withoutHash?: { readonly amount: string; readonly address: string; readonly paidOn: string } | undefined
  readonly diagnosis: Diagnosis | null
  /** Why there is no diagnosis. */
  readonly refusal?: Refused | undefined
}

/** Why something was not done: a code of the catalogue of errors, and its text for a code that has no translation. */
export type Refused = { readonly code: string; readonly text: string; readonly seconds?: number | undefined }

export type Theme = 'light' | 'dark'

/** What an address or a project may ask for; `system`: as the device is set. */
export type ThemeChoice = Theme | 'system'

/** The reader's preferences. */
export type Preferences = {
  /** The language the address names. */
  readonly lang?: string | undefined
  /** `Accept-Language` of the browser. */
  readonly acceptLanguage?: string | undefined
  /** A language that is in no menu (tests). */
  readonly translator?: Translator | undefined
  readonly theme?: ThemeChoice | undefined
}

/** Everything the payer's page is drawn from. */
export type CheckoutView = Preferences & {
  readonly payment: PaymentPublic
  /** Masked: the link is public. */
  readonly payerEmail?: string | undefined
  /** Whether the receipt can be mailed. */
  readonly mailsReceipts?: boolean | undefined
  readonly project: ProjectPublic
  readonly options: readonly PaymentOption[]
  readonly addresses: readonly DepositAddress[]
  readonly now: Date
  /** The origin of Kassa's own pages: only pictures from there are shown. */
  readonly siteUrl: string
  /** The path of the script (build/manifest.json). */
  readonly scriptUrl: string
  /** The paths of the parts that pay with a wallet of the browser, by family; each is loaded on demand. */
  readonly walletUrls?: Readonly<Record<string, string>> | undefined
  /** Which networks this install is on; a payment names its chain without. */
  readonly networkMode?: NetworkMode | undefined
  readonly prices?: readonly AssetPrice[] | undefined
  /** Where a transaction of the network that the payment is on can be looked up, with `{tx}` in its place. */
  readonly explorerTransaction?: string | null | undefined
  /** What the payer may claim back, and has claimed. */
  readonly refund?: RefundClaimState | undefined
  /** What was asked by the form of "I already paid". */
  readonly asked?: TransactionQuestion | undefined
  /** The customer wants to pay as asked, although something came that does not count or was taken back. */
  readonly paysAgain?: boolean | undefined
  /** Read from an arm's length, on a counter. */
  readonly display?: 'screen' | undefined
  /** 3.44: without header and footer, posted from and back to `/pay`. */
  readonly compact?: boolean | undefined
  /** Seconds; for browsers without script, on the customer's wish only. */
  readonly refreshEvery?: number | undefined
  /** Why what the customer just tried was not done. */
  readonly error?: Refused | undefined
}

/** A document and the hashes of its inline parts, for the Content-Security-Policy. */
export type Rendered = {
  readonly html: string
  readonly styleHashes: readonly string[]
  readonly scriptHashes: readonly string[]
}
