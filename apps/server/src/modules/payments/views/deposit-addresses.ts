import type { DepositAddress } from '@kassa/contract/payments/schemas.ts'
import type { Context } from '../../../context.ts'
import { signAddressProof } from '../../vaults/service.ts'
import { findAssignedAddress } from '../../wallets/service.ts'
import type { Payment, QuoteRow } from '../payment/payment.ts'
import { quotesOf } from '../quotes/service.ts'
import { addressView } from './public-view.ts'

/** The addresses given for a payment, the one to pay to first, each with its proof and the last price held for it. */
export async function depositAddresses(ctx: Context, payment: Payment): Promise<DepositAddress[]> {
  const isCurrent = ({ id }: QuoteRow) => id === payment.terms?.quoteId
  const quotes = (await quotesOf(ctx, payment.id)).toSorted((a, b) => Number(isCurrent(a)) - Number(isCurrent(b)))
  const last = new Map<string, QuoteRow>()
  for (const quote of quotes) {
    last.delete(quote.blockchainCode)
    last.set(quote.blockchainCode, quote)
  }
  const addresses: DepositAddress[] = []
  for (const quote of [...last.values()].toReversed()) {
    const { addressId, blockchainCode } = quote
    addresses.push(await assignedAddress(ctx, payment, { addressId, blockchainCode, quote }))
  }
  return addresses
}

export type GivenFor = { readonly addressId: bigint; readonly blockchainCode: string; readonly quote: QuoteRow | null }

/** An address given for a payment, with the proof that it is ours. */
export async function assignedAddress(
  ctx: Context,
  { reference }: Payment,
  { addressId, blockchainCode, quote }: GivenFor,
): Promise<DepositAddress> {
  const given = await findAssignedAddress(ctx, addressId)
  const proof = await signAddressProof(ctx, { reference, blockchainCode, address: given.address })
  return addressView(given, { blockchainCode, proof, quote })
}
