/** The policy as the wire and its row hold it, and what a change makes of it. */
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { ChangePayoutConfig, PayoutConfig } from '@kassa/contract/payout-policy/schemas.ts'

import { microDollars, type PayoutPolicy, usdText } from './rules.ts'
import type { PolicyRow } from './tables.ts'

/** What people set. */
export type Config = Omit<
  PayoutConfig,
  'version' | 'updatedAt' | 'approvers' | 'fourEyesInForce' | 'pausedAt' | 'installPausedAt'
>

/** Every payout needs a person until an operator changes that (api.md D12). */
const DEFAULTS: Config = {
  autoApproveLimitInUSD: '0',
  hourlyLimitInUSD: '5000',
  dailyLimitInUSD: '10000',
  quorum: 1,
  quorumRules: [],
  fourEyes: 'auto',
  allowList: [],
  recipientDelayHours: 0,
  paused: false,
}

const FIELDS = Object.keys(DEFAULTS) as (keyof Config)[]

/** Reads a row as the operators' settings; the defaults where there is no row. */
export function configOf(row: PolicyRow | undefined): Config {
  if (row === undefined) return DEFAULTS
  return {
    autoApproveLimitInUSD: canonical(row.auto_approve_limit_usd),
    hourlyLimitInUSD: canonical(row.hourly_limit_usd),
    dailyLimitInUSD: canonical(row.daily_limit_usd),
    quorum: row.quorum,
    quorumRules: row.quorum_rules,
    fourEyes: row.four_eyes,
    allowList: row.allow_list,
    recipientDelayHours: row.recipient_delay_hours,
    paused: row.paused,
  }
}

/** Reads settings as the rules that decide. */
export function rulesOf(config: Config): Omit<PayoutPolicy, 'projectId' | 'version' | 'approvers'> {
  return {
    autoApproveLimit: microDollars(config.autoApproveLimitInUSD),
    hourlyLimit: microDollars(config.hourlyLimitInUSD),
    dailyLimit: microDollars(config.dailyLimitInUSD),
    quorum: config.quorum,
    steps: config.quorumRules.map(({ aboveUSD, approvals }) => ({ above: microDollars(aboveUSD), approvals })),
    fourEyes: config.fourEyes,
    allowList: new Set(config.allowList),
    recipientDelayHours: config.recipientDelayHours,
    paused: config.paused,
  }
}

type Beside = { readonly approvers: number; readonly isInstallPaused: boolean }

/** Returns the rules of a project's row; the defaults where there is none. */
export function policyFrom(
  projectId: number,
  row: PolicyRow | undefined,
  { approvers, isInstallPaused }: Beside,
): PayoutPolicy {
  const rules = rulesOf(configOf(row))
  return { projectId, version: row?.version ?? 1, approvers, ...rules, paused: rules.paused || isInstallPaused }
}

/** Merges a change into settings; what the change does not name stays. @throws VALIDATION_FAILED */
export function mergeConfig(
  before: Config,
  change: Omit<ChangePayoutConfig, 'version'>,
  allowList: readonly string[] | undefined,
): Config {
  const { autoApproveLimitInUSD: auto, hourlyLimitInUSD: hourly, dailyLimitInUSD: daily } = change
  return {
    autoApproveLimitInUSD: auto === undefined ? before.autoApproveLimitInUSD : canonical(auto),
    hourlyLimitInUSD: hourly === undefined ? before.hourlyLimitInUSD : canonical(hourly),
    dailyLimitInUSD: daily === undefined ? before.dailyLimitInUSD : canonical(daily),
    quorum: change.quorum ?? before.quorum,
    quorumRules: change.quorumRules ? sortedSteps(change.quorumRules) : before.quorumRules,
    fourEyes: change.fourEyes ?? before.fourEyes,
    allowList: allowList ? [...allowList] : before.allowList,
    recipientDelayHours: change.recipientDelayHours ?? before.recipientDelayHours,
    paused: change.paused ?? before.paused,
  }
}

/** Sorts by amount, ascending; two steps for the same amount contradict each other. */
function sortedSteps(steps: Config['quorumRules']): Config['quorumRules'] {
  const sorted = steps
    .map((step) => ({ ...step, aboveUSD: canonical(step.aboveUSD) }))
    .toSorted((one, other) => (microDollars(one.aboveUSD) < microDollars(other.aboveUSD) ? -1 : 1))
  const twice = sorted.find((step, index) => step.aboveUSD === sorted[index + 1]?.aboveUSD)
  if (twice) {
    const message = `Two steps above $${twice.aboveUSD}`
    fail('VALIDATION_FAILED', { message, fields: { quorumRules: message } })
  }
  return sorted
}

/** The fields that differ. */
export function differences(before: Config, after: Config): (keyof Config)[] {
  return FIELDS.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
}

/** A value as a person confirms it. */
export function valueText(value: Config[keyof Config]): string {
  if (!Array.isArray(value)) return String(value)
  if (value.length === 0) return 'none'
  return value.map((one) => (typeof one === 'string' ? one : `${one.approvals} above $${one.aboveUSD}`)).join(', ')
}

function canonical(amount: string): string {
  return usdText(microDollars(amount))
}
