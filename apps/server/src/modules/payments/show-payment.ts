import { confirmationsOf } from '@kassa/contract/deposits/confirmations.ts'
import type { Deposit as DepositShape } from '@kassa/contract/deposits/schemas.ts'
import { fail } from '@kassa/contract/kit/refusal.ts'
import type {
  DepositAddress,
  PaymentDetail,
  PaymentPublic,
  PaymentRepair,
  ProjectPublic,
  WalletPublic,
} from '@kassa/contract/payments/schemas.ts'
import type * as z from 'zod/mini'

import type { Context } from '../../context.ts'
import type { ProjectScope } from '../../http/handlers.ts'
import { listAssets, ownExplorers } from '../blockchains/service.ts'
import { customerView, getCustomer } from '../customers/service.ts'
import { type Deposit, depositsOfPayment, depositView, listDeposits, type ShownDeposit } from '../deposits/service.ts'
import { entriesOf } from '../ledger/service.ts'
import { getProject, paymentPolicy } from '../projects/service.ts'
import { siteUrl } from '../settings/service.ts'
import { signAddressProof } from '../vaults/service.ts'
import { deliveriesOf } from '../webhooks/service.ts'
import { attentionOf } from './attention-store.ts'
import { findGivenAddress, listProjectWallets } from './address-store.ts'
import { chainFacts } from './check-readiness.ts'
import { leastConfirmed } from './deposit-rules.ts'
import { journalView } from './journal-view.ts'
import type { Payment, QuoteRow } from './payment.ts'
import { linkTo } from './payment-link.ts'
import { listQuotes } from './quote-store.ts'
import { findPayment, findReference, listTimeline, listTips } from './read-store.ts'
import { waitText } from './readiness-rules.ts'
import { repairOf } from './repair-rules.ts'
import { boundsOf } from './rules.ts'
import { addressView, type Place, projectPublicView, publicView, quoteDetailView, walletView } from './view.ts'

/** More than anybody decides about one by one; the list of all is Y25. */
const MOST_KEPT = 20

/** The payment of a link. @throws PAYMENT_REFERENCE_UNKNOWN */
export async function getByReference(ctx: Context, reference: string): Promise<Payment> {
  return (await findPayment(ctx, reference)) ?? fail('PAYMENT_REFERENCE_UNKNOWN')
}

/** A payment of the projects the caller may see. @throws PAYMENT_NOT_FOUND */
export async function getInScope(ctx: Context, { projectIds }: ProjectScope, reference: string): Promise<Payment> {
  const payment = (await findPayment(ctx, reference)) ?? fail('PAYMENT_NOT_FOUND')
  return projectIds === 'every' || projectIds.includes(payment.project.id) ? payment : fail('PAYMENT_NOT_FOUND')
}

/** A payment as its payer sees it; its own key and operators of its project see the customer's id as well. */
export async function publicPayment(ctx: Context, payment: Payment): Promise<PaymentPublic> {
  return (await shown(ctx, payment)).view
}

/** All an operator may see of a payment, from creation to webhook. */
export async function paymentDetail(ctx: Context, payment: Payment): Promise<PaymentDetail> {
  const { view, deposits } = await shown(ctx, payment)
  const { acceptance, settlement } = payment
  const timeline = await listTimeline(ctx, payment.reference)
  const prefixes = deposits.map(({ deposit }) => `deposit:${deposit.id}:`)
  const assets = await listAssets(ctx)
  const entries = prefixes.length > 0 ? await entriesOf(ctx, prefixes) : []
  return {
    ...view,
    customer: customerView(await getCustomer(ctx, payment.customer.id)),
    depositAddresses: await depositAddresses(ctx, payment),
    quotes: (await listQuotes(ctx, payment.id)).map(quoteDetailView),
    timeline: timeline.map(({ at, type, actor, payload }) => ({ at, event: type, actor, data: payload })),
    deliveries: await deliveriesOf(ctx, payment.reference),
    journal: entries.flatMap((entry) => journalView(entry, assets)),
    refunds: [],
    metadata: payment.metadata,
    createdBy: payment.createdBy,
    transfers: deposits.map((one) => depositView(one, payment.reference)),
    keptDeposits: await keptOf(ctx, payment.customer.id),
    acceptance: acceptance && { at: acceptance.at, actor: acceptance.by, note: acceptance.note },
    needsAttention: (await attentionOf(ctx, payment.id)).isNeeded,
    settlement: settlement && { at: settlement.at, actor: settlement.by, note: settlement.note },
    url: (await linkTo(ctx, await getProject(ctx, payment.project.id), payment.reference)).url,
  }
}

/** The addresses given for a payment, the one to pay to first, each with its proof and the last price held for it. */
export async function depositAddresses(ctx: Context, payment: Payment): Promise<DepositAddress[]> {
  const isCurrent = ({ id }: QuoteRow) => id === payment.terms?.quoteId
  const quotes = (await listQuotes(ctx, payment.id)).toSorted((a, b) => Number(isCurrent(a)) - Number(isCurrent(b)))
  const last = new Map<string, QuoteRow>()
  for (const quote of quotes) {
    last.delete(quote.blockchainCode)
    last.set(quote.blockchainCode, quote)
  }
  const addresses: DepositAddress[] = []
  for (const quote of [...last.values()].toReversed()) {
    const { addressId, blockchainCode } = quote
    addresses.push(await givenAddress(ctx, payment, { addressId, blockchainCode, quote }))
  }
  return addresses
}

export type GivenFor = { readonly addressId: bigint; readonly blockchainCode: string; readonly quote: QuoteRow | null }

/** An address given for a payment, with the proof that it is ours. */
export async function givenAddress(
  ctx: Context,
  { reference }: Payment,
  { addressId, blockchainCode, quote }: GivenFor,
): Promise<DepositAddress> {
  const given = await findGivenAddress(ctx, addressId)
  const proof = await signAddressProof(ctx, { reference, blockchainCode, address: given.address })
  return addressView(given, { blockchainCode, proof, quote })
}

/** What a payer may know of the project that asks for a payment. */
export async function projectOf(ctx: Context, { project }: Payment): Promise<ProjectPublic> {
  return projectPublicView(await getProject(ctx, project.id), (await placeOf(ctx)).siteUrl)
}

/** The deposit wallets behind a payment, without their keys. */
export async function walletsOf(ctx: Context, { project }: Payment): Promise<z.output<typeof WalletPublic>[]> {
  return (await listProjectWallets(ctx, project.id)).map(walletView)
}

/** Whether the answer of an earlier create still names an open payment: only then is it given again (api.md 1.6). */
export async function isStillOpen(ctx: Context, answer: unknown): Promise<boolean> {
  const reference =
    typeof answer === 'object' && answer !== null && 'reference_id' in answer ? answer.reference_id : null
  const payment = typeof reference === 'string' ? await findPayment(ctx, reference) : undefined
  return payment?.status === 'OPEN'
}

/** Money of a customer that a person may still place, newest first. */
async function keptOf(ctx: Context, customerId: number): Promise<DepositShape[]> {
  const status = ['unapplied', 'quarantined'] as const
  return (await listDeposits(ctx, { projectIds: 'every', memberID: customerId, status, limit: MOST_KEPT })).data
}

/** Where links of this install point to. */
export async function placeOf(ctx: Context): Promise<Place> {
  return { mode: ctx.config.network, siteUrl: (await siteUrl(ctx)) ?? '', explorers: await ownExplorers(ctx) }
}

async function shown(ctx: Context, payment: Payment): Promise<{ view: PaymentPublic; deposits: ShownDeposit[] }> {
  const deposits = await depositsOfPayment(ctx, payment.id)
  const tips = deposits.length > 0 ? await listTips(ctx) : new Map<number, number>()
  const printed = await withAssets(ctx, deposits, tips)
  const confirmations = leastConfirmed(deposits, tips)
  const view = publicView(payment, {
    ...(await placeOf(ctx)),
    deposits: printed,
    confirmations,
    isInsider: isInsider(ctx, payment),
    waitsBecause: await whyItWaits(ctx, payment),
    repair: await repairFor(ctx, payment, printed),
    supersededBy: payment.supersededBy === null ? null : ((await findReference(ctx, payment.supersededBy)) ?? null),
  })
  return { view, deposits: printed }
}

/** Only what waits for money, or for its money to be final, waits for a network. */
async function whyItWaits(ctx: Context, payment: Payment): Promise<string | null> {
  const { terms, status } = payment
  if (terms === null || (status !== 'OPEN' && status !== 'PARTIALLY_FILLED')) return null
  const chain = (await chainFacts(ctx)).find(({ code }) => code === terms.asset.blockchainCode)
  return chain ? waitText(chain, isInsider(ctx, payment)) : null
}

/** A payment nobody paid yet has nothing to repair: the page that asks most often costs no more. */
async function repairFor(
  ctx: Context,
  payment: Payment,
  deposits: readonly ShownDeposit[],
): Promise<PaymentRepair | null> {
  if (deposits.length === 0) return null
  const { terms, project } = payment
  const leastUnits = terms && boundsOf(terms, await paymentPolicy(ctx, project.id)).least
  return repairOf({ payment, deposits, leastUnits, now: ctx.now() })
}

async function withAssets(
  ctx: Context,
  deposits: readonly Deposit[],
  tips: ReadonlyMap<number, number>,
): Promise<ShownDeposit[]> {
  if (deposits.length === 0) return []
  const assets = new Map((await listAssets(ctx)).map((asset) => [asset.id, asset]))
  return deposits.flatMap((deposit) => {
    const asset = assets.get(deposit.assetId)
    return asset ? [{ deposit, asset, confirmations: confirmationsOf(deposit, tips.get(deposit.blockchainId)) }] : []
  })
}

function isInsider({ caller }: Context, { project }: Payment): boolean {
  if (caller.kind === 'key') return caller.projectId === project.id && caller.scopes.has('payment:read')
  if (caller.kind !== 'operator') return caller.kind === 'system'
  const { install, projects } = caller.grants
  return install.has('payment:read') || (projects.get(project.id)?.has('payment:read') ?? false)
}
