import { randomBytes } from 'node:crypto'

import { sql } from 'kysely'

import type { Context } from '../context.ts'

export type CustomerAddress = {
  readonly id: bigint
  readonly projectId: number
  readonly customerId: number
  readonly walletId: number
  readonly address: string
}

/** A project with a customer who has a deposit address of the ETH family, written without the use cases that make them. */
export async function customerAddress(ctx: Context, key: Buffer = randomBytes(20)): Promise<CustomerAddress> {
  const address = `0x${key.toString('hex')}`
  const { rows } = await sql<{ id: bigint; projectId: number; customerId: number; walletId: number }>`
    WITH project AS (INSERT INTO projects (name) VALUES ('Shop') RETURNING id),
    customer AS (
      INSERT INTO customers (project_id, customer_id) SELECT id, ${randomBytes(8).toString('hex')} FROM project
      RETURNING id, project_id
    ),
    wallet AS (
      INSERT INTO wallets (name, wallet_type, wallet_sub_type, secret_type)
      VALUES ('Deposits', 'deposit_wallet', 'eoa', 'xpub') RETURNING id
    )
    INSERT INTO addresses (wallet_id, family_id, key, address, derivation_index, path, status, customer_id, project_id)
    SELECT wallet.id, 1, ${key}, ${address}, 0, 'm/0/0', 'assigned', customer.id, customer.project_id FROM wallet, customer
    RETURNING id, project_id AS "projectId", customer_id AS "customerId", wallet_id AS "walletId"`.execute(ctx.db)
  const [row] = rows
  if (!row) throw new Error('The address was not written')
  return { ...row, address }
}
