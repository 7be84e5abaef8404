/** What a payer may do about a deposit that differs from what was requested (screens.md 3.43). */
import type { PaymentRepair } from '@kassa/contract/payments/schemas.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'

import type { Deposit, ShownDeposit } from '../../deposits/service.ts'
import { isUnapplied, payableUntil } from '../funding/deposit-rules.ts'
import type { Payment } from '../payment/payment.ts'

export type RepairQuestion = {
  readonly payment: Payment
  readonly deposits: readonly ShownDeposit[]
  /** The least final money that fills it, in units of the asset asked for; null while nothing is asked. */
  readonly leastUnits: bigint | null
  readonly now: Date
}

/** The state of a deposit as the payer sees it. */
export function publicState({ status, reason }: Deposit): 'waiting' | 'counted' | 'unapplied' | 'on_hold' | 'ignored' {
  if (status === 'applied') return 'counted'
  if (status === 'quarantined') return 'on_hold'
  if (status === 'ignored' || reason === 'below_minimum') return 'ignored'
  if (status === 'unapplied' || isUnapplied(reason)) return 'unapplied'
  return 'waiting'
}

/** The first problem with a payment's deposits and what its payer may do; null when there is none. */
export function repairOf(question: RepairQuestion): PaymentRepair | null {
  return onHold(question) ?? unapplied(question) ?? missing(question) ?? surplus(question)
}

function onHold({ payment, deposits }: RepairQuestion): PaymentRepair | null {
  const found = deposits.find(({ deposit }) => publicState(deposit) === 'on_hold')
  if (!found) return null
  const text = `${payment.project.name} is checking the ${amountOf(found)} that arrived. Nothing for you to do.`
  return { kind: 'on_hold', text, ...moneyOf(found), until: null, contact: contactOf(payment) }
}

function unapplied({ payment, deposits }: RepairQuestion): PaymentRepair | null {
  const found = deposits.findLast(({ deposit }) => publicState(deposit) === 'unapplied')
  if (!found) return null
  const shop = payment.project.name
  const text = `${unappliedText(payment, found)} ${shop} holds it for you and can count it or send it back. Ask ${shop}.`
  return { kind: 'unapplied', text, ...moneyOf(found), until: null, contact: contactOf(payment) }
}

function unappliedText({ quote, project }: Payment, shown: ShownDeposit): string {
  const amount = amountOf(shown)
  const { reason } = shown.deposit
  if (reason === 'late') return `${amount} arrived after the time was up.`
  if (reason === 'wrong_asset' && quote) {
    const { asset } = shown
    const asked = quote.asset
    return asset.currencyCode === asked.currencyCode
      ? `${amount} arrived on ${networkName(asset.blockchainCode)}; ${project.name} asked for it on ${networkName(asked.blockchainCode)}.`
      : `You sent ${asset.currencyCode}; ${project.name} asked for ${asked.currencyCode}.`
  }
  return `${amount} arrived and does not count for this request yet.`
}

function missing({ payment, leastUnits, now }: RepairQuestion): PaymentRepair | null {
  const { quote, status, seenUnits } = payment
  const isOpen = status === 'OPEN' || status === 'PARTIALLY_FILLED'
  if (!quote || leastUnits === null || !isOpen || seenUnits === 0n || seenUnits >= leastUnits) return null
  const amount = formatUnits(quote.dueUnits - seenUnits, quote.asset.decimals)
  const { currencyCode, blockchainCode } = quote.asset
  const money = { amount, currencyCode, blockchainCode, contact: contactOf(payment) }
  const until = payableUntil(payment) ?? payment.expiresAt
  const network = networkName(blockchainCode)
  if (now < until) {
    const text = `${amount} ${currencyCode} is still missing. Send it on ${network} to the same address while the rate is locked.`
    return { kind: 'send_rest', text, ...money, until }
  }
  const text = `${amount} ${currencyCode} was missing when time ran out. What you sent is safe. Ask ${payment.project.name} to count it or send it back.`
  return { kind: 'rest_lapsed', text, ...money, until: null }
}

function surplus({ payment }: RepairQuestion): PaymentRepair | null {
  const { quote, overUnits, project } = payment
  if (!quote || payment.status !== 'OVER_FILLED' || overUnits === 0n) return null
  const amount = formatUnits(overUnits, quote.asset.decimals)
  const { currencyCode, blockchainCode } = quote.asset
  const text = `You paid ${amount} ${currencyCode} more than asked. ${project.name} can send the difference back: ask for it.`
  return { kind: 'surplus', text, amount, currencyCode, blockchainCode, until: null, contact: contactOf(payment) }
}

function networkName(code: string): string {
  return findBlockchain(code)?.name ?? code
}

function amountOf({ deposit, asset }: ShownDeposit): string {
  return `${formatUnits(deposit.units, asset.decimals)} ${asset.currencyCode}`
}

function moneyOf({ deposit, asset }: ShownDeposit) {
  const { currencyCode, blockchainCode } = asset
  return { amount: formatUnits(deposit.units, asset.decimals), currencyCode, blockchainCode }
}

function contactOf({ project }: Payment): string | null {
  return project.supportEmail === '' ? null : project.supportEmail
}
