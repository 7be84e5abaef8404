import { fail } from '@kassa/contract/kit/api-error.ts'
import type { ProjectWallet, Wallet } from '@kassa/contract/wallets/schemas.ts'

import type { Context, ProjectScope } from '../../context.ts'
import { firstAddresses } from './pool.ts'
import { valuesOf } from './balances/service.ts'
import { type ColdRow, listColdFacts } from './cold/service.ts'
import { listHotFacts } from './hot/service.ts'
import { listSources } from './sources/store.ts'
import { listLinks, listPendingLinks } from './linking/store.ts'
import { countAddresses, listContracts } from './store.ts'
import { listDefaults, listWalletRows } from './wallet/store.ts'
import { projectWalletView, walletView } from './view.ts'

/** Addresses shown for comparison with the operator's own wallet. */
const SHOWN_ADDRESSES = 3

/** Wallets as the contract shows them, ordered by id; links only of the projects the caller may see. */
export async function listWallets(ctx: Context, projectIds: readonly number[] | 'every'): Promise<Wallet[]> {
  const rows = await listWalletRows(ctx)
  const sources = await listSources(
    ctx,
    rows.map(({ id }) => id),
  )
  const contracts = await listContracts(ctx)
  const links = await listLinks(ctx, projectIds)
  const pending = await listPendingLinks(ctx, projectIds)
  const counts = await countAddresses(ctx)
  const hot = await listHotFacts(ctx)
  const cold = await listColdFacts(ctx)
  const defaults = await listDefaults(ctx)
  const values = await valuesOf(ctx, projectIds)
  return rows.map((row) => {
    const own = sources.filter((source) => source.wallet_id === row.id)
    const keys = own
      .filter((source) => source.kind === 'xpub')
      .map((key) => ({ ...key, firstAddresses: firstAddresses(ctx, key, SHOWN_ADDRESSES) }))
    const count = counts.find((one) => one.wallet_id === row.id) ?? { assigned: 0, open: 0 }
    return walletView(row, {
      ...{ keys, count },
      vaults: own.filter((source) => source.kind === 'create2'),
      lists: own.filter((source) => source.kind === 'list'),
      contracts: contracts.filter((one) => one.wallet_id === row.id),
      links: links.filter((link) => link.wallet_id === row.id),
      pending: pending.filter((link) => link.wallet_id === row.id),
      hot: hot.keys.find((key) => key.wallet_id === row.id),
      functions: hot.functions.filter((one) => one.wallet_id === row.id),
      signedAt: hot.signedAt.get(row.id),
      cold: visibleCold(
        cold.find((one) => one.wallet_id === row.id),
        projectIds,
      ),
      float: values.get(row.id) ?? 0n,
      hasBookings: values.has(row.id),
      isDefault: defaults.some((one) => one.wallet_id === row.id),
    })
  })
}

/** A caller who sees every project also sees the wallets that no project uses; others see those linked to their projects. */
export async function visibleWallets(ctx: Context, { projectIds }: ProjectScope): Promise<Wallet[]> {
  const wallets = await listWallets(ctx, projectIds)
  if (projectIds === 'every') return wallets
  return wallets.filter(({ externalPlatformWallets: links, pendingLinks }) => links.length + pendingLinks.length > 0)
}

/** @throws WALLET_NOT_FOUND */
export async function visibleWallet(ctx: Context, scope: ProjectScope, id: number): Promise<Wallet> {
  return (await visibleWallets(ctx, scope)).find((wallet) => wallet.id === id) ?? fail('WALLET_NOT_FOUND')
}

/** The wallet as the caller who has just created it sees it. @throws WALLET_NOT_FOUND */
export async function showWallet(ctx: Context, { id }: { readonly id: number }): Promise<Wallet> {
  return (await listWallets(ctx, 'every')).find((wallet) => wallet.id === id) ?? fail('WALLET_NOT_FOUND')
}

/** A cold wallet names its project only to callers who may see that project. */
function visibleCold(cold: ColdRow | undefined, projectIds: readonly number[] | 'every'): ColdRow | undefined {
  const isHidden = projectIds !== 'every' && !!cold?.project_id && !projectIds.includes(cold.project_id)
  return cold && isHidden ? { ...cold, project_id: null } : cold
}

/** The wallet of each chain family of a project. */
export async function listProjectWallets(
  ctx: Context,
  projectIds: readonly number[] | 'every',
): Promise<ProjectWallet[]> {
  const wallets = await listWallets(ctx, projectIds)
  const links = await listLinks(ctx, projectIds)
  const pending = await listPendingLinks(ctx, projectIds)
  return links.flatMap((link) => {
    const wallet = wallets.find(({ id }) => id === link.wallet_id)
    const next = pending.find((one) => one.project_id === link.project_id && one.family_id === link.family_id)
    const replacedBy = next && { ...next, name: wallets.find(({ id }) => id === next.wallet_id)?.name ?? '' }
    return wallet ? [projectWalletView(link, wallet, replacedBy)] : []
  })
}
