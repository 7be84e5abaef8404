/** Diagnosis: what became of one transaction that a customer or an operator asks about. */
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { Diagnosis, PaymentQuestion } from '@kassa/contract/payments/diagnosis.ts'
import { readTransactionIds, type TransactionId } from '@kassa/chains/identifiers.ts'
import { actorOf, type Context } from '../../../context.ts'
import { queue } from '../../../jobs/jobs.ts'
import { type Asset, findBlockchain, listAssets, listBlockchains } from '../../blockchains/chains/service.ts'
import { type Deposit, depositsOfTransaction } from '../../deposits/service.ts'
import { addressesOfCustomer } from '../../wallets/service.ts'
import { diagnoseWithoutHash } from './diagnose-without-hash.ts'
import { diagnosisView, knownDeposit } from './diagnosis-view.ts'
import { type Decision, diagnose, type KnownDeposit, type Question } from './rules.ts'
import { payerText, type VerdictText } from './payer-text.ts'
import { lookUp, type PaidAddress, type ChainTransaction } from './look-up-transaction.ts'
import type { Payment } from '../payment/payment.ts'
import { listTips } from '../payment/store.ts'

/** A request to read one transaction from its blockchain again, made by a payer or an operator (api.md Y9, Y25). */
export type TransactionRequest = {
  readonly blockchainId: number
  readonly txId: string
  readonly reason: string
  readonly by: string
}
export const transactionRequests = queue<TransactionRequest>('watch.rescan-transaction')

export type TransactionQuery = { readonly txHash: string; readonly blockchainCode?: string | undefined }

/** Who asks about a transaction, and what that person may see. */
export type Asker = {
  readonly payment: Payment | null
  /** The shop's name, as the text uses it. */
  readonly shop: string
  /** Whether a deposit may be shown to the asker. */
  readonly mayKnow: (deposit: Deposit) => boolean
  /** The text for the asker. */
  readonly payerText: VerdictText
  /** Returns which of the paid addresses belong to the asker. */
  readonly own: (paid: readonly PaidAddress[]) => Promise<ReadonlySet<string>>
}

export type Answer = {
  readonly decision: Decision
  readonly transaction: ChainTransaction | null
  readonly view: Diagnosis
}

/**
 * Explains why a transaction is not credited to a payment. It reveals only the payer's own deposits and public chain data;
 * a missed transfer is read again. Without a hash it is looked for among what is recorded.
 * @throws VALIDATION_FAILED when the question names no transaction, BLOCKCHAIN_NOT_FOUND
 */
export async function diagnosePayment(ctx: Context, payment: Payment, asked: PaymentQuestion): Promise<Diagnosis> {
  const { txHash = '', blockchainCode } = asked
  if (txHash === '') return diagnoseWithoutHash(ctx, payment, asked)
  const { view } = await diagnoseFor(
    ctx,
    { txHash, blockchainCode },
    {
      payment,
      shop: payment.project.name,
      payerText,
      mayKnow: ({ customerId }) => customerId === payment.customer.id,
      own: async () => new Set((await addressesOfCustomer(ctx, payment.customer.id)).map(({ address }) => address)),
    },
  )
  return view
}

/**
 * Diagnoses a transaction for an asker. Nodes are asked only when no deposit is recorded; then the database is read again,
 * so that a deposit credited meanwhile is not reported as missed.
 * @throws VALIDATION_FAILED, BLOCKCHAIN_NOT_FOUND
 */
export async function diagnoseFor(ctx: Context, query: TransactionQuery, asker: Asker): Promise<Answer> {
  const candidates = await candidatesOf(ctx, query)
  const assets = new Map((await listAssets(ctx)).map((asset) => [asset.id, asset]))
  const recorded = await knownOf(ctx, candidates, asker, assets)
  const isKnown = recorded.some(({ status }) => status !== 'reverted')
  const seen = isKnown ? [] : await lookUp(ctx, candidates, assets)
  const known = isKnown ? recorded : await knownOf(ctx, candidates, asker, assets)
  const question: Question = {
    payment: asker.payment && { id: asker.payment.id, asked: asker.payment.quote?.asset ?? null },
    addresses: await asker.own(seen.flatMap(({ paid }) => paid)),
    known,
    sightings: seen.map(({ sighting }) => sighting),
  }
  const decision = diagnose(question)
  const transaction = candidates.find(({ blockchain }) => blockchain.code === decision.blockchainCode) ?? null
  if (decision.isMissed && transaction) await readAgain(ctx, transaction, asker)
  const shown = transaction && { blockchainCode: transaction.blockchain.code, txId: transaction.txId }
  return { decision, transaction, view: await diagnosisView(ctx, { decision, transaction: shown, asker, assets }) }
}

/** The transaction on each blockchain that may have it, judged by the form of its id. */
async function candidatesOf(ctx: Context, { txHash, blockchainCode }: TransactionQuery): Promise<ChainTransaction[]> {
  const chains = blockchainCode
    ? [(await findBlockchain(ctx, blockchainCode)) ?? fail('BLOCKCHAIN_NOT_FOUND')]
    : await listBlockchains(ctx)
  const ids = readTransactionIds(txHash)
  const candidates = chains.flatMap((blockchain) => {
    const id = ids.find(({ family }: TransactionId) => family === blockchain.definition.family)
    return id ? [{ blockchain, txId: id.txId }] : []
  })
  const message = 'This is not a valid transaction hash'
  return candidates.length > 0 ? candidates : fail('VALIDATION_FAILED', { message, fields: { txHash: message } })
}

async function knownOf(
  ctx: Context,
  candidates: readonly ChainTransaction[],
  { mayKnow }: Asker,
  assets: ReadonlyMap<number, Asset>,
): Promise<KnownDeposit[]> {
  const txIds = [...new Set(candidates.map(({ txId }) => txId))]
  const chains = new Set(candidates.map(({ blockchain }) => blockchain.id))
  const found = (await depositsOfTransaction(ctx, txIds)).filter(
    (deposit) => chains.has(deposit.blockchainId) && mayKnow(deposit),
  )
  const tips = found.length > 0 ? await listTips(ctx) : new Map<number, number>()
  return found.flatMap((deposit) => {
    const asset = assets.get(deposit.assetId)
    return asset ? [knownDeposit(deposit, asset, tips.get(deposit.blockchainId))] : []
  })
}

/** Queues a rescan of this transaction; repeated requests share one waiting job. */
async function readAgain(ctx: Context, { blockchain, txId }: ChainTransaction, { payment }: Asker): Promise<void> {
  const by = payment === null || ctx.caller.kind !== 'anonymous' ? 'operator' : 'payer'
  const reason = `${by} asked for a transaction that was not recorded`
  await transactionRequests.send(
    ctx,
    { blockchainId: blockchain.id, txId, reason, by: actorOf(ctx.caller) },
    { singletonKey: `${blockchain.id}:${txId}` },
  )
}
