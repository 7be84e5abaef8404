import { chainIn } from '@kassa/chains/chain.ts'
import type {
  DepositAddress,
  PaymentPublic,
  PaymentRepair,
  ProjectPublic,
  Quote,
  QuoteDetail,
  WalletPublic,
} from '@kassa/contract/payments/schemas.ts'
import type { NetworkMode } from '@kassa/primitives/chains/blockchain.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { findCurrency } from '@kassa/primitives/chains/currencies.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'
import { PRICE_DECIMALS } from '@kassa/primitives/money/rate.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import type * as z from 'zod/mini'
import { adapterOf } from '../../blockchains/chains/service.ts'
import { type ShownDeposit, waitsView } from '../../deposits/service.ts'
import { hasOwnLogo, type ProjectRow } from '../../projects/service.ts'
import type { AssignedAddress, ProjectWallet } from '../../wallets/service.ts'
import type { Sighting } from '../sightings/store.ts'
import type { Payment, QuoteRow } from '../payment/payment.ts'
import { publicState } from './repair-rules.ts'
import { payableUntil } from '../funding/deposit-rules.ts'
import { remainingUnits, remainingUsd } from '../funding/funding-rules.ts'
import { type LinkContext, transactionLink, onSite } from '../payment/links.ts'
import { usd } from '@kassa/primitives/money/usd.ts'

type PublicDeposit = PaymentPublic['deposits'][number]

export type PublicFacts = LinkContext & {
  readonly deposits: readonly ShownDeposit[]
  /** Transactions in the mempool, and dropped ones. */
  readonly sightings: readonly Sighting[]
  readonly confirmations: { readonly current: number; readonly required: number }
  /** The project's own key or an operator of it asks: only they may see the customer's id. */
  readonly isForMerchant: boolean
  /** Why its network is not followed while the payment waits for it. */
  readonly waits: PaymentPublic['waits']
  readonly repair: PaymentRepair | null
  /** What came meanwhile in tokens that are not listed. */
  readonly unlisted: PaymentPublic['unlisted']
  /** The reference of the newer request that replaced it. */
  readonly supersededBy: string | null
}

/** A payment as its payer sees it. */
export function publicView(payment: Payment, facts: PublicFacts): PaymentPublic {
  const { quote, project } = payment
  const units = (value: bigint) => (quote ? formatUnits(value, quote.asset.decimals) : null)
  const live = facts.deposits.filter(({ deposit }) => deposit.status !== 'reverted')
  const latest = live.at(-1)
  return {
    invoiceID: payment.invoiceId,
    description: payment.description,
    customerID: facts.isForMerchant ? payment.customer.customerId : null,
    ...currencyView(payment),
    amountInUSD: usd(payment.amountUsd),
    filledAmount: units(payment.filledUnits),
    filledAmountInUSD: quote && usd(payment.filledUsd),
    paymentState: payment.status,
    merchantName: project.name,
    depositAddress: quote && quote.address,
    referenceID: payment.reference,
    successURL: payment.successUrl ?? (project.successEndpoint || null),
    cancelURL: payment.cancelUrl ?? (project.cancelEndpoint || null),
    createdAt: payment.createdAt,
    explorerTransaction: latest ? explorerLink(facts, latest) : '',
    externalPlatformID: project.id,
    confirmationCurrent: facts.confirmations.current,
    confirmationRequired: facts.confirmations.required,
    amount: quote && units(quote.dueUnits),
    amountDue: quote && units(remainingUnits(payment)),
    amountDueInUSD: usd(remainingUsd(payment)),
    overpaid: payment.overUnits > 0n ? units(payment.overUnits) : null,
    fundingState: payment.fundingState,
    late: payment.late,
    cancelReason: payment.status === 'CANCELLED' ? payment.cancelReason : null,
    expiresAt: payment.expiresAt,
    rateLockedUntil: payableUntil(payment),
    paymentURI: paymentUri(payment, facts.mode),
    deposits: [...live.map((shown) => depositView(facts, shown)), ...waitingView(payment, facts)],
    dropped: droppedView(payment, facts),
    unlisted: facts.unlisted,
    waits: facts.waits,
    waitsBecause: facts.waits && facts.waits.text,
    repair: facts.repair,
    supersededBy: facts.supersededBy,
    test: facts.mode !== 'mainnet',
  }
}

function depositView(facts: PublicFacts, shown: ShownDeposit): PublicDeposit {
  return {
    txHash: shown.deposit.txId,
    amount: formatUnits(shown.deposit.units, shown.asset.decimals),
    currencyCode: shown.asset.currencyCode,
    blockchainCode: shown.asset.blockchainCode,
    state: publicState(shown.deposit),
    reason: shown.deposit.reason,
    confirmations: shown.confirmations,
    ...waitsWhile(shown),
    explorerTransaction: explorerLink(facts, shown),
    seenAt: shown.deposit.seenAt,
  }
}

/** Transfers that no block holds yet, as deposits with no confirmation. */
function waitingView({ quote }: Payment, facts: PublicFacts): PublicDeposit[] {
  if (!quote) return []
  const { asset } = quote
  return facts.sightings
    .filter(({ goneAt, assetId }) => goneAt === null && assetId === asset.id)
    .map(({ txId, units, firstSeenAt }) => ({
      txHash: txId,
      amount: formatUnits(units, asset.decimals),
      currencyCode: asset.currencyCode,
      blockchainCode: asset.blockchainCode,
      state: 'waiting' as const,
      reason: null,
      confirmations: 0,
      waits: null,
      waitsBecause: null,
      explorerTransaction: transactionLink(facts, asset.blockchainCode, txId),
      seenAt: firstSeenAt,
    }))
}

/** Transactions that were replaced, or that no node has any more. */
function droppedView({ quote }: Payment, facts: PublicFacts): PaymentPublic['dropped'] {
  return facts.sightings.flatMap(({ txId, goneAt, replacedBy }) =>
    goneAt === null || !quote
      ? []
      : [
          {
            txHash: txId,
            replacedBy,
            at: goneAt,
            explorerTransaction: transactionLink(facts, quote.asset.blockchainCode, replacedBy ?? txId),
          },
        ],
  )
}

function waitsWhile({ deposit }: ShownDeposit): Pick<PaymentPublic['deposits'][number], 'waits' | 'waitsBecause'> {
  const waits = publicState(deposit) === 'waiting' ? waitsView(deposit) : null
  return { waits, waitsBecause: waits && waits.text }
}

function currencyView({ quote }: Payment) {
  const asset = quote?.asset
  const currency = asset && findCurrency(asset.currencyCode)
  const network = asset && findBlockchain(asset.blockchainCode)
  return {
    currencySymbol: asset?.currencyCode ?? null,
    blockchainSymbol: asset?.blockchainCode ?? null,
    currencyAddress: asset?.address ?? null,
    currencyName: currency?.name ?? null,
    currencyDesc: currency && network ? `${currency.name} on ${network.name}` : null,
    currencyDecimals: asset?.decimals ?? null,
  }
}

/** The link a wallet opens, asking for what is still missing; none once nothing is. */
function paymentUri(payment: Payment, mode: NetworkMode): string | null {
  const { quote, status } = payment
  const definition = quote && findBlockchain(quote.asset.blockchainCode)
  const units = remainingUnits(payment)
  if (!quote || !definition || units === 0n || status === 'CANCELLED') return null
  const uris = adapterOf(definition.family)?.uris
  return uris?.payment(chainIn(mode, definition), { assetId: quote.asset.id, to: quote.address, units }) ?? null
}

function explorerLink(context: LinkContext, { deposit, asset }: ShownDeposit): string {
  // A balance deposit has no transaction to look up.
  if (deposit.evidence !== 'balance') return transactionLink(context, asset.blockchainCode, deposit.txId)
  const template = findBlockchain(asset.blockchainCode)?.networks[context.mode].explorerAddress ?? ''
  return onSite(context, template.replace('{address}', deposit.to))
}

/** A quote of a payment. */
function quoteView(quote: QuoteRow): Quote {
  return {
    currencyCode: quote.currencyCode,
    blockchainCode: quote.blockchainCode,
    amount: formatUnits(quote.dueUnits, quote.decimals),
    priceInUSD: formatUnits(quote.price, PRICE_DECIMALS),
    quotedAt: quote.quotedAt,
    lockedUntil: quote.lockedUntil,
    sources: quote.sources.filter(({ used }) => used).map(({ name }) => name),
  }
}

/** The same with the answer of every price source, for operators. */
export function quoteDetailView(quote: QuoteRow): QuoteDetail {
  const evidence = quote.sources.map(({ name, price, at, used, why }) => {
    return { source: name, price, at, used, why: why ?? null }
  })
  return { ...quoteView(quote), evidence }
}

export type AddressFacts = { readonly blockchainCode: string; readonly proof: string; readonly quote: QuoteRow | null }

/** An address as its payer sees it. */
export function addressView(assigned: AssignedAddress, { blockchainCode, proof, quote }: AddressFacts): DepositAddress {
  const family = findFamily(assigned.familyId)?.family ?? ''
  return {
    id: Number(assigned.id),
    createdAt: assigned.assignedAt,
    Address: assigned.address,
    Family: family,
    Status: assigned.status,
    MemberID: assigned.customerId,
    xpub_id: null,
    BlockchainFamilyID: assigned.familyId,
    Member: null,
    BlockchainFamily: { id: assigned.familyId, family },
    wallet: assigned.wallet,
    blockchainCode,
    proof,
    quote: quote && quoteView(quote),
    path: assigned.path,
  }
}

/** A deposit wallet as a payer may know it. */
export function walletView({ id, name, familyId, type, subType }: ProjectWallet): z.output<typeof WalletPublic> {
  return { id, name, family: findFamily(familyId)?.family ?? '', walletType: type, walletSubType: subType }
}

/** What a payer may know of a project. */
export function projectPublicView(project: ProjectRow, siteUrl: string): ProjectPublic {
  return {
    id: project.id,
    name: project.name,
    logoPath: hasOwnLogo(project.logo_path) ? `${siteUrl}${project.logo_path}` : '',
    brandColor: project.brand_color,
    checkoutLanguage: project.checkout_language,
    checkoutTheme: project.checkout_theme,
    backText: project.back_text,
    website: project.website,
    successEndpoint: project.success_endpoint,
    cancelEndpoint: project.cancel_endpoint,
    supportEmail: project.support_email,
    twitterURL: project.twitter_url,
    discordURL: project.discord_url,
    linkedInURL: project.linkedin_url,
    telegramURL: project.telegram_url,
  }
}
