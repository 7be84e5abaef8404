/** Sweeps for display: one, lists, figures, and the balances of deposit addresses. */
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { SweepFilters } from '@kassa/contract/sweeps/inputs.ts'
import type { Sweep, SweepDetail } from '@kassa/contract/sweeps/schemas.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'

import { keyFor } from '../../../config/keys.ts'
import type { Context, ProjectScope } from '../../../context.ts'
import { readPage, toPage } from '../../../paging/paging.ts'
import { readSpan } from '../../../paging/span.ts'
import { explorerLinks, listAssets } from '../../blockchains/chains/service.ts'
import { entriesOf, rowsOfEntry } from '../../ledger/service.ts'
import { currentPrices } from '../../prices/service.ts'
import { sourcesOf } from '../record/service.ts'
import {
  countFound,
  type FoundSweep,
  listAttempts,
  listErrors,
  listFound,
  listShownItems,
  listTransactions,
  SORTS,
  type SweepFilter,
} from './store.ts'
import { attemptView, type Beside, errorView, itemView, sweepView, transactionView } from './view.ts'

export { countFailedSweeps, listBalances, sweepMetrics } from './balances.ts'

type Scope = ProjectScope['projectIds']
type Narrowing = { readonly blockchainCode?: string; readonly withTransaction?: boolean }

export type SweepPage = {
  readonly data: Sweep[]
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly nextCursor: string | null
}

/** A page of sweeps, newest first. @throws FILTER_INVALID, CURSOR_INVALID, PAGE_TOO_DEEP, SORT_FIELD_UNKNOWN */
export async function listSweeps(
  ctx: Context,
  projectIds: Scope,
  query: SweepFilters,
  narrowing: Narrowing = {},
): Promise<SweepPage> {
  const filter = await filterOf(ctx, projectIds, query, narrowing)
  const rules = { list: 'sweeps', filter, sorts: SORTS, signingKey: keyFor(ctx, 'cursor') }
  const limit = query.limit ?? query.count
  const page = readPage({ ...query, ...(limit !== undefined && { limit }) }, rules)
  const cut = toPage(await listFound(ctx, filter, page), page, rules)
  return {
    data: await sweepShapes(ctx, cut.rows),
    total: await countFound(ctx, filter),
    limit: page.limit,
    offset: page.offset,
    nextCursor: cut.nextCursor,
  }
}

const ONE = { isAscending: false, limit: 1, offset: 0, from: null } as const

/** Sweeps by their ids, as the contract shows them, in the order given. */
export async function sweepsByIds(ctx: Context, ids: readonly bigint[]): Promise<Sweep[]> {
  const shapes: Sweep[] = []
  for (const id of ids) shapes.push(...(await sweepShapes(ctx, await listFound(ctx, { projectIds: 'every', id }, ONE))))
  return shapes
}

/** One sweep, as the contract shows it. @throws SWEEP_NOT_FOUND */
export async function sweepById(ctx: Context, id: bigint): Promise<Sweep> {
  return (await sweepsByIds(ctx, [id]))[0] ?? fail('SWEEP_NOT_FOUND')
}

/** One sweep with its addresses, transactions, errors and entries. @throws SWEEP_NOT_FOUND */
export async function sweepDetail(ctx: Context, projectIds: Scope, id: number): Promise<SweepDetail> {
  const [found] = await listFound(ctx, { projectIds, id: BigInt(id) }, ONE)
  const beside = found && (await besideOf(ctx)).get(found.asset_id)
  if (!found || !beside) return fail('SWEEP_NOT_FOUND')
  const attempts = found.send_id === null ? [] : await listAttempts(ctx, found.send_id)
  const entries = await entriesOf(ctx, [sourcesOf(found)])
  const isSeen = (projectId: number | null) =>
    projectIds === 'every' || (projectId !== null && projectIds.includes(projectId))
  return {
    ...sweepView(found, beside),
    addresses: (await listShownItems(ctx, found.id, projectIds)).map((item) => itemView(item, beside)),
    transactions: [
      ...attempts.map((attempt) => attemptView(attempt, beside)),
      ...(await listTransactions(ctx, found.id)).map((row) => transactionView(row, beside)),
    ],
    errors: (await listErrors(ctx, found.id, { projectIds, limit: MOST_ERRORS })).flatMap(
      (row) => errorView(row, found.hot_address) ?? [],
    ),
    journal: entries.filter((entry) => isSeen(entry.projectId)).flatMap(rowsOfEntry),
  }
}

const MOST_ERRORS = 100

/** Sweeps as the contract shows them. */
async function sweepShapes(ctx: Context, rows: readonly FoundSweep[]): Promise<Sweep[]> {
  if (rows.length === 0) return []
  const beside = await besideOf(ctx)
  return rows.flatMap((found) => {
    const own = beside.get(found.asset_id)
    return own ? [sweepView(found, own)] : []
  })
}

async function besideOf(ctx: Context): Promise<ReadonlyMap<number, Beside>> {
  const assets = await listAssets(ctx)
  const [prices, links] = [await currentPrices(ctx), await explorerLinks(ctx)]
  const coins = new Map(assets.filter(({ standard }) => standard === 'native').map((one) => [one.blockchainId, one]))
  return new Map(
    assets.map((asset) => {
      const coin = coins.get(asset.blockchainId) ?? asset
      return [asset.id, { asset, coin, coinPrice: prices.get(coin.id), links }]
    }),
  )
}

async function filterOf(
  ctx: Context,
  projectIds: Scope,
  query: SweepFilters,
  { blockchainCode, withTransaction = false }: Narrowing,
): Promise<SweepFilter> {
  const codes = blockchainCode === undefined ? query.blockchainCode : [blockchainCode]
  return {
    projectIds,
    walletId: query.walletID,
    status: query.status,
    assetIds: await assetsOf(ctx, codes, query.currencyCode),
    withTransaction,
    ...readSpan(query),
  }
}

/** Filters by names of networks and currencies; an unknown name matches nothing. */
async function assetsOf(
  ctx: Context,
  blockchains: readonly string[] | undefined,
  currencies: readonly string[] | undefined,
): Promise<readonly number[] | undefined> {
  if (!blockchains?.length && !currencies?.length) return undefined
  const chains = blockchains?.length ? new Set(blockchains.map((code) => findBlockchain(code)?.id)) : null
  const codes = currencies?.length ? new Set(currencies.map((code) => code.toUpperCase())) : null
  return (await listAssets(ctx))
    .filter((asset) => chains?.has(asset.blockchainId) ?? true)
    .filter((asset) => codes?.has(asset.currencyCode) ?? true)
    .map(({ id }) => id)
}
