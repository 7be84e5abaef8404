import { readTransactionIds } from '@kassa/chains/identifiers.ts'
import { confirmationsOf } from '@kassa/contract/deposits/confirmations.ts'
import type { DepositFilters } from '@kassa/contract/deposits/inputs.ts'
import type { Deposit as DepositShape } from '@kassa/contract/deposits/schemas.ts'
import { MAX_LIMIT } from '@kassa/contract/kit/paging.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'

import { keyFor } from '../../config/keys.ts'
import type { Context } from '../../context.ts'
import { type PageInput, readPage, toPage } from '../../paging/paging.ts'
import { readSpanFields, type SpanInput } from '../../paging/span.ts'
import { listAssets } from '../blockchains/chains/service.ts'
import type { Deposit } from './deposit.ts'
import {
  countDepositRows,
  type DepositListFilters,
  listDepositRows,
  listOfTransactions,
  listReferences,
  listTips,
} from './list-store.ts'
import { depositView } from './view.ts'

export type DepositsQuery = PageInput &
  SpanInput & {
    readonly projectIds: readonly number[] | 'every'
    readonly status?: Readonly<DepositFilters['status']>
    readonly blockchainCode?: readonly string[] | undefined
    readonly currencyCode?: readonly string[] | undefined
    readonly txHash?: string | undefined
    readonly memberID?: number | undefined
  }

export type DepositPage = {
  readonly data: DepositShape[]
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly nextCursor: string | null
}

/** A page of deposits, newest first. @throws VALIDATION_FAILED, CURSOR_INVALID, PAGE_TOO_DEEP, SORT_FIELD_UNKNOWN */
export async function listDeposits(ctx: Context, query: DepositsQuery): Promise<DepositPage> {
  const filters = await filtersOf(ctx, query)
  const rules = { list: 'deposits', filter: filters, sorts: ['created_at'] as const, signingKey: keyFor(ctx, 'cursor') }
  const page = readPage({ ...query, sortDirection: 'DESC' }, rules)
  const rows = await listDepositRows(ctx, filters, {
    limit: page.limit + 1,
    offset: page.offset,
    beforeId: page.from ? BigInt(page.from.id) : undefined,
  })
  const cut = toPage(
    rows.map((row) => ({ ...row, sortKey: row.seenAt.toISOString() })),
    page,
    rules,
  )
  return {
    data: await depositShapes(ctx, cut.rows),
    total: await countDepositRows(ctx, filters),
    limit: page.limit,
    offset: page.offset,
    nextCursor: cut.nextCursor,
  }
}

/** What counts for no payment. */
const UNMATCHED = ['unapplied', 'quarantined'] as const

/** How many deposits match no payment or are on hold: as many as the list of missed deposits says. */
export function countUnmatched(ctx: Context, projectIds: readonly number[] | 'every'): Promise<number> {
  return countDepositRows(ctx, { projectIds, status: UNMATCHED })
}

/** The deposits of transactions, including reverted ones, newest first. */
export function depositsOfTransaction(ctx: Context, txIds: readonly string[]): Promise<Deposit[]> {
  return listOfTransactions(ctx, txIds)
}

/** The unmatched deposits of a customer, newest first. */
export function unappliedOfCustomer(ctx: Context, customerId: number, limit: number = MAX_LIMIT): Promise<Deposit[]> {
  return listDepositRows(ctx, { projectIds: 'every', customerId, status: UNMATCHED }, { limit })
}

/** Deposits as operators see them, with the references of their payments. */
export async function depositShapes(ctx: Context, deposits: readonly Deposit[]): Promise<DepositShape[]> {
  if (deposits.length === 0) return []
  const assets = new Map((await listAssets(ctx)).map((asset) => [asset.id, asset]))
  const tips = await listTips(ctx)
  const references = await listReferences(
    ctx,
    deposits.flatMap(({ paymentId }) => (paymentId === null ? [] : [paymentId])),
  )
  return deposits.flatMap((deposit) => {
    const asset = assets.get(deposit.assetId)
    const confirmations = confirmationsOf(deposit, tips.get(deposit.blockchainId))
    const reference = deposit.paymentId === null ? null : (references.get(deposit.paymentId) ?? null)
    return asset ? [depositView({ deposit, asset, confirmations }, reference)] : []
  })
}

async function filtersOf(ctx: Context, query: DepositsQuery): Promise<DepositListFilters> {
  return {
    projectIds: query.projectIds,
    status: query.status,
    assetIds: await assetsOf(ctx, query),
    txIds: txIdsOf(query.txHash?.trim()),
    customerId: query.memberID,
    ...readSpanFields(query),
  }
}

/**
 * The spellings of a transaction id to search for: as each family prints it, and unchanged, because a balance deposit has no
 * transaction id.
 */
function txIdsOf(text: string | undefined): readonly string[] | undefined {
  return text ? [text, ...readTransactionIds(text).map(({ txId }) => txId)] : undefined
}

/** Filters by names of networks and currencies; an unknown name matches nothing. */
async function assetsOf(
  ctx: Context,
  { blockchainCode, currencyCode }: DepositsQuery,
): Promise<readonly number[] | undefined> {
  if (blockchainCode === undefined && currencyCode === undefined) return undefined
  const chains = blockchainCode && new Set(blockchainCode.map((code) => findBlockchain(code)?.code))
  const currencies = currencyCode && new Set(currencyCode.map((code) => code.toUpperCase()))
  const matching = (await listAssets(ctx)).filter(
    (asset) =>
      (chains === undefined || chains.has(findBlockchain(asset.blockchainCode)?.code)) &&
      (currencies === undefined || currencies.has(asset.currencyCode)),
  )
  return matching.map(({ id }) => id)
}
