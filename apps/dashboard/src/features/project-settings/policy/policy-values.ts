import { PaymentPolicyChange } from '@kassa/contract/projects/payment-policy.ts'
import type { PaymentPolicy } from '@kassa/contract/projects/payment-policy.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import { safeParse } from 'zod/mini'

import type { PolicyChange } from '../../../api/payment-policy.ts'
import { CENTS, dollarErrors, amountError } from '../../../lib/text/amount-text.ts'
import { fieldErrors } from '../../../lib/forms/field-errors.ts'
import { usdExact } from '../../../lib/text/format.ts'
import { networkName } from '../../../labels/networks/network-name.ts'

/** A confirmation rule as the form holds it. */
export type RuleValues = {
  /** Tells rows apart while they are edited. */
  readonly key: number
  readonly blockchainCode: string
  readonly upToUSD: string
  /** The number of blocks as typed; empty when `isFinalized`. */
  readonly confirmations: string
  /** Whether the chain's own finality decides instead of a number of blocks. */
  readonly isFinalized: boolean
}

export type PolicyValues = {
  readonly linkLifetimeMinutes: string
  readonly openPaymentsPerCustomer: PaymentPolicy['openPaymentsPerCustomer']
  readonly customerEmailRequired: boolean
  readonly uniqueInvoiceID: boolean
  readonly minAmountInUSD: string
  /** Empty: no largest amount. */
  readonly maxAmountInUSD: string
  readonly underpaidTolerancePercent: string
  readonly overpaidTolerancePercent: string
  readonly lateGraceHours: string
  readonly applyUnappliedToNext: boolean
  readonly reminderMail: boolean
  readonly confirmationRules: readonly RuleValues[]
}

/** The label of each setting; `policyLabel` translates it. */
export const POLICY_LABELS: Readonly<Record<keyof PolicyValues, MessageDescriptor>> = {
  linkLifetimeMinutes: msg`Link lifetime`,
  openPaymentsPerCustomer: msg`Open links per customer`,
  customerEmailRequired: msg`Every link needs the customer’s e-mail`,
  uniqueInvoiceID: msg`Invoice IDs are unique`,
  minAmountInUSD: msg`Smallest amount`,
  maxAmountInUSD: msg`Largest amount`,
  underpaidTolerancePercent: msg`Underpayment tolerance`,
  overpaidTolerancePercent: msg`Overpayment tolerance`,
  lateGraceHours: msg`Grace period for late payments`,
  applyUnappliedToNext: msg`Apply unmatched funds to the next payment`,
  reminderMail: msg`Remind customers of open links by e-mail`,
  confirmationRules: msg`Confirmation rules`,
}

/** How many links a customer may have open at once. */
export const OPEN_LINKS = {
  one: msg({ message: 'One', comment: 'open links a customer may have' }),
  many: msg({ message: 'Many', comment: 'open links a customer may have' }),
} as const

/** Returns the label of a setting. */
export function policyLabel(name: keyof PolicyValues): string {
  return t(POLICY_LABELS[name])
}

/** Returns the value of a setting as text. */
export function settingText(name: keyof PolicyValues, values: PolicyValues): string {
  switch (name) {
    case 'linkLifetimeMinutes':
      return plural(Number(values[name]), { one: '# minute', other: '# minutes' })
    case 'openPaymentsPerCustomer':
      return t(OPEN_LINKS[values[name]])
    case 'minAmountInUSD':
    case 'maxAmountInUSD':
      return isDollars(values[name]) ? usdExact(values[name]) : t`None`
    case 'underpaidTolerancePercent':
    case 'overpaidTolerancePercent':
      return `${values[name]}%`
    case 'lateGraceHours':
      return plural(Number(values[name]), { one: '# hour', other: '# hours' })
    case 'confirmationRules':
      return values[name].map(confirmationRuleText).join('; ') || t`None`
    case 'customerEmailRequired':
    case 'uniqueInvoiceID':
    case 'applyUnappliedToNext':
    case 'reminderMail':
      return values[name] ? t`Yes` : t`No`
  }
}

function confirmationRuleText({ blockchainCode, upToUSD, confirmations, isFinalized }: RuleValues): string {
  const network = networkName(blockchainCode)
  const amount = isDollars(upToUSD) ? usdExact(upToUSD) : t`no amount`
  if (isFinalized) return t`${network}, up to ${amount}: finalized`
  const blocks = Number(confirmations)
  return t`${network}, up to ${amount}: ${plural(blocks, { one: '# block', other: '# blocks' })}`
}

/** Returns whether a text is an amount that can be printed. */
export function isDollars(text: string): boolean {
  return /^\d{1,12}(\.\d{1,6})?$/.test(text)
}

/** Returns the form's values of a policy. */
export function policyValues(policy: PaymentPolicy): PolicyValues {
  return {
    linkLifetimeMinutes: String(policy.linkLifetimeMinutes),
    openPaymentsPerCustomer: policy.openPaymentsPerCustomer,
    customerEmailRequired: policy.customerEmailRequired,
    uniqueInvoiceID: policy.uniqueInvoiceID,
    minAmountInUSD: policy.minAmountInUSD,
    maxAmountInUSD: policy.maxAmountInUSD ?? '',
    underpaidTolerancePercent: policy.underpaidTolerancePercent,
    overpaidTolerancePercent: policy.overpaidTolerancePercent,
    lateGraceHours: String(policy.lateGraceHours),
    applyUnappliedToNext: policy.applyUnappliedToNext,
    reminderMail: policy.reminderMail,
    confirmationRules: policy.confirmationRules.map(({ blockchainCode, upToUSD, confirmations }, key) => ({
      key,
      blockchainCode,
      upToUSD,
      confirmations: confirmations === 'finalized' ? '' : String(confirmations),
      isFinalized: confirmations === 'finalized',
    })),
  }
}

/** Returns the settings that differ from the saved policy; only these are sent. */
export function policyChanges(saved: PaymentPolicy, values: PolicyValues): PolicyChange {
  const [before, after] = [wireOf(policyValues(saved)), wireOf(values)]
  const differs = (name: keyof typeof after) => JSON.stringify(after[name]) !== JSON.stringify(before[name])
  const names = (Object.keys(after) as (keyof typeof after)[]).filter(differs)
  return Object.fromEntries(names.map((name) => [name, after[name]]))
}

/** Returns the text of every changed field that the server would refuse. */
export function policyErrors(saved: PaymentPolicy, values: PolicyValues): Record<string, string> {
  const changes = policyChanges(saved, values)
  const amounts = (['minAmountInUSD', 'maxAmountInUSD'] as const).filter((name) => name in changes)
  const [rule] = 'confirmationRules' in changes ? ruleErrors(saved, values).values() : []
  return {
    ...(rule !== undefined && { confirmationRules: rule }),
    ...fieldErrors(PaymentPolicyChange, changes),
    ...dollarErrors(values, amounts),
  }
}

/** Returns the errors of the confirmation rules by index and field; amounts that are already saved are not checked again. */
export function ruleErrors(saved: PaymentPolicy, values: PolicyValues): ReadonlyMap<string, string> {
  const result = safeParse(PaymentPolicyChange, { confirmationRules: wireOf(values).confirmationRules })
  const issues = result.success ? [] : result.error.issues
  const contractErrors = issues.map(({ path, message }) => [path.slice(1).join('.'), message] as const)
  const savedAmounts = new Set(saved.confirmationRules.map(({ upToUSD }) => upToUSD))
  const amountErrors = values.confirmationRules.flatMap(({ upToUSD }, index) => {
    const error = savedAmounts.has(upToUSD) ? undefined : amountError(upToUSD, CENTS)
    return error === undefined ? [] : [[`${index}.upToUSD`, error] as const]
  })
  return new Map([...contractErrors, ...amountErrors])
}

function wireOf(values: PolicyValues) {
  const { linkLifetimeMinutes, lateGraceHours, maxAmountInUSD, minAmountInUSD, confirmationRules } = values
  return {
    ...values,
    linkLifetimeMinutes: wholeOf(linkLifetimeMinutes),
    lateGraceHours: wholeOf(lateGraceHours),
    minAmountInUSD: minAmountInUSD === '' ? '0' : minAmountInUSD,
    maxAmountInUSD: maxAmountInUSD === '' ? null : maxAmountInUSD,
    confirmationRules: confirmationRules.map(({ blockchainCode, upToUSD, confirmations, isFinalized }) => ({
      blockchainCode,
      upToUSD,
      confirmations: isFinalized ? ('finalized' as const) : wholeOf(confirmations),
    })),
  }
}

/** An empty field becomes NaN, which the contract rejects with its own text. */
function wholeOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text)
}
