/** Views: a payment as its customer and its operator read it. */
import type { ProjectPublic, PaymentDetail, WalletPublic } from '@kassa/contract/payments/schemas.ts'
import { PRICE_DECIMALS } from '@kassa/primitives/money/rate.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import type { Context } from '../../../context.ts'
import type { CheckoutFacts } from '../../../pages/payer/mount.ts'
import { maskEmail } from '../../auth/passwords/service.ts'
import { acceptsEmails } from '../../mail/service.ts'
import { tickerRows } from '../../prices/service.ts'
import { listOptions } from '../quotes/list-options.ts'
import { depositAddresses } from './deposit-addresses.ts'
import { getByReference } from '../payment/service.ts'
import { publicPayment, shown } from './public-payment.ts'
import type * as z from 'zod/mini'
import { customerView, getCustomer } from '../../customers/service.ts'
import { depositShapes, depositView, sourcesOf, unappliedOfCustomer } from '../../deposits/service.ts'
import { entriesOf } from '../../ledger/service.ts'
import { getProject } from '../../projects/service.ts'
import { deliveriesOf } from '../../webhooks/deliveries/service.ts'
import { attentionOf } from '../payment/attention-store.ts'
import { listProjectWallets } from '../../wallets/service.ts'
import { journalView } from './journal-view.ts'
import type { Payment } from '../payment/payment.ts'
import { linkTo, linkContextOf, transactionLink } from '../payment/links.ts'
import { quotesOf } from '../quotes/service.ts'
import { offersOf } from '../resolution/offers.ts'
import { claimStateOf, findClaim } from '../claims/service.ts'
import { refundable } from '../refunds/service.ts'
import { refundsOfPayment } from '../../withdrawals/lists/service.ts'
import { listAssets } from '../../blockchains/chains/service.ts'
import { listTimeline } from './timeline-store.ts'
import { projectPublicView, quoteDetailView, walletView } from './public-view.ts'

export { publicPayment } from './public-payment.ts'

const PAID: ReadonlySet<Payment['status']> = new Set(['FILLED', 'OVER_FILLED'])

/** What the page of this payment shows now. @throws PAYMENT_REFERENCE_UNKNOWN */
export async function checkoutFacts(ctx: Context, reference: string): Promise<CheckoutFacts> {
  const payment = await getByReference(ctx, reference)
  const { email } = payment.customer
  const view = await publicPayment(ctx, payment)
  return {
    payment: view,
    refund: view.deposits.length === 0 ? { networks: [], claim: null } : await claimStateOf(ctx, payment),
    mailsReceipts: PAID.has(payment.status) && (await acceptsEmails(ctx)),
    payerEmail: email === '' ? '' : maskEmail(email),
    project: await projectOf(ctx, payment),
    options: await listOptions(ctx, payment),
    addresses: await depositAddresses(ctx, payment),
    prices: (await tickerRows(ctx)).map(({ asset, facts }) => ({
      blockchainCode: asset.blockchainCode,
      currencyCode: asset.currencyCode,
      price: facts && formatUnits(facts.price, PRICE_DECIMALS),
    })),
    explorerTransaction: await explorerOf(ctx, payment),
  }
}

async function explorerOf(ctx: Context, { quote }: Payment): Promise<string | null> {
  return quote && transactionLink(await linkContextOf(ctx), quote.asset.blockchainCode, '{tx}')
}

/** The most unmatched deposits shown with a payment; the whole list has its own route. */
const MAX_UNMATCHED = 20

/** All an operator may see of a payment, from creation to webhook. */
export async function paymentDetail(ctx: Context, payment: Payment): Promise<PaymentDetail> {
  const { view, deposits } = await shown(ctx, payment)
  const { acceptance, resolved } = payment
  const timeline = await listTimeline(ctx, payment.reference)
  const sources = deposits.map(({ deposit }) => sourcesOf(deposit))
  const entries = sources.length > 0 ? await entriesOf(ctx, sources) : []
  const unmatched = await unappliedOfCustomer(ctx, payment.customer.id, MAX_UNMATCHED)
  const own = deposits.map(({ deposit }) => deposit)
  const others = unmatched.filter(({ paymentId }) => paymentId !== payment.id)
  const attention = await attentionOf(ctx, payment.id)
  return {
    ...view,
    customer: customerView(await getCustomer(ctx, payment.customer.id)),
    depositAddresses: await depositAddresses(ctx, payment),
    quotes: (await quotesOf(ctx, payment.id)).map(quoteDetailView),
    timeline: timeline.map(({ at, type, actor, payload }) => ({ at, event: type, actor, data: payload })),
    deliveries: await deliveriesOf(ctx, payment.reference),
    journal: entries.flatMap(journalView),
    refunds: await refundsOfPayment(ctx, payment.project.id, payment.id),
    refundable: await refundableView(ctx, payment.id),
    refundClaim: await findClaim(ctx, payment),
    metadata: payment.metadata,
    createdBy: payment.createdBy,
    transfers: deposits.map((one) => depositView(one, payment.reference)),
    unmatchedDeposits: await depositShapes(ctx, unmatched),
    acceptance: acceptance && { at: acceptance.at, actor: acceptance.by, note: acceptance.note },
    needsAttention: attention.isNeeded,
    resolved: resolved && { at: resolved.at, actor: resolved.by, note: resolved.note },
    offers: await offersOf(ctx, payment, { deposits: [...own, ...others], attention }),
    url: (await linkTo(ctx, await getProject(ctx, payment.project.id), payment.reference)).url,
  }
}

/** What of a payment can still be given back, as operators read it. */
async function refundableView(ctx: Context, paymentId: bigint): Promise<PaymentDetail['refundable']> {
  const assets = new Map((await listAssets(ctx)).map((asset) => [asset.id, asset]))
  return (await refundable(ctx, paymentId)).flatMap(({ assetId, units, overUnits }) => {
    const asset = assets.get(assetId)
    if (!asset) return []
    const { currencyCode, blockchainCode, decimals } = asset
    return [
      {
        currencyCode,
        blockchainCode,
        amount: formatUnits(units, decimals),
        overpaid: formatUnits(overUnits, decimals),
      },
    ]
  })
}

/** What a payer may know of the project that asks for a payment. */
export async function projectOf(ctx: Context, { project }: Payment): Promise<ProjectPublic> {
  return projectPublicView(await getProject(ctx, project.id), (await linkContextOf(ctx)).siteUrl)
}

/** The deposit wallets behind a payment, without their keys. */
export async function walletsOf(ctx: Context, { project }: Payment): Promise<z.output<typeof WalletPublic>[]> {
  return (await listProjectWallets(ctx, project.id)).map(walletView)
}
