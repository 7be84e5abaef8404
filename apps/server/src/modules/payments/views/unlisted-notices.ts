import type { PaymentPublic } from '@kassa/contract/payments/schemas.ts'

import type { Context } from '../../../context.ts'
import { unlistedOfCustomer } from '../../unlisted-transfers/service.ts'
import { SLACK_MS } from '../funding/deposit-rules.ts'
import { type LinkContext, transactionLink } from '../payment/links.ts'
import { NOTICED_AFTER_MS, type Payment } from '../payment/service.ts'

/** The most notices shown; further ones would say the same. */
const MOST_SHOWN = 5

/**
 * What the customer sent in unlisted tokens while the payment was open, or a while after. Addresses belong to the customer for
 * ever, so a notice may be shown with several of their payments.
 */
export async function unlistedNotices(
  ctx: Context,
  { customer, createdAt, expiresAt }: Payment,
  context: LinkContext,
): Promise<PaymentPublic['unlisted']> {
  const from = new Date(createdAt.getTime() - SLACK_MS)
  const to = new Date(expiresAt.getTime() + NOTICED_AFTER_MS)
  const found = await unlistedOfCustomer(ctx, customer.id, { from, to, limit: MOST_SHOWN })
  return found.map(({ contract, symbol, isLookAlike, amount, blockchainCode, txHash, minedAt }) => ({
    ...{ contract, symbol, isLookAlike, amount, blockchainCode, txHash, minedAt },
    explorerTransaction: transactionLink(context, blockchainCode, txHash),
  }))
}
