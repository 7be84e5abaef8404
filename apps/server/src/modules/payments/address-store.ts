import type { Context } from '../../context.ts'
import type { GivenAddress, ProjectWallet } from './payment.ts'
import type { PaymentReads } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<PaymentReads>()

/** Finds an address with what is told of it. */
export async function findGivenAddress(ctx: Context, id: bigint): Promise<GivenAddress> {
  const row = await tables(ctx)
    .selectFrom('addresses as address')
    .innerJoin('wallets as wallet', 'wallet.id', 'address.wallet_id')
    .select([
      'address.id',
      'address.address',
      'family_id',
      'path',
      'address.status',
      'address.customer_id',
      'assigned_at',
    ])
    .select(['wallet.id as wallet_id', 'wallet.name as wallet_name'])
    .where('address.id', '=', id)
    .executeTakeFirstOrThrow()
  return {
    id: row.id,
    address: row.address,
    familyId: row.family_id,
    path: row.path,
    status: row.status,
    customerId: row.customer_id ?? 0,
    givenAt: row.assigned_at ?? new Date(0),
    wallet: { id: row.wallet_id, name: row.wallet_name },
  }
}

/** Lists the deposit wallets a project is paid into, by family. */
export async function listProjectWallets(ctx: Context, projectId: number): Promise<ProjectWallet[]> {
  const rows = await tables(ctx)
    .selectFrom('project_wallets as link')
    .innerJoin('wallets as wallet', 'wallet.id', 'link.wallet_id')
    .select(['wallet.id', 'wallet.name', 'link.family_id', 'wallet.wallet_type', 'wallet.wallet_sub_type'])
    .where('link.project_id', '=', projectId)
    .where('wallet.status', '=', 'active')
    .orderBy('link.family_id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    familyId: row.family_id,
    type: row.wallet_type,
    subType: row.wallet_sub_type,
  }))
}
