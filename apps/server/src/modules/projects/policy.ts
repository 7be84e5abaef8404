/** How a project wants its payments handled (api.md P8). */
export type ConfirmationRule = {
  readonly upToUSD: string
  readonly confirmations: number | 'finalized'
  readonly blockchainCode: string
}

export type PaymentPolicy = {
  readonly linkLifetimeMinutes: number
  readonly openPaymentsPerCustomer: 'one' | 'many'
  readonly customerEmailRequired: boolean
  /** Percent as decimal text. */
  readonly underpaidTolerancePercent: string
  readonly overpaidTolerancePercent: string
  readonly lateGraceHours: number
  readonly minAmountInUSD: string
  readonly maxAmountInUSD: string | null
  readonly uniqueInvoiceID: boolean
  readonly confirmationRules: readonly ConfirmationRule[]
}

/** The tolerances exist because the rounding of wallets alone must not make a payment over- or underpaid. */
export const DEFAULT_POLICY: PaymentPolicy = {
  linkLifetimeMinutes: 15,
  openPaymentsPerCustomer: 'one',
  customerEmailRequired: true,
  underpaidTolerancePercent: '0.5',
  overpaidTolerancePercent: '1',
  lateGraceHours: 24,
  minAmountInUSD: '0',
  maxAmountInUSD: null,
  uniqueInvoiceID: false,
  confirmationRules: [],
}
