import { sql } from 'kysely'

import type { Context } from '../../../context.ts'
import type { OwnRole } from '../own-addresses/own-address.ts'

/** Key of the lock that lets one transaction at a time take an address of a family: the letters "KF". */
const OWNERSHIP_LOCK = 0x4b46

/** Lets one transaction at a time decide which wallet an address of a family belongs to; locked to its end. */
export async function lockOwnership(ctx: Context, familyId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${OWNERSHIP_LOCK}::int, ${familyId}::int)`.execute(ctx.db)
}

export type Owner = { readonly role: 'deposit' | 'master' | OwnRole; readonly blockchainId: number | null }

/** Lists the roles of an address in this install, with the blockchain where a role is not on all; empty for a stranger's. */
export async function listOwners(ctx: Context, familyId: number, key: Buffer): Promise<Owner[]> {
  const { rows } = await sql<Owner>`
    SELECT 'deposit' AS role, NULL::int AS "blockchainId" FROM addresses WHERE family_id = ${familyId} AND key = ${key}
    UNION ALL SELECT role, blockchain_id FROM own_addresses WHERE family_id = ${familyId} AND key = ${key}
    UNION ALL SELECT 'master', blockchain_id FROM contract_addresses
      WHERE family_id = ${familyId} AND owner_key = ${key}`.execute(ctx.db)
  return rows
}
