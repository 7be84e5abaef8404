/** Diagnosis: what became of one transaction that a customer or an operator asks about. */
import { confirmationsOf } from '@kassa/contract/deposits/confirmations.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { Diagnosis } from '@kassa/contract/payments/diagnosis.ts'
import { readTransactionIds, type TransactionId } from '@kassa/primitives/chains/transaction-ids.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import { actorOf, type Context } from '../../../context.ts'
import { queue } from '../../../jobs/jobs.ts'
import { type Asset, findBlockchain, listAssets, listBlockchains } from '../../blockchains/chains/service.ts'
import { type Deposit, depositsOfTransaction } from '../../deposits/service.ts'
import { addressesOfCustomer } from '../../wallets/service.ts'
import { type Decision, diagnose, type KnownDeposit, type Question } from './rules.ts'
import { payerText, type VerdictText } from './payer-text.ts'
import { lookUp, type PaidAddress, type Wanted } from './look-up-transaction.ts'
import type { Payment } from '../payment/payment.ts'
import { listTips } from '../payment/store.ts'
import { placeOf, transactionLink } from '../payment/links.ts'

/** What a payer or an operator who names a transaction asks of whoever reads its blockchain (api.md Y9, Y25). */
export type TransactionRequest = {
  readonly blockchainId: number
  readonly txId: string
  readonly reason: string
  readonly by: string
}
export const transactionRequests = queue<TransactionRequest>('watch.rescan-transaction')

export type TransactionQuery = { readonly txHash: string; readonly blockchainCode?: string | undefined }

/** Whose transaction it may be. */
export type Asker = {
  readonly payment: Payment | null
  /** The shop's name, for the sentences. */
  readonly shop: string
  /** Deposits that whoever asks may know of. */
  readonly mayKnow: (deposit: Deposit) => boolean
  /** The sentence for whoever asks. */
  readonly payerText: VerdictText
  /** Which of the addresses that were paid are the asker's. */
  readonly own: (paid: readonly PaidAddress[]) => Promise<ReadonlySet<string>>
}

export type Answer = { readonly decision: Decision; readonly wanted: Wanted | null; readonly view: Diagnosis }

/**
 * Explains why a transaction is not credited to a payment. It reveals only the payer's own deposits and public chain data;
 * a missed transfer is read again.
 * @throws VALIDATION_FAILED when the text holds no transaction hash, BLOCKCHAIN_NOT_FOUND
 */
export async function diagnosePayment(ctx: Context, payment: Payment, query: TransactionQuery): Promise<Diagnosis> {
  const { view } = await answerFor(ctx, query, {
    payment,
    shop: payment.project.name,
    payerText,
    mayKnow: ({ customerId }) => customerId === payment.customer.id,
    own: async () => new Set((await addressesOfCustomer(ctx, payment.customer.id)).map(({ address }) => address)),
  })
  return view
}

/**
 * Diagnoses a transaction for whoever asks. Nodes are asked only when nothing is recorded; the database is read after them,
 * so that a deposit credited meanwhile is not reported as missed.
 * @throws VALIDATION_FAILED, BLOCKCHAIN_NOT_FOUND
 */
export async function answerFor(ctx: Context, query: TransactionQuery, asker: Asker): Promise<Answer> {
  const wanted = await wantedOf(ctx, query)
  const assets = new Map((await listAssets(ctx)).map((asset) => [asset.id, asset]))
  const atOnce = await knownOf(ctx, wanted, asker, assets)
  const isKnown = atOnce.some(({ status }) => status !== 'reverted')
  const seen = isKnown ? [] : await lookUp(ctx, wanted, assets)
  const known = isKnown ? atOnce : await knownOf(ctx, wanted, asker, assets)
  const question: Question = {
    payment: asker.payment && { id: asker.payment.id, asked: asker.payment.quote?.asset ?? null },
    addresses: await asker.own(seen.flatMap(({ paid }) => paid)),
    known,
    sightings: seen.map(({ sighting }) => sighting),
  }
  const decision = diagnose(question)
  const place = wanted.find(({ blockchain }) => blockchain.code === decision.blockchainCode) ?? null
  if (decision.isMissed && place) await readAgain(ctx, place, asker)
  return { decision, wanted: place, view: await viewOf(ctx, { decision, place, asker, assets }) }
}

/** The blockchains that can have such a transaction. */
async function wantedOf(ctx: Context, { txHash, blockchainCode }: TransactionQuery): Promise<Wanted[]> {
  const chains = blockchainCode
    ? [(await findBlockchain(ctx, blockchainCode)) ?? fail('BLOCKCHAIN_NOT_FOUND')]
    : await listBlockchains(ctx)
  const ids = readTransactionIds(txHash)
  const wanted = chains.flatMap((blockchain) => {
    const id = ids.find(({ family }: TransactionId) => family === blockchain.definition.family)
    return id ? [{ blockchain, txId: id.txId }] : []
  })
  const message = 'This is not a valid transaction hash'
  return wanted.length > 0 ? wanted : fail('VALIDATION_FAILED', { message, fields: { txHash: message } })
}

async function knownOf(
  ctx: Context,
  wanted: readonly Wanted[],
  { mayKnow }: Asker,
  assets: ReadonlyMap<number, Asset>,
): Promise<KnownDeposit[]> {
  const txIds = [...new Set(wanted.map(({ txId }) => txId))]
  const chains = new Set(wanted.map(({ blockchain }) => blockchain.id))
  const found = (await depositsOfTransaction(ctx, txIds)).filter(
    (deposit) => chains.has(deposit.blockchainId) && mayKnow(deposit),
  )
  const tips = found.length > 0 ? await listTips(ctx) : new Map<number, number>()
  return found.flatMap((deposit) => {
    const asset = assets.get(deposit.assetId)
    return asset ? [knownDeposit(deposit, asset, tips.get(deposit.blockchainId))] : []
  })
}

function knownDeposit(deposit: Deposit, asset: Asset, tip: number | undefined): KnownDeposit {
  const { id, paymentId, status, reason, confirmationsRequired } = deposit
  const { currencyCode, blockchainCode, decimals } = asset
  const money = { currencyCode, blockchainCode, amount: formatUnits(deposit.units, decimals), paidTo: deposit.to }
  const confirmations = confirmationsOf(deposit, tip)
  return { id, paymentId, status, reason, confirmations, confirmationsRequired, money }
}

/** Queues a rescan of this transaction; repeated requests share one waiting job. */
async function readAgain(ctx: Context, { blockchain, txId }: Wanted, { payment }: Asker): Promise<void> {
  const by = payment === null || ctx.caller.kind !== 'nobody' ? 'operator' : 'payer'
  const reason = `${by} asked for a transaction that was not recorded`
  await transactionRequests.send(
    ctx,
    { blockchainId: blockchain.id, txId, reason, by: actorOf(ctx.caller) },
    { singletonKey: `${blockchain.id}:${txId}` },
  )
}

type Shown = {
  readonly decision: Decision
  readonly place: Wanted | null
  readonly asker: Asker
  readonly assets: ReadonlyMap<number, Asset>
}

async function viewOf(ctx: Context, { decision, place, asker, assets }: Shown): Promise<Diagnosis> {
  const { money, verdict, confirmations, confirmationsRequired, blockchainCode } = decision
  const quote = asker.payment?.quote ?? null
  const asset = [...assets.values()].find(
    (one) => one.blockchainCode === money?.blockchainCode && one.currencyCode === money.currencyCode,
  )
  const minimum = asset && asset.minDepositUnits > 0n ? formatUnits(asset.minDepositUnits, asset.decimals) : null
  return {
    verdict,
    text: asker.payerText(decision, { shop: asker.shop, asked: quote?.asset ?? null, minimum }),
    confirmations,
    confirmationRequired: confirmationsRequired,
    blockchainCode,
    currencyCode: money?.currencyCode ?? null,
    amount: money?.amount ?? null,
    paidTo: money?.paidTo ?? null,
    depositAddress: quote?.address ?? null,
    explorerTransaction: place && transactionLink(await placeOf(ctx), place.blockchain.code, place.txId),
  }
}
