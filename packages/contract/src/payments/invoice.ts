/** Returns the invoice id that the merchant gave; empty when there is none: on the wire the reference stands in for it. */
export function ownInvoice(payment: { readonly invoiceID: string; readonly referenceID: string }): string {
  return payment.invoiceID === payment.referenceID ? '' : payment.invoiceID
}
