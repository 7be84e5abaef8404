/** Quotes: the customer picks an asset and a network, and gets an address, an amount and a rate for a time. */
import { fail } from '@kassa/contract/kit/api-error.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import { PRICE_DECIMALS } from '@kassa/primitives/money/rate.ts'
import { type Context, inTransaction } from '../../../context.ts'
import { acceptedAssets, paymentPolicy } from '../../projects/service.ts'
import type { Asset } from '../../blockchains/chains/service.ts'
import { lockCustomers } from '../../customers/service.ts'
import { currentPrice, type PriceFacts } from '../../prices/service.ts'
import { assignAddress } from '../../wallets/service.ts'
import { applyUnapplied } from './apply-unapplied.ts'
import type { Payment, QuoteRow } from '../payment/payment.ts'
import { makeQuote, MOST_QUOTES } from './rules.ts'
import { insertQuote, listQuotes, moveToQuote } from './store.ts'
import { findPayment, lockPayment } from '../payment/store.ts'
import { emitPaymentEvent } from '../funding/payment-events.ts'

export { listOptions } from './list-options.ts'

/** What the payer picks: a network, and a currency where it has several. */
export type Choice = { readonly blockchainCode: string; readonly currencyCode: string | null }

/** The address to pay to and the quote; no quote while the currency is open. */
export type Pinned = {
  readonly payment: Payment
  readonly addressId: bigint
  readonly blockchainCode: string
  readonly quote: QuoteRow | null
}

/**
 * Returns the customer's permanent address on a network and, once the currency is chosen, a quote with a locked rate. The
 * same choice again returns the same address and, while it is locked, the same rate; the choice may change until a deposit
 * is seen.
 * @throws PAYMENT_REFERENCE_UNKNOWN, ASSET_NOT_ACCEPTED, PAYMENT_NOT_OPEN, PAYMENT_PINNED, RATE_UNAVAILABLE, NO_DEPOSIT_ADDRESS
 */
export async function pinPayment(ctx: Context, reference: string, choice: Choice): Promise<Pinned> {
  const found = (await findPayment(ctx, reference)) ?? fail('PAYMENT_REFERENCE_UNKNOWN')
  const accepted = await acceptedOn(ctx, found.project.id, choice)
  const asset = chosenAsset(accepted, choice)
  const price = asset && (await currentPrice(ctx, asset))
  const { applyUnappliedToNext } = await paymentPolicy(ctx, found.project.id)
  return inTransaction(ctx, async (tx) => {
    // Where unapplied deposits are applied the customer is locked first, in the order that crediting uses.
    if (applyUnappliedToNext) await lockCustomers(tx, [found.customer.id])
    const payment = (await lockPayment(tx, found.id)) ?? fail('PAYMENT_REFERENCE_UNKNOWN')
    requireOpen(payment, tx.now())
    const addressId = await addressFor(tx, payment, accepted)
    if (!asset) return { payment, addressId, blockchainCode: accepted[0].blockchainCode, quote: null }
    return pinTo(tx, payment, { asset, price, addressId })
  })
}

/** Pins a new payment to the asset its creator named. @throws as `pinPayment` */
export async function pinNewPayment(ctx: Context, payment: Payment, choice: Choice): Promise<Pinned> {
  const accepted = await acceptedOn(ctx, payment.project.id, choice)
  const asset = chosenAsset(accepted, choice)
  if (!asset) return fail('ASSET_NOT_ACCEPTED', { details: 'Name the currency: several are accepted on this network.' })
  const addressId = await addressFor(ctx, payment, accepted)
  return pinTo(ctx, payment, { asset, price: await currentPrice(ctx, asset), addressId })
}

type Target = { readonly asset: Asset; readonly price: PriceFacts | null; readonly addressId: bigint }

/** The payment is locked, so no deposit is seen for it between the check and the move. */
async function pinTo(ctx: Context, payment: Payment, target: Target): Promise<Pinned> {
  const quotes = await listQuotes(ctx, payment.id)
  const current = quotes.find(({ id }) => id === payment.quote?.quoteId) ?? null
  // A transfer that waits to be mined was sent at the rate of its time: a payer who could renew it would choose between two (P-4).
  const isSeen = payment.seenUnits > 0n || payment.fundingState === 'detected'
  if (isSeen || payment.status !== 'OPEN') {
    if (current?.assetId !== target.asset.id) return fail('PAYMENT_PINNED')
    return pinnedTo(payment, current)
  }
  const ofAsset = quotes.filter(({ assetId }) => assetId === target.asset.id)
  const locked = ofAsset.findLast(({ lockedUntil }) => lockedUntil > ctx.now())
  const quoteId = locked?.id ?? (await addQuote(ctx, payment, target, ofAsset.length))
  if (quoteId === current?.id) return pinnedTo(payment, current)
  if (!(await moveToQuote(ctx, payment.id, quoteId))) return fail('PAYMENT_PINNED')
  const pinned = (await lockPayment(ctx, payment.id)) ?? payment
  await emitPaymentEvent(ctx, pinned, 'payment.pinned')
  const quote = (await listQuotes(ctx, payment.id)).find(({ id }) => id === quoteId) ?? fail('INTERNAL_ERROR')
  return pinnedTo(await applyUnapplied(ctx, pinned), quote)
}

function pinnedTo(payment: Payment, quote: QuoteRow): Pinned {
  return { payment, addressId: quote.addressId, blockchainCode: quote.blockchainCode, quote }
}

async function addQuote(
  ctx: Context,
  payment: Payment,
  { asset, price, addressId }: Target,
  made: number,
): Promise<bigint> {
  if (made >= MOST_QUOTES) {
    return fail('PAYMENT_NOT_OPEN', { details: `The price was renewed ${MOST_QUOTES} times. Ask for a new link.` })
  }
  const facts = price ?? fail('RATE_UNAVAILABLE', { retryAfter: 10 })
  const { dueUnits, lockedUntil } = makeQuote({
    amountUsd: payment.amountUsd,
    price: facts.price,
    decimals: asset.decimals,
    now: ctx.now(),
    expiresAt: payment.expiresAt,
  })
  if (dueUnits < asset.minDepositUnits) return refuseBelowMinimum(asset)
  return insertQuote(ctx, {
    paymentId: payment.id,
    assetId: asset.id,
    addressId,
    price: formatUnits(facts.price, PRICE_DECIMALS),
    dueUnits,
    lockedUntil,
    evidence: facts.sources,
  })
}

function refuseBelowMinimum(asset: Asset): never {
  const minimum = `${formatUnits(asset.minDepositUnits, asset.decimals)} ${asset.currencyCode}`
  return fail('ASSET_NOT_ACCEPTED', {
    details: `The amount is below the minimum of ${minimum} on ${asset.blockchainCode}.`,
  })
}

/** Makes sure that a payment can still be paid. @throws PAYMENT_NOT_OPEN */
export function requireOpen(payment: Payment, now: Date): void {
  if (payment.status === 'PARTIALLY_FILLED') return
  const isLapsed = now >= payment.expiresAt && payment.seenUnits === 0n
  if (payment.status !== 'OPEN' || isLapsed) fail('PAYMENT_NOT_OPEN')
}

/** What the project accepts on the network. @throws ASSET_NOT_ACCEPTED when that is nothing */
async function acceptedOn(ctx: Context, projectId: number, { blockchainCode }: Choice): Promise<[Asset, ...Asset[]]> {
  const code = findBlockchain(blockchainCode)?.code
  const [first, ...rest] = (await acceptedAssets(ctx, projectId)).filter((asset) => asset.blockchainCode === code)
  return first ? [first, ...rest] : fail('ASSET_NOT_ACCEPTED')
}

/** The named asset, or the only one; null when the payer must still choose. @throws ASSET_NOT_ACCEPTED */
function chosenAsset(accepted: readonly [Asset, ...Asset[]], { currencyCode }: Choice): Asset | null {
  const [first, second] = accepted
  if (!currencyCode) return second ? null : first
  return accepted.find((asset) => asset.currencyCode === currencyCode.toUpperCase()) ?? fail('ASSET_NOT_ACCEPTED')
}

async function addressFor(ctx: Context, payment: Payment, [asset]: readonly [Asset, ...Asset[]]): Promise<bigint> {
  const family = findFamily(findBlockchain(asset.blockchainCode)?.family ?? '') ?? fail('ASSET_NOT_ACCEPTED')
  const address = await assignAddress(ctx, {
    projectId: payment.project.id,
    customerId: payment.customer.id,
    familyId: family.id,
  })
  return address.id
}

/** Lists the quotes of a payment, oldest first. */
export function quotesOf(ctx: Context, paymentId: bigint): Promise<QuoteRow[]> {
  return listQuotes(ctx, paymentId)
}
