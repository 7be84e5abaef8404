import type { DepositAddress, PaymentOption, PaymentPublic, ProjectPublic } from '@kassa/contract/payments/schemas.ts'
import { PRICE_DECIMALS } from '@kassa/primitives/money/rate.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'

import type { Context } from '../../context.ts'
import { maskEmail } from '../auth/service.ts'
import { tickerRows } from '../prices/service.ts'
import { listOptions } from './list-options.ts'
import { depositAddresses, getByReference, projectOf, publicPayment } from './show-payment.ts'

/** All the payer's page is drawn from. */
export type CheckoutFacts = {
  readonly payment: PaymentPublic
  /** Who pays, as far as everybody with the link may know; empty where the shop gave no e-mail. */
  readonly payerEmail: string
  readonly project: ProjectPublic
  readonly options: readonly PaymentOption[]
  readonly addresses: readonly DepositAddress[]
  readonly prices: readonly {
    readonly blockchainCode: string
    readonly currencyCode: string
    readonly price: string | null
  }[]
}

/** What the page of this payment shows now. @throws PAYMENT_REFERENCE_UNKNOWN */
export async function checkoutFacts(ctx: Context, reference: string): Promise<CheckoutFacts> {
  const payment = await getByReference(ctx, reference)
  const { email } = payment.customer
  return {
    payment: await publicPayment(ctx, payment),
    payerEmail: email === '' ? '' : maskEmail(email),
    project: await projectOf(ctx, payment),
    options: await listOptions(ctx, payment),
    addresses: await depositAddresses(ctx, payment),
    prices: (await tickerRows(ctx)).map(({ asset, facts }) => ({
      blockchainCode: asset.blockchainCode,
      currencyCode: asset.currencyCode,
      price: facts && formatUnits(facts.price, PRICE_DECIMALS),
    })),
  }
}
