/** A referral programme with a long past, written straight into the tables: people, logs, what campaigns made of them, rewards. */
import type { Pool } from '../harness/limits.ts'

/** Promoters, who brought as many customers each. */
const PROMOTERS = 10_000
const PER_PROMOTER = 9
const MEMBERS = PROMOTERS * PER_PROMOTER

/** People of the past are numbered from here on, so that none meets one who is there already. */
const FIRST = 10_000_000

/** A reward in so many was taken back. */
const REVERSED = 1_000

export type ProgrammePast = {
  readonly projectId: number
  readonly eventId: number
  readonly campaignId: number
  readonly unitId: number
}

/** Ten percent of each of so many purchases of $100 to the promoter of its customer, spread over 400 days. */
export async function fillProgramme(pool: Pool, rewards: number, past: ProgrammePast): Promise<void> {
  const { projectId, eventId, campaignId, unitId } = past
  const client = await pool.connect()
  try {
    await client.query(
      'SET session_replication_role = replica; SET synchronous_commit = off; SET statement_timeout = 0',
    )
    await client.query("SET work_mem = '256MB'")
    await client.query(`
      INSERT INTO referrers (id, project_id, reference_id, email, code, referred_by, referred_at, referee_count, created_at)
      OVERRIDING SYSTEM VALUE
      SELECT ${FIRST} + n, ${projectId}, 'person-' || n, 'person-' || n || '@mail.example', ${CODE},
        CASE WHEN n >= ${PROMOTERS} THEN ${FIRST} + n % ${PROMOTERS} END, CASE WHEN n >= ${PROMOTERS} THEN at END,
        CASE WHEN n < ${PROMOTERS} THEN ${PER_PROMOTER} ELSE 0 END, at
      FROM generate_series(0, ${PROMOTERS + MEMBERS - 1}) AS n, LATERAL (SELECT ${atOf('n', PROMOTERS + MEMBERS)} AS at) AS moment`)
    await client.query(`
      INSERT INTO event_logs (project_id, event_id, member_id, amount, triggered_at, status, created_at, updated_at)
      SELECT ${projectId}, ${eventId}, ${FIRST + PROMOTERS} + n % ${MEMBERS}, 100000000, at, 'processed', at, at
      FROM generate_series(0, ${rewards - 1}) AS n, LATERAL (SELECT ${atOf('n', rewards)} AS at) AS moment
      ORDER BY n`)
    await client.query(`
      INSERT INTO event_log_uses (campaign_id, log_id, member_id, outcome, set_log_id, at)
      SELECT ${campaignId}, id, member_id, 'rewarded', id, created_at FROM event_logs WHERE project_id = ${projectId}`)
    await client.query(`
      INSERT INTO rewards (project_id, campaign_id, set_log_id, side, referrer_id, related_id, unit_id, units, reversed_units, status,
        reason_code, triggered_at, created_at, updated_at)
      SELECT ${projectId}, ${campaignId}, log.id, 'referrer', member.referred_by, member.id, ${unitId}, 10000000,
        CASE WHEN log.id % ${REVERSED} = 0 THEN 10000000 ELSE 0 END,
        CASE WHEN log.id % ${REVERSED} = 0 THEN 'reversed' ELSE 'pending' END,
        CASE WHEN log.id % ${REVERSED} = 0 THEN 'PAYMENT_REFUNDED' END, log.created_at, log.created_at, log.created_at
      FROM event_logs AS log JOIN referrers AS member ON member.id = log.member_id
      WHERE log.project_id = ${projectId} ORDER BY log.id`)
    await client.query(`
      INSERT INTO reward_totals (referrer_id, unit_id, side, project_id, earned, paid)
      SELECT referrer_id, unit_id, side, project_id, sum(units - reversed_units), 0 FROM rewards
      WHERE project_id = ${projectId} GROUP BY 1, 2, 3, 4`)
    await client.query(`
      UPDATE referrers SET earned = total.earned FROM reward_totals AS total
      WHERE total.referrer_id = id AND total.project_id = ${projectId}`)
    await client.query(`
      INSERT INTO accounts (kind, unit_id, owner_key, side, guarded, credits)
      SELECT 'referral:payable', unit_id, 'referrer:' || referrer_id, 'C', true, earned FROM reward_totals
      WHERE project_id = ${projectId}`)
    await client.query(`
      UPDATE campaigns SET given = total.units, reward_count = total.n
      FROM (SELECT sum(units - reversed_units) AS units, count(*) FILTER (WHERE reversed_units < units) AS n FROM rewards
        WHERE campaign_id = ${campaignId}) AS total
      WHERE id = ${campaignId}`)
    await client.query(
      'VACUUM ANALYZE referrers, event_logs, event_log_uses, rewards, reward_totals, accounts, campaigns',
    )
  } finally {
    client.release(true)
  }
}

/** When the n-th of so many happened. */
function atOf(n: string, of: number): string {
  return `now() - interval '400 days' + interval '400 days' * (${n}::float8 / ${of})`
}

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** The number of a person in the letters of codes, seven of them. */
const CODE = Array.from(
  { length: 7 },
  (_, place) => `substr('${LETTERS}', 1 + ((n / ${LETTERS.length ** place}) % ${LETTERS.length})::int, 1)`,
).join(' || ')
