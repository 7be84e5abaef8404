import { readAddresses } from '@kassa/chains/identifiers.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { Diagnosis, PaymentQuestion } from '@kassa/contract/payments/diagnosis.ts'
import type { UnlistedTransfer } from '@kassa/contract/unlisted-transfers/schemas.ts'

import type { Context } from '../../../context.ts'
import { type Asset, listAssets } from '../../blockchains/chains/service.ts'
import { type Deposit, depositsOfPayment, unappliedOfCustomer } from '../../deposits/service.ts'
import { unlistedOfCustomer } from '../../unlisted-transfers/service.ts'
import { addressesOfCustomer } from '../../wallets/service.ts'
import { SLACK_MS } from '../funding/deposit-rules.ts'
import type { Payment } from '../payment/payment.ts'
import { listTips } from '../payment/store.ts'
import { listOfPayment } from '../sightings/store.ts'
import { diagnosisView, knownDeposit } from './diagnosis-view.ts'
import { payerText } from './payer-text.ts'
import { type Decision, diagnose, NOTHING } from './rules.ts'
import { type Clues, fits } from './without-hash-rules.ts'

/** The most notices of unlisted tokens that are compared. */
const MOST_NOTICES = 50

type Found = {
  readonly decision: Decision
  readonly transaction: { readonly blockchainCode: string; readonly txId: string } | null
}

/**
 * Finds a transfer to a payment by what its payer knows without the hash: an address, or an amount and about when. It looks at
 * what is recorded for this payment, at unmatched money on its own addresses since it was made, and at notices of unlisted
 * tokens there; it asks no node, and other payments and other people's transfers are never looked at.
 * @throws VALIDATION_FAILED
 */
export async function diagnoseWithoutHash(
  ctx: Context,
  payment: Payment,
  question: PaymentQuestion,
): Promise<Diagnosis> {
  const clues = cluesOf(question)
  const assets = new Map((await listAssets(ctx)).map((asset) => [asset.id, asset]))
  const found =
    (await amongDeposits(ctx, payment, { clues, assets })) ??
    (await onItsWay(ctx, payment, { clues, assets })) ??
    (await amongUnlisted(ctx, payment, clues)) ??
    NOT_RECORDED
  const asker = { payment, shop: payment.project.name, payerText }
  return diagnosisView(ctx, { ...found, asker, assets })
}

const NOT_RECORDED: Found = { decision: { ...NOTHING, cause: 'unrecorded' }, transaction: null }

/** @throws VALIDATION_FAILED when there is nothing to look for, or what was typed is no address */
function cluesOf({ address = '', amount = '', paidOn = '' }: PaymentQuestion): Clues {
  const addresses = address === '' ? null : readAddresses(address)
  if (addresses === null && amount === '') {
    const message = 'Transaction hash is required'
    const details = 'Without it name the address that was paid from or to, or the amount.'
    return fail('VALIDATION_FAILED', { message, details, fields: { txHash: message } })
  }
  if (addresses?.length === 0) {
    const message = 'This is not a valid address'
    return fail('VALIDATION_FAILED', { message, fields: { address: message } })
  }
  return { addresses, amount: amount === '' ? null : amount.replace(',', '.'), day: paidOn === '' ? null : paidOn }
}

type Search = { readonly clues: Clues; readonly assets: ReadonlyMap<number, Asset> }

async function amongDeposits(ctx: Context, payment: Payment, { clues, assets }: Search): Promise<Found | null> {
  const candidates = [...(await depositsOfPayment(ctx, payment.id)), ...(await unmatchedOf(ctx, payment))]
  const fitting = candidates
    .filter(({ status }) => status !== 'reverted')
    .flatMap((deposit) => {
      const asset = assets.get(deposit.assetId)
      const { from, to, units, blockTime: at } = deposit
      return asset && fits(clues, { from, to, units, decimals: asset.decimals, at }) ? [{ deposit, asset }] : []
    })
    .toSorted((a, b) => b.deposit.blockTime.getTime() - a.deposit.blockTime.getTime())
  if (fitting.length === 0) return null
  const tips = await listTips(ctx)
  const known = fitting.map(({ deposit, asset }) => knownDeposit(deposit, asset, tips.get(deposit.blockchainId)))
  const asked = payment.quote?.asset ?? null
  const decision = diagnose({ payment: { id: payment.id, asked }, addresses: new Set(), known, sightings: [] })
  const shown = fitting.find(({ deposit }) => deposit.id === decision.depositId)
  const transaction = shown && { blockchainCode: shown.asset.blockchainCode, txId: shown.deposit.txId }
  return { decision, transaction: transaction ?? null }
}

/** Unmatched money on the addresses of the payment since it was made; no other payment has it. */
async function unmatchedOf(ctx: Context, payment: Payment): Promise<Deposit[]> {
  const since = payment.createdAt.getTime() - SLACK_MS
  const unmatched = await unappliedOfCustomer(ctx, payment.customer.id)
  return unmatched.filter(({ paymentId, blockTime }) => paymentId === null && blockTime.getTime() >= since)
}

/** A transfer that no block holds yet; who sends it is not recorded. */
async function onItsWay(ctx: Context, payment: Payment, { clues, assets }: Search): Promise<Found | null> {
  const { addresses } = clues
  const to = payment.quote?.address ?? ''
  for (const { assetId, units, firstSeenAt: at, goneAt, txId } of await listOfPayment(ctx, payment.id)) {
    const asset = assets.get(assetId)
    if (!asset || goneAt !== null) continue
    if (!fits({ ...clues, addresses }, { from: null, to, units, decimals: asset.decimals, at })) continue
    const { blockchainCode } = asset
    return { decision: { ...NOTHING, verdict: 'pending', blockchainCode }, transaction: { blockchainCode, txId } }
  }
  return null
}

async function amongUnlisted(ctx: Context, payment: Payment, clues: Clues): Promise<Found | null> {
  const own = new Set((await addressesOfCustomer(ctx, payment.customer.id)).map(({ address }) => address))
  const from = new Date(payment.createdAt.getTime() - SLACK_MS)
  // Blocks may be ahead of our clock.
  const span = { from, to: new Date(ctx.now().getTime() + SLACK_MS), limit: MOST_NOTICES }
  const notice = (await unlistedOfCustomer(ctx, payment.customer.id, span)).find(
    (one) => own.has(one.toAddress) && fits(clues, comparableNotice(one)),
  )
  if (!notice) return null
  const { blockchainCode, contract, txHash: txId } = notice
  return {
    decision: { ...NOTHING, verdict: 'wrong_token', cause: 'contract', contract, blockchainCode },
    transaction: { blockchainCode, txId },
  }
}

/** The amount is the one that the contract claims, where it claims one. */
function comparableNotice({ toAddress: to, amount, minedAt: at }: UnlistedTransfer) {
  const [, fraction = ''] = amount?.split('.') ?? []
  const units = amount === null ? null : BigInt(amount.replace('.', ''))
  return { from: null, to, units, decimals: fraction.length, at }
}
