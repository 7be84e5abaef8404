/** A refund that is filled in: how much it may be, and what is sent of it. */
import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import type { Recipient } from '@kassa/contract/recipients/schemas.ts'
import { parseUnits } from '@kassa/primitives/money/units.ts'
import { t } from '@lingui/core/macro'

import type { NewPayoutRequest } from '../../../api/payouts.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { assetAmount } from '../../../lib/text/format.ts'
import { type Source, sourcesOf } from './refund-sources.ts'

export type RefundValues = {
  /** The chosen one of the currencies that came in, by its index. */
  readonly source: string
  readonly kind: 'overpaid' | 'full' | 'custom'
  readonly amount: string
  readonly recipientID: string
  readonly note: string
}

/** The claim that a refund pays: the one that was on screen when the dialog was opened. */
export type Claim = NonNullable<PaymentDetail['refundClaim']>

/** More decimals than any asset has, so that amounts are compared exactly. */
const DECIMALS = 36

/** Returns the received money that the refund is taken from. */
export function sourceOf(payment: PaymentDetail, { source }: Pick<RefundValues, 'source'>): Source | undefined {
  const sources = sourcesOf(payment)
  return sources[Number(source)] ?? sources[0]
}

/** Names a source: "12.5 USDT · Ethereum · unmatched". */
export function sourceText({ currencyCode, blockchainCode, amount, depositID }: Source): string {
  const network = networkName(blockchainCode)
  if (depositID === undefined) return `${currencyCode} · ${network}`
  const money = assetAmount(amount, currencyCode)
  return t`${money} · ${network} · unmatched`
}

/** Returns the source that a claim is most likely about: on its network, an unmatched deposit or a surplus before the rest. */
export function sourceOfClaim(payment: PaymentDetail, claim: Claim | null): string {
  const sources = sourcesOf(payment)
  const onNetwork = (one: Source) => claim !== null && one.blockchainCode === claim.blockchainCode
  const likely = sources.findIndex(
    (one) => onNetwork(one) && (one.depositID !== undefined || /[1-9]/.test(one.overpaid)),
  )
  return String(Math.max(0, likely === -1 ? sources.findIndex(onNetwork) : likely))
}

/** Returns the possible kinds of amount, the most likely one first. */
export function kindsOf(payment: PaymentDetail, values: Pick<RefundValues, 'source'> = { source: '0' }) {
  const source = sourceOf(payment, values)
  if (source === undefined) return []
  const { currencyCode, overpaid, amount } = source
  const [over, all] = [assetAmount(overpaid, currencyCode), assetAmount(amount, currencyCode)]
  return [
    ...(/[1-9]/.test(overpaid) ? [{ value: 'overpaid' as const, label: t`Overpaid part`, hint: over }] : []),
    {
      value: 'full' as const,
      label: isRest(payment, source) ? t`Everything that is left` : t`Everything received`,
      hint: all,
    },
    { value: 'custom' as const, label: t`Other` },
  ]
}

/** Whether refunds were requested already of the same money: what they claim can no longer be refunded. */
function isRest({ refunds }: PaymentDetail, { currencyCode, blockchainCode }: Source): boolean {
  return refunds.some(
    (one) =>
      one.currencyCode === currencyCode &&
      one.blockchainCode === blockchainCode &&
      one.status !== 'rejected' &&
      one.status !== 'cancelled',
  )
}

/** Returns the recipients that money of a source can go to: those on its network. */
export function recipientsFor(source: Source | undefined, known: readonly Recipient[]): Recipient[] {
  return known.filter(({ blockchainCode, status }) => blockchainCode === source?.blockchainCode && status === 'active')
}

/** Returns what counts of a form whose source was changed: no recipient of another network, no kind that the source does not have. */
export function valuesThatCount(
  payment: PaymentDetail,
  typed: RefundValues,
  known: readonly Recipient[],
  claimed: Recipient | undefined,
): RefundValues {
  const id = typed.recipientID || String(claimed?.id ?? '')
  const isPayable = recipientsFor(sourceOf(payment, typed), known).some((one) => String(one.id) === id)
  const kinds = kindsOf(payment, typed).map(({ value }) => value)
  const kind = kinds.includes(typed.kind) ? typed.kind : (kinds[0] ?? 'custom')
  return { ...typed, kind, recipientID: isPayable ? id : '' }
}

/** Returns the amount to refund. */
export function amountOf(payment: PaymentDetail, values: RefundValues): string {
  const source = sourceOf(payment, values)
  if (values.kind === 'overpaid') return source?.overpaid ?? '0'
  return values.kind === 'full' ? (source?.amount ?? '0') : values.amount.trim()
}

/** Returns what prevents the refund. */
export function refundProblems(
  payment: PaymentDetail,
  values: RefundValues,
): { amount?: string; recipientID?: string } {
  return {
    ...(values.kind === 'custom' && amountProblem(payment, values)),
    ...(values.recipientID === '' && { recipientID: t`Choose a recipient` }),
  }
}

function amountProblem(payment: PaymentDetail, values: RefundValues): { amount?: string } {
  const amount = values.amount.trim()
  const source = sourceOf(payment, values)
  if (!/^\d+(\.\d{1,36})?$/.test(amount)) return { amount: t`Enter an amount such as 10.00` }
  if (!/[1-9]/.test(amount)) return { amount: t`Amount must be greater than 0` }
  const isTooMuch = parseUnits(amount, DECIMALS) > parseUnits(source?.amount ?? '0', DECIMALS)
  const most = source && assetAmount(source.amount, source.currencyCode)
  return isTooMuch && most !== undefined ? { amount: t`At most ${most} can be refunded for this payment.` } : {}
}

/** Returns the request for the server; `claim` is the one that the recipient's address fulfils. */
export function toRefund(payment: PaymentDetail, values: RefundValues, claim: Claim | null): NewPayoutRequest {
  const source = sourceOf(payment, values)
  return {
    recipientID: Number(values.recipientID),
    currencyCode: source?.currencyCode ?? '',
    amount: amountOf(payment, values),
    refundOfReferenceID: payment.referenceID,
    refundKind: source?.depositID === undefined ? values.kind : 'unapplied',
    ...(source?.depositID !== undefined && { refundDepositID: source.depositID }),
    ...(claim !== null && { refundClaimID: claim.id }),
    ...(values.note.trim() !== '' && { note: values.note.trim() }),
  }
}
