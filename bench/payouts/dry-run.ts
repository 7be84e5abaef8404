/** A draft policy tried on the payouts of a year, beside reading what one figure of each of them needs. */
import { asSystem } from '../../apps/server/src/context.ts'
import { pastPayouts } from '../../apps/server/src/modules/withdrawals/lists/past.ts'
import { dryRunDraft } from '../../apps/server/src/modules/withdrawals/policy/service.ts'
import type { Cleanup, Figure, Measurement } from '../harness/figure.ts'
import type { Pool } from '../harness/limits.ts'
import { openProgram } from '../harness/program.ts'
import { medianSecondsOf } from '../harness/seconds.ts'

const PAYOUTS = 10_000
const ROUNDS = 5
const DAYS = 365

/** Half of what the payouts may be without approval now: about every second one is decided otherwise. */
const DRAFT = { autoApproveLimitInUSD: '50' }

export const dryRun: Measurement = { name: 'dry-run', run }

async function run(cleanup: Cleanup): Promise<readonly Figure[]> {
  const { app, pool } = await openProgram(cleanup)
  const projectId = await fill(pool)
  const ctx = asSystem(app.ctx)
  const value = await medianSecondsOf(ROUNDS, async () => {
    const { payouts } = await dryRunDraft(ctx, projectId, { ...DRAFT, days: DAYS }, pastPayouts)
    if (payouts !== PAYOUTS) throw new Error(`The dry run decided about ${payouts} payouts`)
  })
  const read = await medianSecondsOf(ROUNDS, () =>
    pool.query('SELECT id, created_at, amount_usd FROM withdrawals WHERE project_id = $1 ORDER BY id', [projectId]),
  )
  const limit = { name: 'their rows read', value: 1000 * read }
  return [{ name: `dry run of a policy over ${PAYOUTS} payouts`, value: 1000 * value, unit: 'ms', limit }]
}

/** Payouts of one to a hundred dollars, evenly over the last 300 days, to 500 addresses. */
async function fill(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(`
    WITH operator AS (
      INSERT INTO operators (email, customer_id, password_hash) VALUES ('owner@shop.example', 'root', '')
    ), project AS (INSERT INTO projects (name) VALUES ('Bench') RETURNING id),
    rules AS (
      INSERT INTO payout_policies (project_id, auto_approve_limit_usd, hourly_limit_usd, daily_limit_usd, updated_at)
      SELECT id, 100, 1000000, 1000000, now() FROM project
    )
    SELECT id FROM project`)
  const projectId = rows[0]?.id ?? 0
  await pool.query(
    `INSERT INTO withdrawals (project_id, type, status, blockchain_id, asset_id, contract, units, to_address, policy_version,
       digest, price_usd, amount_usd, decision, approvals_needed, four_eyes, decided_at, created_by, created_by_operator,
       rejected_by, ended_at, created_at)
     SELECT $1, 'payout', 'rejected', assets.blockchain_id, assets.id, assets.address, n % 100 * 1000000 + 1000000,
       '0x' || lpad(to_hex(n % 500 + 4096), 40, '0'), 1, sha256(n::text::bytea), 1, n % 100 + 1, '{}', 1, false, at, 'user', 1, 1,
       at, at
     FROM assets, generate_series(1, $2::int) AS n, LATERAL (SELECT now() - n * interval '300 days' / $2::int AS at) AS time
     WHERE assets.id = 7`,
    [projectId, PAYOUTS],
  )
  await pool.query('ANALYZE withdrawals')
  return projectId
}
