import { confirmationsOf } from '@kassa/contract/deposits/confirmations.ts'
import type { Diagnosis } from '@kassa/contract/payments/diagnosis.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import type { Context } from '../../../context.ts'
import type { Asset } from '../../blockchains/chains/service.ts'
import type { Deposit } from '../../deposits/service.ts'
import { linkContextOf, transactionLink } from '../payment/links.ts'
import type { Payment } from '../payment/payment.ts'
import { requireOwnAddress } from '../payment/service.ts'
import type { VerdictText } from './payer-text.ts'
import type { Decision, KnownDeposit } from './rules.ts'

/** What a diagnosis is written from. */
export type DiagnosisParts = {
  readonly decision: Decision
  /** Where it was found. */
  readonly transaction: { readonly blockchainCode: string; readonly txId: string } | null
  /** Who asks, for which payment. */
  readonly asker: { readonly payment: Payment | null; readonly shop: string; readonly payerText: VerdictText }
  readonly assets: ReadonlyMap<number, Asset>
}

/** A decision as the contract shows it, with its sentence for the asker. */
export async function diagnosisView(
  ctx: Context,
  { decision, transaction, asker, assets }: DiagnosisParts,
): Promise<Diagnosis> {
  const { money, verdict, confirmations, confirmationsRequired, blockchainCode } = decision
  if (asker.payment) await requireOwnAddress(ctx, asker.payment)
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
    explorerTransaction:
      transaction && transactionLink(await linkContextOf(ctx), transaction.blockchainCode, transaction.txId),
  }
}

/** A recorded deposit as the rules judge it. */
export function knownDeposit(deposit: Deposit, asset: Asset, tip: number | undefined): KnownDeposit {
  const { id, paymentId, status, reason, confirmationsRequired } = deposit
  const { currencyCode, blockchainCode, decimals } = asset
  const money = { currencyCode, blockchainCode, amount: formatUnits(deposit.units, decimals), paidTo: deposit.to }
  const confirmations = confirmationsOf(deposit, tip)
  return { id, paymentId, status, reason, confirmations, confirmationsRequired, money }
}
