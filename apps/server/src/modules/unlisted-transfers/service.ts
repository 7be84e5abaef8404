/**
 * Unlisted transfers: what strange contracts say they moved to addresses of customers. A notice for people: nothing of it is a
 * deposit, and no posting, payment or total reads it (money.md 2.4).
 */
import type { ChainAdapter, ChainSession, UnlistedTransfer } from '@kassa/chains/adapter.ts'
import type { TokenClaim } from '@kassa/chains/contract-reader.ts'
import { RetryableRpcError } from '@kassa/chains/errors.ts'
import type { UnlistedTransfer as NoticeShape } from '@kassa/contract/unlisted-transfers/schemas.ts'

import { keyFor } from '../../config/keys.ts'
import type { Context } from '../../context.ts'
import { type PageInput, readPage, toPage } from '../../paging/paging.ts'
import { dayOf, storedDecimals, storedSymbol, RETENTION_MS, MOST_A_DAY } from './rules.ts'
import {
  countNotices,
  deleteAbove,
  deleteSeenBefore,
  insertNotices,
  listNotices,
  listOfCustomer,
  listUnasked,
  type ProjectIds,
  updateClaim,
} from './store.ts'
import { noticeView } from './view.ts'

/** A transfer of an unlisted token with the customer's address it went to. */
export type ReceivedUnlisted = {
  readonly transfer: UnlistedTransfer
  readonly address: { readonly id: bigint; readonly customerId: number; readonly projectId: number }
}

/** Stores notices of a blockchain, limited per address and day; safe to repeat. Returns the customers they are about. */
export async function noteUnlisted(
  ctx: Context,
  blockchainId: number,
  received: readonly ReceivedUnlisted[],
): Promise<number[]> {
  if (received.length === 0) return []
  const now = ctx.now()
  const rows = received.map(({ transfer: { txId, leg, contract, units, block }, address }) => ({
    blockchain_id: blockchainId,
    tx_id: txId,
    leg,
    contract,
    address_id: address.id,
    customer_id: address.customerId,
    project_id: address.projectId,
    units,
    height: block.height,
    mined_at: block.minedAt,
    seen_at: now,
  }))
  return insertNotices(ctx, rows, { most: MOST_A_DAY, since: dayOf(now) })
}

/** Deletes notices above a height: the chain has left those blocks. Returns the customers they were about. */
export function forgetUnlistedAbove(ctx: Context, blockchainId: number, height: number): Promise<number[]> {
  return deleteAbove(ctx, blockchainId, height)
}

/** Deletes notices that are too old for anybody to ask about. */
export function forgetNotices(ctx: Context): Promise<void> {
  return deleteSeenBefore(ctx, new Date(ctx.now().getTime() - RETENTION_MS))
}

/** Contracts asked at a time; spam must not keep a node busy. */
const ASKED_AT_ONCE = 3

/**
 * Asks contracts for their name, a few at a time and each once per notice; returns the customers whose notices have changed. A
 * contract is asked again only when the node could not be reached: a contract can make every call time out, and would keep the
 * others from being asked.
 * @throws RetryableRpcError when the node could not be reached, or takes no more calls now
 */
export async function askContracts(
  ctx: Context,
  session: ChainSession,
  contracts: NonNullable<ChainAdapter['contracts']>,
): Promise<number[]> {
  const { id: blockchainId } = session.chain.blockchain
  const customers: number[] = []
  for (const contract of await listUnasked(ctx, blockchainId, ASKED_AT_ONCE)) {
    const { symbol, decimals } = await contracts.claim(session, contract).catch(sayingNothing)
    const claim = { symbol: storedSymbol(symbol), decimals: storedDecimals(decimals) }
    customers.push(...(await updateClaim(ctx, { blockchainId, contract }, claim)))
  }
  return [...new Set(customers)]
}

/** Failures that no contract can cause. */
const NODES_OWN: ReadonlySet<unknown> = new Set(['unreachable', 'limited'])

function sayingNothing(error: unknown): TokenClaim {
  if (error instanceof RetryableRpcError && !NODES_OWN.has(error.kind)) return { symbol: null, decimals: null }
  throw error
}

/** The newest notices of a customer from blocks of a time. */
export async function unlistedOfCustomer(
  ctx: Context,
  customerId: number,
  span: { readonly from: Date; readonly to: Date; readonly limit: number },
): Promise<NoticeShape[]> {
  return (await listOfCustomer(ctx, customerId, span)).map(noticeView)
}

export type NoticePage = {
  readonly data: NoticeShape[]
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly nextCursor: string | null
}

/** A page of notices of projects, newest first. @throws CURSOR_INVALID, PAGE_TOO_DEEP, SORT_FIELD_UNKNOWN */
export async function listUnlisted(ctx: Context, projectIds: ProjectIds, query: PageInput): Promise<NoticePage> {
  const rules = {
    list: 'unlisted-transfers',
    filter: { projectIds },
    sorts: ['created_at'] as const,
    signingKey: keyFor(ctx, 'cursor'),
  }
  const page = readPage({ ...query, sortDirection: 'DESC' }, rules)
  const rows = await listNotices(ctx, projectIds, {
    limit: page.limit + 1,
    offset: page.offset,
    beforeId: page.from ? BigInt(page.from.id) : undefined,
  })
  const cut = toPage(
    rows.map((row) => ({ ...row, sortKey: row.minedAt.toISOString() })),
    page,
    rules,
  )
  return {
    data: cut.rows.map(noticeView),
    total: await countNotices(ctx, projectIds),
    limit: page.limit,
    offset: page.offset,
    nextCursor: cut.nextCursor,
  }
}
