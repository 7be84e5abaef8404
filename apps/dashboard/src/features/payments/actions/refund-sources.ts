import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'

export type Source = PaymentDetail['refundable'][number] & {
  /** The unmatched deposit that it is, which is refunded on its own. */
  readonly depositID?: number
}

/** Returns what can be refunded: the money that counts, by currency, and each deposit of the payment that counts for nothing. */
export function sourcesOf({ refundable, transfers }: PaymentDetail): Source[] {
  const unmatched = transfers.filter(({ status }) => status === 'unapplied')
  return [
    ...refundable,
    ...unmatched.map(({ id, currencyCode, blockchainCode, amount }) => {
      return { depositID: id, currencyCode, blockchainCode, amount, overpaid: '0' }
    }),
  ]
}
