/** The moves of sends between states; each statement names the states that a send may leave. */
import { sql, type SqlBool } from 'kysely'

import type { Context } from '../../../context.ts'
import type { MinedAttempt, Send } from '../record/send.ts'
import { fromRow, statesBefore } from '../record/store.ts'
import type { SendTables } from '../record/tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<SendTables>()

/** Moves a send to `sent`; undefined when it was there already. */
export async function moveSent(ctx: Context, id: bigint): Promise<Send | undefined> {
  const row = await tables(ctx)
    .updateTable('sends')
    .set({ state: 'sent', sent_at: ctx.now() })
    .where('id', '=', id)
    .where(sql<SqlBool>`state = ANY(${statesBefore('send')}::text[])`)
    .returningAll()
    .executeTakeFirst()
  return row && fromRow(row)
}

/** What the chain decided about a send. */
export type Decided = {
  readonly attempt: number | null
  readonly height: number
  readonly feeUnits: bigint
  readonly failure: { readonly code: string; readonly params: object } | null
}

/** Moves a send to `processed`, or to `failed` with why; undefined when it was decided already. */
export async function moveDecided(ctx: Context, id: bigint, decided: Decided): Promise<Send | undefined> {
  const { failure } = decided
  const row = await tables(ctx)
    .updateTable('sends')
    .set((eb) => ({
      state: failure === null ? ('processed' as const) : ('failed' as const),
      decisions: eb('decisions', '+', 1),
      decided_attempt: decided.attempt,
      decided_height: decided.height,
      fee_units: decided.feeUnits,
      failure_code: failure?.code ?? null,
      failure_params: failure === null ? null : JSON.stringify(failure.params),
      decided_at: ctx.now(),
      stuck_at: null,
    }))
    .where('id', '=', id)
    .where(sql<SqlBool>`state = ANY(${statesBefore(failure === null ? 'process' : 'fail')}::text[])`)
    .returningAll()
    .executeTakeFirst()
  return row && fromRow(row)
}

/** A processed send that a reorganisation reopened, as it was. */
export type Reopened = { readonly before: Send; readonly send: Send; readonly txId: string }

/**
 * Undoes what blocks above a height decided: processed sends are `sent` again, with the fee they cost as their ceiling, and
 * attempts of undecided sends lose these blocks.
 */
export async function moveReopened(
  ctx: Context,
  { blockchainId, toHeight }: { readonly blockchainId: number; readonly toHeight: number },
): Promise<Reopened[]> {
  const rows = await tables(ctx)
    .selectFrom('sends')
    .innerJoin('send_attempts', (join) =>
      join.onRef('send_id', '=', 'sends.id').onRef('n', '=', 'sends.decided_attempt'),
    )
    .selectAll('sends')
    .select('send_attempts.tx_id')
    .where('blockchain_id', '=', blockchainId)
    .where(sql<SqlBool>`state = ANY(${statesBefore('reopen')}::text[])`)
    .where('decided_height', '>', BigInt(toHeight))
    .orderBy('sends.id')
    .forUpdate('sends')
    .execute()
  const reopened: Reopened[] = []
  for (const row of rows) {
    const moved = await tables(ctx)
      .updateTable('sends')
      .set((eb) => ({
        ...{ state: 'sent' as const, decided_attempt: null, decided_height: null, decided_at: null },
        ...{ fee_ceiling: eb.ref('fee_units').$notNull(), fee_units: null },
      }))
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    reopened.push({ before: fromRow(row), send: fromRow(moved), txId: row.tx_id })
  }
  await sql`
    UPDATE send_attempts AS attempt
    SET height = NULL, block_hash = NULL, is_success = NULL, failure_code = NULL, fee_units = NULL
    FROM sends AS send
    WHERE send.id = attempt.send_id AND send.blockchain_id = ${blockchainId} AND attempt.height > ${toHeight}
      AND send.decided_at IS NULL`.execute(ctx.db)
  return reopened
}

/** Lists the failed sends that blocks above a height decided: they may be mined after all. */
export async function listFailedAbove(
  ctx: Context,
  { blockchainId, toHeight }: { readonly blockchainId: number; readonly toHeight: number },
): Promise<{ walletId: number; height: number }[]> {
  const rows = await tables(ctx)
    .selectFrom('sends')
    .select(['wallet_id', 'decided_height'])
    .where('blockchain_id', '=', blockchainId)
    .where('state', '=', 'failed')
    .where('decided_height', '>', BigInt(toHeight))
    .execute()
  return rows.map((row) => ({ walletId: row.wallet_id, height: Number(row.decided_height) }))
}

/** Stores the block that holds an attempt of an undecided send; false when the send is decided or another attempt is mined. */
export async function updateMined(ctx: Context, sendId: bigint, txId: string, mined: MinedAttempt): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    UPDATE send_attempts AS attempt
    SET height = ${mined.height}, block_hash = ${mined.blockHash}, is_success = ${mined.failure === null},
      failure_code = ${mined.failure}, fee_units = ${mined.feeUnits}, last_seen_at = ${ctx.now()}, refusal = NULL,
      first_sent_at = coalesce(first_sent_at, ${ctx.now()})
    FROM sends AS send
    WHERE send.id = attempt.send_id AND attempt.send_id = ${sendId} AND attempt.tx_id = ${txId}
      AND send.decided_at IS NULL AND NOT EXISTS (
        SELECT FROM send_attempts AS other WHERE other.send_id = ${sendId} AND other.height IS NOT NULL)`.execute(
    ctx.db,
  )
  return numAffectedRows === 1n
}

/** Notes what nodes answered to an attempt: one took or knows it (`refusal` null), or none did. */
export async function updateAnswer(ctx: Context, sendId: bigint, n: number, refusal: string | null): Promise<void> {
  const now = ctx.now()
  await tables(ctx)
    .updateTable('send_attempts')
    .set((eb) =>
      refusal === null
        ? { refusal, last_seen_at: now, first_sent_at: eb.fn.coalesce('first_sent_at', sql<Date>`${now}::timestamptz`) }
        : { refusal },
    )
    .where('send_id', '=', sendId)
    .where('n', '=', n)
    .execute()
}

/** Marks a send as stuck; false when it is already, or is decided. */
export async function updateStuck(ctx: Context, id: bigint): Promise<boolean> {
  const row = await tables(ctx)
    .updateTable('sends')
    .set({ stuck_at: ctx.now() })
    .where('id', '=', id)
    .where('stuck_at', 'is', null)
    .where('decided_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Ends that a send is stuck; false when it was not. */
export async function updateUnstuck(ctx: Context, id: bigint): Promise<boolean> {
  const row = await tables(ctx)
    .updateTable('sends')
    .set({ stuck_at: null })
    .where('id', '=', id)
    .where('stuck_at', 'is not', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Locks an undecided send; undefined when it is decided. */
export async function lockOpenSend(ctx: Context, id: bigint): Promise<Send | undefined> {
  const row = await tables(ctx)
    .selectFrom('sends')
    .selectAll()
    .where('id', '=', id)
    .where('decided_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row && fromRow(row)
}
