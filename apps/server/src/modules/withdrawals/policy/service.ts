/**
 * The payout policy of a project (money.md 7.2): when money may leave, and how many people must agree. One row per project,
 * which every decision locks, so that parallel payouts cannot exceed a window together.
 */
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { ChangePayoutConfig, DryRun, DryRunInput, PayoutConfig } from '@kassa/contract/payout-policy/schemas.ts'
import type { WithdrawalType } from '@kassa/contract/withdrawals/machine.ts'

import { actorOf, type Context, inTransaction } from '../../../context.ts'
import type { Description } from '../../../http/handlers.ts'
import { listPermitted } from '../../operators/accounts/service.ts'
import { getProject } from '../../projects/service.ts'
import { storedSetting } from '../../settings/service.ts'
import { parseAnyAddress } from '../addresses/service.ts'
import { type Config, configOf, differences, mergeConfig, policyFrom, rulesOf, valueText } from './config.ts'
import { daysCovered, dryRun, type PastPayout } from './dry-run.ts'
import { type Approver, needsOther, type PayoutPolicy, peopleNeeded } from './rules.ts'
import { findPolicyRow, lockPolicyRow, updatePolicyRow } from './store.ts'
import type { PolicyRow } from './tables.ts'

export type { PastPayout } from './dry-run.ts'
export { approvalOf, decide, approvalsNeeded, payableFrom } from './rules.ts'
export type { PayoutHistory, PayoutPolicy, PolicyDecision, PolicyQuestion } from './rules.ts'

/** The rules in force in a project. */
export async function policyOf(ctx: Context, projectId: number): Promise<PayoutPolicy> {
  return policyWith(ctx, projectId, await findPolicyRow(ctx, projectId))
}

/**
 * The rules in force, locked until the transaction ends: no one changes them or decides under them meanwhile. Call it
 * before anything is decided about a payout of the project.
 */
export async function lockPolicy(tx: Context, projectId: number): Promise<PayoutPolicy> {
  return policyWith(tx, projectId, await lockPolicyRow(tx, projectId))
}

async function policyWith(ctx: Context, projectId: number, row: PolicyRow | undefined): Promise<PayoutPolicy> {
  const approvers = (await approversOf(ctx, projectId)).length
  return policyFrom(projectId, row, { approvers, isInstallPaused: (await installPausedAt(ctx)) !== null })
}

/** Since when sending is paused, in a project and in the whole install; null where it is not. */
export async function pausesOf(
  ctx: Context,
  projectId: number | null,
): Promise<{ readonly project: Date | null; readonly install: Date | null }> {
  const row = projectId === null ? undefined : await findPolicyRow(ctx, projectId)
  return { project: row?.paused_at ?? null, install: await installPausedAt(ctx) }
}

/** Since when payouts of every project are paused; null while they are not. */
async function installPausedAt(ctx: Context): Promise<Date | null> {
  const stored = await storedSetting(ctx, 'payouts.sending')
  return stored?.value === 'paused' ? stored.updatedAt : null
}

/** The permission to decide about payouts of a type; payouts of rewards have their own. */
export function approvalPermission(type: WithdrawalType): 'payout:approve' | 'referral_payout:approve' {
  return type === 'withdrawal' ? 'referral_payout:approve' : 'payout:approve'
}

/** People who may approve payouts of a type in a project. */
export async function approversOf(
  ctx: Context,
  projectId: number,
  type: WithdrawalType = 'payout',
): Promise<Approver[]> {
  const people = await listPermitted(ctx, projectId, approvalPermission(type))
  return people.map(({ operatorId, permissions }) => ({ operatorId, mayCreate: permissions.includes('payout:create') }))
}

/** The rules as the screen reads them. */
export async function readPayoutConfig(ctx: Context, projectId: number): Promise<PayoutConfig> {
  return shown(ctx, await findPolicyRow(ctx, projectId), await approversOf(ctx, projectId))
}

/**
 * Changes what the input names, for decisions from now on and for payouts that are signed later.
 * @throws EDIT_CONFLICT when the input names another version, ADDRESS_INVALID, VALIDATION_FAILED, POLICY_UNREACHABLE
 */
export async function changePayoutConfig(
  ctx: Context,
  projectId: number,
  change: ChangePayoutConfig,
): Promise<PayoutConfig> {
  return inTransaction(ctx, async (tx) => {
    const { row, before, after, approvers } = await changed(tx, projectId, change)
    const fields = differences(before, after)
    if (fields.length === 0) return shown(tx, row, approvers)
    const updated = await updatePolicyRow(tx, projectId, {
      auto_approve_limit_usd: after.autoApproveLimitInUSD,
      hourly_limit_usd: after.hourlyLimitInUSD,
      daily_limit_usd: after.dailyLimitInUSD,
      quorum: after.quorum,
      quorum_rules: JSON.stringify(after.quorumRules),
      four_eyes: after.fourEyes,
      allow_list: [...after.allowList],
      recipient_delay_hours: after.recipientDelayHours,
      paused: after.paused,
      paused_at: after.paused ? (row.paused_at ?? tx.now()) : null,
      updated_by: actorOf(tx.caller),
    })
    tx.change({ ...before, version: row.version }, { ...after, version: updated.version })
    await tx.events.emit(tx, {
      type: 'payout_policy.changed',
      projectId,
      payload: { project_id: projectId, version: updated.version, fields, paused: updated.paused },
    })
    return shown(tx, updated, approvers)
  })
}

/**
 * Says what a change of the rules will do; null for a change that only pauses or changes nothing, which needs no second factor.
 * @throws as `changePayoutConfig`
 */
export async function describeChange(
  ctx: Context,
  projectId: number,
  change: ChangePayoutConfig,
): Promise<Description | null> {
  const { row, before, after } = await changed(ctx, projectId, change)
  const { name: project } = await getProject(ctx, projectId)
  const fields = differences(before, after)
  if (fields.every((field) => field === 'paused' && after.paused)) return null
  return {
    lines: fields.map((rule) =>
      rule === 'paused' && !after.paused
        ? { code: 'sending_resumes', params: { project } }
        : {
            code: 'payout_rule_changed',
            params: { project, rule, from: valueText(before[rule]), to: valueText(after[rule]) },
          },
    ),
    happens: { projectId, version: row.version, from: pick(before, fields), to: pick(after, fields) },
  }
}

/**
 * Tries a draft on the payouts of the last days; writes nothing. `pastPayouts` returns the newest of those requested since a time,
 * ascending. A project with more of them is tried on fewer days, which the answer names.
 * @throws ADDRESS_INVALID, VALIDATION_FAILED
 */
export async function dryRunDraft(
  ctx: Context,
  projectId: number,
  { days = DRY_RUN_DAYS, ...draft }: DryRunInput,
  pastPayouts: (ctx: Context, projectId: number, range: PastRange) => Promise<PastPayouts>,
): Promise<DryRun> {
  const inForce = await policyOf(ctx, projectId)
  const config = mergeConfig(configOf(await findPolicyRow(ctx, projectId)), draft, allowListOf(ctx, draft))
  const daysAgo = (count: number) => new Date(ctx.now().getTime() - count * DAY_MS)
  // The day before counts in the windows of the first payouts.
  const { payouts, isCut } = await pastPayouts(ctx, projectId, { since: daysAgo(days + 1), most: MOST_PAST })
  const covered = isCut ? Math.min(days, daysCovered(payouts, ctx.now())) : days
  const isInRange = ({ createdAt }: PastPayout) => createdAt >= daysAgo(covered)
  return dryRun({ inForce, draft: { ...inForce, ...rulesOf(config) } }, payouts.filter(isInRange), {
    days: covered,
    before: payouts.filter((payout) => !isInRange(payout)),
  })
}

export type PastRange = { readonly since: Date; readonly most: number }

/** `isCut`: there are more than were asked for. */
export type PastPayouts = { readonly payouts: readonly PastPayout[]; readonly isCut: boolean }

/** As many payouts take about a second of the server. */
const MOST_PAST = 50_000

const DRY_RUN_DAYS = 90
const DAY_MS = 24 * 3_600_000

async function changed(tx: Context, projectId: number, { version, ...change }: ChangePayoutConfig) {
  const row = await lockPolicyRow(tx, projectId)
  if (version !== undefined && version !== row.version) return fail('EDIT_CONFLICT')
  const before = configOf(row)
  const after = mergeConfig(before, change, allowListOf(tx, change))
  const approvers = await approversOf(tx, projectId)
  const isAboutPeople = differences(before, after).some((field) => PEOPLE_FIELDS.has(field))
  // A pause or a lower limit is accepted even when too few approvers are left by now.
  if (isAboutPeople) requireReachable(after, approvers)
  return { row, before, after, approvers }
}

const PEOPLE_FIELDS: ReadonlySet<keyof Config> = new Set(['quorum', 'quorumRules', 'fourEyes'])

function requireReachable(config: Config, approvers: readonly Approver[]): void {
  const needed = peopleNeeded(rulesOf(config), approvers)
  if (approvers.length >= needed) return
  const details = `${approvers.length} may approve payouts of this project. Give a member the permission payout:approve first.`
  fail('POLICY_UNREACHABLE', { values: { n: needed }, details, data: { needed, approvers: approvers.length } })
}

function allowListOf(
  ctx: Context,
  { allowList }: Pick<ChangePayoutConfig, 'allowList'>,
): readonly string[] | undefined {
  return allowList && [...new Set(allowList.map((text) => parseAnyAddress(ctx, text, 'allowList')))]
}

async function shown(ctx: Context, row: PolicyRow | undefined, approvers: readonly Approver[]): Promise<PayoutConfig> {
  const config = configOf(row)
  return {
    ...config,
    pausedAt: row?.paused_at ?? null,
    installPausedAt: await installPausedAt(ctx),
    version: row?.version ?? 1,
    updatedAt: row?.updated_at ?? null,
    approvers: approvers.length,
    fourEyesInForce: needsOther({ fourEyes: config.fourEyes, approvers: approvers.length }, config.quorum),
  }
}

function pick(config: Config, fields: readonly (keyof Config)[]) {
  return Object.fromEntries(fields.map((field) => [field, config[field]]))
}
