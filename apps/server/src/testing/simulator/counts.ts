import type { World } from './world.ts'

/** What happened in a run. */
export type Counts = {
  readonly payments: number
  readonly deposits: number
  readonly received: number
  readonly paid: number
  /** Those of them that were approved with others by one confirmation. */
  readonly listed: number
  readonly swept: number
  /** Sweeps that devices signed, and what addresses of TRON signed, as far as blocks hold them for good. */
  readonly signed: number
  readonly approved: number
  /** Deposits that paid for something, by blockchain. */
  readonly credited: Readonly<Record<string, number>>
}

/** Counts what is in the database of a world, and what reached its shops. */
export async function countsOf({ database, receiver, chains }: World): Promise<Counts> {
  const { rows } = await database.query(
    `SELECT (SELECT count(*)::int FROM payments) AS payments, (SELECT count(*)::int FROM deposits) AS deposits,
       (SELECT count(*)::int FROM withdrawals WHERE status = 'processed') AS paid,
       (SELECT count(DISTINCT payout.id)::int FROM withdrawals AS payout JOIN withdrawal_approvals ON withdrawal_id = payout.id
         WHERE status = 'processed' AND list_id IS NOT NULL) AS listed,
       (SELECT count(*)::int FROM sweeps WHERE status = 'completed') AS swept,
       (SELECT count(*)::int FROM sweeps WHERE status = 'completed' AND sent_by = 'device') AS signed,
       (SELECT count(*)::int FROM sweep_permissions WHERE height IS NOT NULL AND valid_until IS NOT NULL) AS approved`,
  )
  const credited = await database.query(
    `SELECT blockchain_id AS id, count(*)::int AS credited FROM deposits WHERE status = 'applied' GROUP BY 1`,
  )
  const byId = new Map(credited.rows.map((row) => [row['id'], Number(row['credited'])]))
  return {
    payments: Number(rows[0]?.['payments']),
    deposits: Number(rows[0]?.['deposits']),
    received: receiver.received.length,
    paid: Number(rows[0]?.['paid']),
    listed: Number(rows[0]?.['listed']),
    swept: Number(rows[0]?.['swept']),
    signed: Number(rows[0]?.['signed']),
    approved: Number(rows[0]?.['approved']),
    credited: Object.fromEntries(chains.map(({ id, code }) => [code, byId.get(id) ?? 0])),
  }
}
