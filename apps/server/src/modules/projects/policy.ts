/** How a project wants its payments handled (api.md P8). */
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { PaymentPolicy, PaymentPolicyChange, ReadPaymentPolicy } from '@kassa/contract/projects/payment-policy.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { USD_DECIMALS } from '@kassa/primitives/money/rate.ts'
import { parseUnits } from '@kassa/primitives/money/units.ts'

import { type Context, inTransaction } from '../../context.ts'
import { versioned } from '../../db/versioned.ts'
import { findPolicy, listIncomingRules, listRemindingIds, updatePolicy } from './policy-store.ts'

export type { PaymentPolicy } from '@kassa/contract/projects/payment-policy.ts'

/** The tolerances exist because rounding by wallets alone must not make a payment over- or underpaid. */
const DEFAULT_POLICY: PaymentPolicy = {
  linkLifetimeMinutes: 15,
  openPaymentsPerCustomer: 'one',
  customerEmailRequired: true,
  underpaidTolerancePercent: '0.5',
  overpaidTolerancePercent: '1',
  lateGraceHours: 24,
  minAmountInUSD: '0',
  maxAmountInUSD: null,
  uniqueInvoiceID: false,
  confirmationRules: [],
  applyUnappliedToNext: false,
  reminderMail: true,
}

const policyOf = versioned((ctx: Context, projectId: number) => findPolicy(ctx, projectId))

/** How the project wants its payments handled. @throws PROJECT_NOT_FOUND */
export async function paymentPolicy(ctx: Context, projectId: number): Promise<PaymentPolicy> {
  const { policy } = (await policyOf(ctx, projectId)) ?? fail('PROJECT_NOT_FOUND')
  return { ...DEFAULT_POLICY, ...policy }
}

/** A project's rules for incoming money: its policy, and the assets it can be paid with now. */
export type IncomingRules = { readonly policy: PaymentPolicy; readonly acceptedIds: ReadonlySet<number> }

/** The rules of these projects, by id. */
export async function incomingRules(
  ctx: Context,
  projectIds: readonly number[],
): Promise<ReadonlyMap<number, IncomingRules>> {
  const found = await listIncomingRules(ctx, projectIds)
  return new Map(
    found.map(({ id, policy, accepted }) => [
      id,
      { policy: { ...DEFAULT_POLICY, ...policy }, acceptedIds: new Set(accepted) },
    ]),
  )
}

/** The ids of active projects that remind customers of open links. */
export function projectsThatRemind(ctx: Context): Promise<number[]> {
  return listRemindingIds(ctx, DEFAULT_POLICY.reminderMail)
}

/** How the project wants its payments handled, with the time of its last change. @throws PROJECT_NOT_FOUND */
export async function readPaymentPolicy(ctx: Context, projectId: number): Promise<ReadPaymentPolicy> {
  const { policy, updatedAt } = (await findPolicy(ctx, projectId)) ?? fail('PROJECT_NOT_FOUND')
  return { ...DEFAULT_POLICY, ...policy, updatedAt }
}

/**
 * Changes what the input names, from now on and also for money on its way.
 * @throws PROJECT_NOT_FOUND, EDIT_CONFLICT when the project changed after `lastChange`, VALIDATION_FAILED
 */
export async function changePaymentPolicy(
  ctx: Context,
  projectId: number,
  change: PaymentPolicyChange,
  lastChange: Date | null = null,
): Promise<ReadPaymentPolicy> {
  return inTransaction(ctx, async (tx) => {
    const stored = (await findPolicy(tx, projectId, { isLocked: true })) ?? fail('PROJECT_NOT_FOUND')
    if (lastChange !== null && stored.updatedAt > lastChange) return fail('EDIT_CONFLICT')
    const named = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
    const { confirmationRules: rules } = change
    const own = { ...stored.policy, ...named, ...(rules && { confirmationRules: checkedRules(rules) }) }
    const policy: PaymentPolicy = { ...DEFAULT_POLICY, ...own }
    requireRange(policy)
    const updatedAt = await updatePolicy(tx, projectId, own)
    tx.change({ ...DEFAULT_POLICY, ...stored.policy }, policy)
    await tx.events.emit(tx, {
      type: 'project.changed',
      projectId,
      payload: { project_id: projectId, payment_policy: named },
    })
    return { ...policy, updatedAt }
  })
}

function requireRange({ minAmountInUSD: min, maxAmountInUSD: max }: PaymentPolicy): void {
  if (max === null || (isPositive(max) && microDollars(min) <= microDollars(max))) return
  const message = isPositive(max) ? 'Largest amount must not be below the smallest' : 'Largest amount must be above 0'
  fail('VALIDATION_FAILED', { message, fields: { maxAmountInUSD: message } })
}

/** Spells codes as they are stored elsewhere, so that a rule matches; two rules for the same money contradict each other. */
function checkedRules(rules: PaymentPolicy['confirmationRules']): PaymentPolicy['confirmationRules'] {
  const seen = new Set<string>()
  return rules.map((rule) => {
    const blockchainCode = findBlockchain(rule.blockchainCode)?.code ?? rule.blockchainCode
    const name = `${blockchainCode} ${microDollars(rule.upToUSD)}`
    if (seen.has(name)) {
      const message = `Two confirmation rules for ${blockchainCode} up to $${rule.upToUSD}`
      fail('VALIDATION_FAILED', { message, fields: { confirmationRules: message } })
    }
    seen.add(name)
    return { ...rule, blockchainCode }
  })
}

function isPositive(amount: string): boolean {
  return microDollars(amount) > 0n
}

function microDollars(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.split('.')
  return parseUnits(`${whole}.${fraction.slice(0, USD_DECIMALS) || '0'}`, USD_DECIMALS)
}
