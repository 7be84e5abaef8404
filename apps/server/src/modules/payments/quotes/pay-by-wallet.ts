import { chainIn } from '@kassa/chains/chain.ts'
import { InvalidInput } from '@kassa/chains/errors.ts'
import { ApiError, fail } from '@kassa/contract/kit/api-error.ts'
import type { WalletPayment } from '@kassa/contract/sends/payment-by-wallet-routes.ts'
import type { SignedDraft, WalletDraft } from '@kassa/contract/sends/wallet-drafts.ts'
import { parseUnits } from '@kassa/primitives/money/units.ts'

import type { Context } from '../../../context.ts'
import { adapterOf, type BlockchainRow, findBlockchain } from '../../blockchains/chains/service.ts'
import { draftForWallet, relayFromWallet } from '../../sends/service.ts'
import type { Payment, PinnedQuote } from '../payment/payment.ts'
import { requireOwnAddress } from '../payment/service.ts'
import { requireOpen } from './service.ts'

/**
 * Writes the transaction by which an account pays a payment, to the address and in the asset that it is pinned to.
 * @throws PAYMENT_NOT_OPEN, FAMILY_UNSUPPORTED, ADDRESS_INVALID, VALIDATION_FAILED, NODE_UNREACHABLE
 */
export async function draftPayment(ctx: Context, payment: Payment, asked: WalletPayment): Promise<WalletDraft> {
  const { quote, blockchain } = await payable(ctx, payment)
  const from = parseAccount(ctx, blockchain, asked.from)
  const units = unitsOf(asked.amount, quote)
  const intent = { kind: 'transfer', assetId: quote.asset.id, to: quote.address, units } as const
  return namingNoNode(() => draftForWallet(ctx, blockchain, { from, intent }))
}

/**
 * Gives nodes what a wallet signed, if it pays the address of this payment in its asset; Kassa sends nothing else for anybody.
 * @throws PAYMENT_NOT_OPEN, FAMILY_UNSUPPORTED, TRANSACTION_UNREADABLE, TRANSACTION_REFUSED, TRANSACTION_EXPIRED,
 * NODE_UNREACHABLE
 */
export async function sendPayment(ctx: Context, payment: Payment, signed: SignedDraft): Promise<string> {
  const { quote, blockchain } = await payable(ctx, payment)
  const isWanted = ({ intent }: Read) =>
    intent.kind === 'transfer' && intent.assetId === quote.asset.id && intent.to === quote.address
  return namingNoNode(() => relayFromWallet(ctx, blockchain, { signed, kind: 'transfer', isWanted }))
}

type Read = Parameters<Parameters<typeof relayFromWallet>[2]['isWanted']>[0]

/** Hides which node failed and where it is, because only operators may know. */
async function namingNoNode<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || thrown.code !== 'NODE_UNREACHABLE') throw thrown
    return fail('NODE_UNREACHABLE', { values: { reason: 'try again in a moment.' }, cause: thrown })
  }
}

async function payable(
  ctx: Context,
  payment: Payment,
): Promise<{ readonly quote: PinnedQuote; readonly blockchain: BlockchainRow }> {
  requireOpen(payment, ctx.now())
  const quote = payment.quote ?? fail('PAYMENT_NOT_OPEN', { details: 'Choose a currency first.' })
  await requireOwnAddress(ctx, payment)
  const blockchain = await findBlockchain(ctx, quote.asset.blockchainId)
  return { quote, blockchain: blockchain ?? fail('FAMILY_UNSUPPORTED') }
}

function parseAccount(ctx: Context, { name, definition }: BlockchainRow, text: string): string {
  const codec = adapterOf(definition.family)?.addresses ?? fail('FAMILY_UNSUPPORTED')
  try {
    return codec.parse(chainIn(ctx.config.network, definition), text)
  } catch (thrown) {
    if (!(thrown instanceof InvalidInput)) throw thrown
    return fail('ADDRESS_INVALID', { values: { chain: name }, details: thrown.message })
  }
}

function unitsOf(amount: string, { asset }: PinnedQuote): bigint {
  try {
    return parseUnits(amount, asset.decimals)
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown
    return fail('VALIDATION_FAILED', { message: thrown.message, fields: { amount: thrown.message } })
  }
}
