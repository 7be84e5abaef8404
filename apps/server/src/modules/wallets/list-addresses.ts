import { fail } from '@kassa/contract/kit/api-error.ts'
import type { WalletAddressQuery } from '@kassa/contract/wallets/schemas.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'
import { keyFor } from '../../config/keys.ts'
import type { Context, ProjectScope } from '../../context.ts'
import { readPage, toPage } from '../../paging/paging.ts'
import { countWalletAddresses, listWalletAddresses } from './addresses-store.ts'

/** A page of the addresses of a wallet, as the contract shows them: those of customers of the projects the caller may see. */
export async function pageOfAddresses(
  ctx: Context,
  walletId: number,
  projectIds: ProjectScope['projectIds'],
  input: WalletAddressQuery,
) {
  const familyId = input.family === undefined ? undefined : (findFamily(input.family)?.id ?? fail('WALLET_NOT_FOUND'))
  const filter = { walletId, projectIds, familyId, status: input.status, start: input.query }
  const rules = { list: 'addresses', filter, sorts: ['id'], signingKey: keyFor(ctx, 'cursor') } as const
  const page = readPage({ order: 'asc', ...input }, rules)
  const { rows, nextCursor } = toPage(await listWalletAddresses(ctx, filter, page), page, rules)
  return {
    data: rows.map((row) => ({
      id: Number(row.id),
      address: row.address,
      path: row.path,
      family: findFamily(row.family_id)?.family ?? '',
      status: row.status,
      memberID: row.customer_id,
      externalPlatformID: row.project_id,
      assignedAt: row.assigned_at,
    })),
    total: await countWalletAddresses(ctx, filter),
    limit: page.limit,
    offset: page.offset,
    nextCursor,
  }
}
