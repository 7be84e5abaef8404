/** What of a payment the page draws; the same names on the wire and in the code, times as text or Date. */
export type Drawn = {
  readonly paymentState: string
  readonly fundingState: string
  readonly cancelReason: string | null
  readonly late: boolean
  readonly confirmationCurrent: number
  readonly confirmationRequired: number
  readonly currencySymbol: string | null
  readonly blockchainSymbol: string | null
  readonly amountDue: string | null
  readonly rateLockedUntil: Date | string | null
  readonly expiresAt: Date | string
  readonly deposits: readonly {
    readonly state: string
    readonly waitsBecause: string | null
  }[]
  readonly unlisted: readonly { readonly txHash: string; readonly symbol: string | null }[]
  readonly repair: { readonly kind: string; readonly amount: string | null } | null
  readonly waitsBecause: string | null
  readonly supersededBy: string | null
}

/** Names what a payment looks like right now: when it differs from the page's own, the page is out of date. */
export function revision(payment: Drawn): string {
  return [
    payment.paymentState,
    payment.fundingState,
    payment.cancelReason ?? '',
    payment.late ? 'late' : '',
    `${payment.confirmationCurrent}/${payment.confirmationRequired}`,
    payment.currencySymbol ?? '',
    payment.blockchainSymbol ?? '',
    payment.amountDue ?? '',
    ...[payment.rateLockedUntil, payment.expiresAt].map((end) => (end === null ? '' : String(new Date(end).getTime()))),
    payment.repair === null ? '' : `${payment.repair.kind} ${payment.repair.amount ?? ''}`,
    payment.waitsBecause === null ? '' : 'held up',
    payment.supersededBy ?? '',
    ...payment.unlisted.map(({ txHash, symbol }) => `${txHash} ${symbol}`),
    ...payment.deposits.map(({ state, waitsBecause }) => (waitsBecause === null ? state : 'compared')),
  ].join('|')
}
