/** Payouts as people and programs read them: one, lists, figures. */
import { readAddresses } from '@kassa/chains/identifiers.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { FoundPayout as FoundPayoutShape } from '@kassa/contract/search/schemas.ts'
import type { PayoutFilters } from '@kassa/contract/withdrawals/inputs.ts'
import type { WithdrawalState } from '@kassa/contract/withdrawals/machine.ts'
import { withdrawalMachine } from '@kassa/contract/withdrawals/machine.ts'
import type { Cause } from '@kassa/contract/kit/reason.ts'
import type { Withdrawal } from '@kassa/contract/withdrawals/schemas.ts'
import type { PayoutWaits } from '@kassa/contract/withdrawals/waits.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'

import { keyFor } from '../../../config/keys.ts'
import type { Context, ProjectScope } from '../../../context.ts'
import { type PageInput, readPage, toPage } from '../../../paging/paging.ts'
import { readSentSpan, readSpan, type SentSpanInput, type SpanInput } from '../../../paging/span.ts'
import { type Asset, explorerLinks, listAssets } from '../../blockchains/chains/service.ts'
import { policyOf } from '../policy/service.ts'
import { walletChangeDelayHours } from '../../wallets/cold/service.ts'
import { counts } from '../record/approvals.ts'
import { listApprovals } from '../record/approval-store.ts'
import { emailWait } from '../record/rules.ts'
import { findPaymentId } from '../record/store.ts'
import { listByPrefix } from './prefix-store.ts'
import { approversFor, deciderOf } from './decider.ts'
import { withCurrentPolicy } from './current-policy.ts'
import { countFound, type FoundPayout, listFound, listPeople, type PayoutFilter, SORTS } from './store.ts'
import { foundView, withdrawalView } from './view.ts'
import { stillWaiting } from './still-waiting.ts'

export type PayoutQuery = PageInput &
  SpanInput &
  SentSpanInput &
  Pick<PayoutFilter, 'projectIds' | 'types' | 'createdBy' | 'referrerId'> &
  Pick<PayoutFilters, 'status' | 'blockchainCode' | 'currencyCode' | 'search' | 'refundOfReferenceID'> & {
    readonly id?: string
    readonly address?: readonly string[] | undefined
    readonly recipientEmails?: readonly string[] | undefined
    readonly waitingFor?: PayoutFilters['waitingFor']
  }

export type PayoutPage = {
  readonly data: Withdrawal[]
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly nextCursor: string | null
}

/** A page of payouts, newest first. @throws FILTER_INVALID, CURSOR_INVALID, PAGE_TOO_DEEP, SORT_FIELD_UNKNOWN */
export async function listPayouts(ctx: Context, query: PayoutQuery, maxLimit?: number): Promise<PayoutPage> {
  const filter = await filterOf(ctx, query)
  const rules = { list: 'payouts', filter: query, sorts: SORTS, signingKey: keyFor(ctx, 'cursor') }
  const limits = maxLimit === undefined ? {} : { maxLimit }
  const named = { ...rules, filter: printable(filter), ...limits }
  const page = readPage(query, named)
  const rows = await listFound(ctx, filter, page)
  const cut = toPage(rows, page, named)
  return {
    data: await withdrawalShapes(ctx, cut.rows),
    total: await countFound(ctx, filter),
    limit: page.limit,
    offset: page.offset,
    nextCursor: cut.nextCursor,
  }
}

/** Returns one payout that the caller may see and that the filters match. @throws WITHDRAWAL_NOT_FOUND */
export async function findPayout(ctx: Context, query: PayoutQuery & { readonly id: string }): Promise<Withdrawal> {
  const [shape] = await withdrawalShapes(ctx, [await getFound(ctx, query)])
  return shape ?? fail('WITHDRAWAL_NOT_FOUND')
}

/** Returns these payouts of a project, in the order in which they are named. */
export async function findPayouts(
  ctx: Context,
  projectId: number,
  named: readonly { readonly id: bigint }[],
): Promise<Withdrawal[]> {
  const ids = named.map(({ id }) => id)
  const page = { sort: 'created_at', isAscending: true, limit: ids.length, offset: 0, from: null } as const
  const shapes = await withdrawalShapes(ctx, await listFound(ctx, { projectIds: [projectId], ids }, page))
  const byId = new Map(shapes.map((shape) => [shape.id, shape]))
  return ids.flatMap((id) => byId.get(Number(id)) ?? [])
}

/** Returns the row of one payout that the caller may see. @throws WITHDRAWAL_NOT_FOUND */
export async function getFound(ctx: Context, query: PayoutQuery & { readonly id: string }): Promise<FoundPayout> {
  if (!/^[1-9]\d{0,17}$/.test(query.id)) return fail('WITHDRAWAL_NOT_FOUND')
  const filter = { ...(await filterOf(ctx, query)), id: BigInt(query.id) }
  const one = { sort: 'created_at', isAscending: false, limit: 1, offset: 0, from: null } as const
  const [found] = await listFound(ctx, filter, one)
  return found ?? fail('WITHDRAWAL_NOT_FOUND')
}

/** The refunds of a payment, newest first. */
export async function refundsOfPayment(ctx: Context, projectId: number, paymentId: bigint): Promise<Withdrawal[]> {
  const page = { sort: 'created_at', isAscending: false, limit: 100, offset: 0, from: null } as const
  return withdrawalShapes(ctx, await listFound(ctx, { projectIds: [projectId], paymentId }, page))
}

/** Payouts as the contract shows them; those that wait for approval as their next decision has them. */
export async function withdrawalShapes(ctx: Context, stored: readonly FoundPayout[]): Promise<Withdrawal[]> {
  if (stored.length === 0) return []
  const rows = await withCurrentPolicy(ctx, stored)
  const assets = new Map((await listAssets(ctx)).map((asset) => [asset.id, asset]))
  const given = await listApprovals(
    ctx,
    rows.map(({ id }) => id),
  )
  const people = await listPeople(
    ctx,
    given.map((one) => one.operator_id),
  )
  const approvers = await approversFor(ctx, rows)
  const nextWaits = await nextWaitsOf(ctx, rows)
  const explorer = await explorerLinks(ctx)
  const askedBy = ctx.caller.kind === 'operator' ? ctx.caller.operatorId : null
  return rows.flatMap((found) => {
    const asset = assets.get(found.asset_id)
    if (!asset) return []
    const mayApprove = approvers(found)
    const approvals = given
      .filter((one) => one.withdrawal_id === found.id)
      .map((one) => ({
        memberID: one.operator_id,
        email: people.get(one.operator_id)?.email ?? '',
        at: one.at,
        method: one.method,
        note: one.note,
        digest: one.digest.toString('hex'),
        counts: counts(one, found, mayApprove),
      }))
    const explorerTransaction = explorer.transaction(asset.blockchainId, found.tx_id)
    const nativeDecimals = coinDecimals([...assets.values()], found)
    const waitsNext = nextWaits.get(found.id) ?? null
    const beside = { approvals, approvers: mayApprove }
    return [withdrawalView({ found, asset, nativeDecimals, ...beside, askedBy, explorerTransaction, waitsNext })]
  })
}

/** Why payouts that people are asked about will wait once they are approved, by the rule of the sender. */
async function nextWaitsOf(ctx: Context, rows: readonly FoundPayout[]) {
  const waits = new Map<bigint, Cause<PayoutWaits>>()
  const hours = new Map<number, number>()
  for (const { id, status, project_id: projectId, email_changed_at: changedAt } of rows) {
    if (status !== 'pending-approval' || changedAt === null) continue
    const delay = hours.get(projectId) ?? (await policyOf(ctx, projectId)).recipientDelayHours
    hours.set(projectId, delay)
    const wait = emailWait(changedAt, { hours: Math.max(delay, walletChangeDelayHours(ctx)), now: ctx.now() })
    if (wait) waits.set(id, wait)
  }
  return waits
}

/** How many decimals the native coin has, in which the fee of a payout is paid. */
function coinDecimals(assets: readonly Asset[], { blockchain_id: id }: Pick<FoundPayout, 'blockchain_id'>): number {
  return assets.find(({ blockchainId, standard }) => blockchainId === id && standard === 'native')?.decimals ?? 18
}

/** The newest payouts of an id, an address or a transaction, or whose recipient or client reference begins with a text. */
export async function searchPayouts(
  ctx: Context,
  asked: { projectIds: ProjectScope['projectIds']; query: string; limit: number },
): Promise<FoundPayoutShape[]> {
  const rows = await listByPrefix(ctx, asked)
  const assets = new Map((await listAssets(ctx)).map((asset) => [asset.id, asset]))
  return rows.flatMap((row) => {
    const asset = assets.get(row.asset_id)
    return asset ? [foundView(row, asset)] : []
  })
}

/** How many payouts wait for the caller's approval: as many as their list says. */
export async function countWaitingForCaller(ctx: Context, projectIds: ProjectScope['projectIds']): Promise<number> {
  return countFound(ctx, { projectIds, waiting: await waitingOf(ctx, 'me') })
}

/** The states that names of older clients stand for. */
const ALIASES: Readonly<Record<string, readonly WithdrawalState[]>> = {
  processing: ['initiated', 'sent'],
  failure: ['failed'],
  'pending-otp-verification': [],
}

const STATES: ReadonlyMap<string, WithdrawalState> = new Map(withdrawalMachine.states.map((state) => [state, state]))

async function filterOf(ctx: Context, query: PayoutQuery): Promise<PayoutFilter> {
  const status = query.status?.flatMap((name) => STATES.get(name) ?? ALIASES[name] ?? [])
  const { projectIds } = query
  const reference = query.refundOfReferenceID
  const [projectId] = projectIds === 'every' ? [] : projectIds
  const paymentId = reference === undefined ? undefined : await paymentOf(ctx, projectId, reference)
  return {
    projectIds,
    status: status && (status.length === 0 && (query.status?.length ?? 0) > 0 ? NOTHING : status),
    types: query.types,
    addresses: query.address?.flatMap(readAddresses),
    assetIds: await assetsOf(ctx, query),
    emails: query.recipientEmails,
    createdBy: query.createdBy,
    term: query.search?.trim() || undefined,
    paymentId,
    referrerId: query.referrerId,
    ...readSpan(query),
    sent: readSentSpan(query),
    waiting: query.waitingFor && (await waitingOf(ctx, query.waitingFor)),
  }
}

async function waitingOf(ctx: Context, who: 'me' | 'others'): Promise<PayoutFilter['waiting']> {
  const decider = deciderOf(ctx)
  return { who, decider, involved: await stillWaiting(ctx, decider) }
}

/** A status that no payout has, for filters by what does not exist. */
const NOTHING = ['none' as WithdrawalState]

async function paymentOf(ctx: Context, projectId: number | undefined, reference: string): Promise<bigint> {
  return (projectId === undefined ? undefined : await findPaymentId(ctx, projectId, reference)) ?? 0n
}

/** Filters by names of networks and currencies; an unknown name matches nothing. */
async function assetsOf(
  ctx: Context,
  { blockchainCode, currencyCode }: PayoutQuery,
): Promise<readonly number[] | undefined> {
  if (!blockchainCode?.length && !currencyCode?.length) return undefined
  const chains = blockchainCode?.length ? new Set(blockchainCode.map((code) => findBlockchain(code)?.id)) : null
  const currencies = currencyCode?.length ? new Set(currencyCode.map((code) => code.toUpperCase())) : null
  return (await listAssets(ctx))
    .filter((asset) => chains?.has(asset.blockchainId) ?? true)
    .filter((asset) => currencies?.has(asset.currencyCode) ?? true)
    .map(({ id }) => id)
}

/** What a cursor is bound to. */
function printable(filter: PayoutFilter): object {
  const paymentId = filter.paymentId === undefined ? undefined : String(filter.paymentId)
  const waiting = filter.waiting && { who: filter.waiting.who, decider: filter.waiting.decider }
  return { ...filter, id: undefined, paymentId, waiting }
}
