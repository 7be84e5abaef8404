import { fail } from '@kassa/contract/kit/api-error.ts'
import { findAsset } from '@kassa/primitives/chains/assets.ts'

import type { Context } from '../../context.ts'
import { getByReference, requireOwnAddress } from '../../modules/payments/payment/service.ts'
import { requireOpen } from '../../modules/payments/quotes/service.ts'
import type { SandboxChains } from '../chains.ts'
import { chainOf } from './running-chains.ts'

/**
 * Pays what a payment still misses, in the asset that its payer chose, from the payer of the sandbox: whoever has the link may
 * do so, because no money moves anywhere else.
 * @throws ROUTE_NOT_FOUND off the sandbox, PAYMENT_REFERENCE_UNKNOWN, PAYMENT_NOT_OPEN, BLOCKCHAIN_NOT_FOUND
 */
export async function payWithTestMoney(
  ctx: Context,
  chains: SandboxChains | null,
  reference: string,
): Promise<{ txHash: string; blockchainCode: string }> {
  if (ctx.config.network !== 'sandbox') return fail('ROUTE_NOT_FOUND')
  const payment = await getByReference(ctx, reference)
  requireOpen(payment, ctx.now())
  const quote = payment.quote ?? fail('PAYMENT_NOT_OPEN', { details: 'Choose a currency first.' })
  const units = quote.dueUnits - payment.seenUnits
  if (units <= 0n) return fail('PAYMENT_NOT_OPEN', { details: 'All of it is there or on its way.' })
  await requireOwnAddress(ctx, payment)
  const chain = chainOf(chains, quote.asset.blockchainCode)
  const asset = findAsset(quote.asset.id) ?? fail('PAYMENT_NOT_OPEN')
  const { txHash } = await chain.pay({ asset, to: quote.address, units })
  return { txHash, blockchainCode: chain.code }
}
