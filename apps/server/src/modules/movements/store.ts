import { movementMachine } from '@kassa/contract/movements/machine.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Context } from '../../context.ts'
import { recordset, rowsInto } from '../../db/recordset.ts'
import type { Intent, Movement, NewMovement, ObservedMove, Position, Side } from './movement.ts'
import type { MovementTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<MovementTables>()

/** Stores what a transaction is for; the first intent stays. */
export async function insertIntent(ctx: Context, { blockchainId, txId, kind, sendId, sweepId }: Intent): Promise<void> {
  await tables(ctx)
    .insertInto('movement_intents')
    .values({
      blockchain_id: blockchainId,
      tx_id: txId,
      kind,
      send_id: sendId,
      sweep_id: sweepId ?? null,
      created_at: ctx.now(),
    })
    .onConflict((conflict) => conflict.columns(['blockchain_id', 'tx_id']).doNothing())
    .execute()
}

/** Lists what these transactions are for, by their id; those without an intent are absent. */
export async function listIntents(
  ctx: Context,
  blockchainId: number,
  txIds: readonly string[],
): Promise<ReadonlyMap<string, Intent>> {
  const rows = await tables(ctx)
    .selectFrom('movement_intents')
    .selectAll()
    .where('blockchain_id', '=', blockchainId)
    .where('tx_id', '=', sql<string>`ANY(${txIds}::text[])`)
    .execute()
  return new Map(
    rows.map(({ tx_id: txId, kind, send_id: sendId, sweep_id: sweepId }) => [
      txId,
      { blockchainId, txId, kind, sendId, sweepId },
    ]),
  )
}

type Identity = { readonly txId: string; readonly leg: string }

/** One text per transfer; neither part contains a space. */
export function identityOf({ txId, leg }: Identity): string {
  return `${txId} ${leg}`
}

/** Which of these transfers are live movements already, by `identityOf`. */
export async function listAlive(
  ctx: Context,
  blockchainId: number,
  moves: readonly ObservedMove[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ tx_id: string; leg: string }>`
    SELECT movement.tx_id, movement.leg FROM unnest(
      ${moves.map(({ transfer }) => transfer.txId)}::text[], ${moves.map(({ transfer }) => transfer.leg)}::text[]
    ) AS reported (tx_id, leg)
    JOIN movements AS movement USING (tx_id, leg)
    WHERE movement.blockchain_id = ${blockchainId} AND movement.status <> 'reverted'`.execute(ctx.db)
  return new Set(rows.map(({ tx_id: txId, leg }) => identityOf({ txId, leg })))
}

/** Inserts movements as `seen`, in the order given; skips those that the database holds already, live or of the same block. */
export async function insertMovements(ctx: Context, movements: readonly NewMovement[]): Promise<Movement[]> {
  const now = ctx.now()
  const { rows } = await sql<Row>`
    INSERT INTO ${rowsInto(
      'movements',
      movements.map((movement) => newRow(movement, now)),
    )}
    ON CONFLICT DO NOTHING RETURNING *, ${PROJECTS}`.execute(ctx.db)
  return rows.map(fromRow)
}

function newRow({ transfer, from, to, ...movement }: NewMovement, now: Date) {
  return {
    blockchain_id: movement.blockchainId,
    asset_id: transfer.assetId,
    from_address: transfer.senders[0] ?? null,
    to_address: transfer.to,
    from_role: from?.role ?? null,
    to_role: to?.role ?? null,
    from_address_id: from?.addressId ?? null,
    to_address_id: to?.addressId ?? null,
    from_wallet_id: from?.walletId ?? null,
    to_wallet_id: to?.walletId ?? null,
    tx_id: transfer.txId,
    leg: transfer.leg,
    evidence: transfer.evidence,
    units: transfer.units,
    fee_units: transfer.fee ?? 0n,
    height: transfer.block.height,
    block_hash: transfer.block.hash,
    block_time: transfer.block.minedAt,
    seen_at: now,
    ...decided({ transfer, from, to, ...movement }),
  }
}

function decided({ kind, sendId, sweepId, confirmationsRequired, rule }: NewMovement) {
  return { kind, send_id: sendId, sweep_id: sweepId, confirmations_required: confirmationsRequired, rule }
}

/** Moves movements that a reorganisation reverted, and that are in the same block again, back to `seen` under the next revision. */
export async function moveSeenAgain(ctx: Context, movements: readonly NewMovement[]): Promise<Movement[]> {
  const { to, from } = movementMachine.moves.seeAgain
  const rows = movements.map(({ blockchainId, transfer, ...rest }) => ({
    blockchain_id: blockchainId,
    block_hash: transfer.block.hash,
    tx_id: transfer.txId,
    leg: transfer.leg,
    ...decided({ blockchainId, transfer, ...rest }),
  }))
  const found = await sql<Row>`
    UPDATE movements AS movement SET
      status = ${to}, revision = movement.revision + 1, seen_at = ${ctx.now()}, final_at = NULL, reverted_at = NULL,
      kind = again.kind, send_id = again.send_id, sweep_id = again.sweep_id,
      confirmations_required = again.confirmations_required, rule = again.rule
    FROM ${recordset('movements', rows)} AS again
    WHERE movement.blockchain_id = again.blockchain_id AND movement.block_hash = again.block_hash
      AND movement.tx_id = again.tx_id AND movement.leg = again.leg AND movement.status = ANY(${from}::text[])
      AND NOT EXISTS (
        SELECT FROM movements AS alive WHERE alive.blockchain_id = again.blockchain_id AND alive.tx_id = again.tx_id
          AND alive.leg = again.leg AND alive.status <> 'reverted')
    RETURNING movement.*, ${PROJECTS_OF_MOVEMENT}`.execute(ctx.db)
  return found.rows.map(fromRow)
}

/** SQL condition: a movement has become final; the same rule as `isFinal` of deposits. */
function isFinal({ blockchainId, tip, finalized }: Position): RawBuilder<boolean> {
  return sql`movement.blockchain_id = ${blockchainId} AND movement.status = ${movementMachine.initial}
    AND (movement.height <= ${finalized}
      OR (movement.rule = 'depth' AND movement.height <= ${tip}::bigint - movement.confirmations_required + 1))`
}

/** Lists movements that have become final, lowest block first. */
export async function listFinal(ctx: Context, position: Position): Promise<Movement[]> {
  const { rows } = await sql<Row>`
    SELECT movement.*, ${PROJECTS_OF_MOVEMENT} FROM movements AS movement WHERE ${isFinal(position)} ORDER BY height, id`.execute(
    ctx.db,
  )
  return rows.map(fromRow)
}

/** Lists the wallets on either side of the movements that have become final, null for a side without one; empty when none has. */
export async function listMovingWallets(ctx: Context, position: Position): Promise<(number | null)[]> {
  const { rows } = await sql<{ id: number | null }>`
    SELECT DISTINCT unnest(ARRAY[from_wallet_id, to_wallet_id]) AS id FROM movements AS movement
    WHERE ${isFinal(position)}`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/** Moves movements to `final`. @throws Error when one of them was not waiting for it: the transaction must be rolled back */
export async function moveFinal(ctx: Context, ids: readonly bigint[]): Promise<void> {
  const { to, from } = movementMachine.moves.finalize
  const { numAffectedRows = 0n } = await sql`
    UPDATE movements SET status = ${to}, final_at = ${ctx.now()}
    WHERE id = ANY(${ids.map(String)}::bigint[]) AND status = ANY(${from}::text[])`.execute(ctx.db)
  if (numAffectedRows !== BigInt(ids.length)) throw new Error('A movement was made final by another transaction')
}

/** The wallets of live movements above a height. */
export async function listWalletsAbove(ctx: Context, blockchainId: number, height: number): Promise<number[]> {
  const { rows } = await sql<{ id: number | null }>`
    SELECT DISTINCT unnest(ARRAY[from_wallet_id, to_wallet_id]) AS id FROM movements
    WHERE blockchain_id = ${blockchainId} AND height > ${height} AND status <> 'reverted'`.execute(ctx.db)
  return rows.flatMap(({ id }) => id ?? [])
}

/** Moves every live movement above a height to `reverted`, newest block first, and clears what operators booked it as. */
export async function moveReverted(
  ctx: Context,
  { blockchainId, toHeight }: { blockchainId: number; toHeight: number },
): Promise<Movement[]> {
  const { to, from } = movementMachine.moves.revert
  const { rows } = await sql<Row>`
    UPDATE movements AS movement SET status = ${to}, reverted_at = ${ctx.now()}, booked_at = NULL, booked_note = NULL
    WHERE blockchain_id = ${blockchainId} AND height > ${toHeight} AND status = ANY(${from}::text[])
    RETURNING *, ${PROJECTS_OF_MOVEMENT}`.execute(ctx.db)
  return rows.map(fromRow).toSorted((a, b) => b.height - a.height || Number(b.id - a.id))
}

/** Counts the movements of a blockchain that are not final yet. */
export async function countSeen(ctx: Context, blockchainId: number): Promise<number> {
  const row = await tables(ctx)
    .selectFrom('movements')
    .select((eb) => eb.fn.countAll<bigint>().as('waiting'))
    .where('blockchain_id', '=', blockchainId)
    .where('status', '=', 'seen')
    .executeTakeFirstOrThrow()
  return Number(row.waiting)
}

/** The live spends of wallets without an intent that no operator has acknowledged; with `walletId`, of that one. */
export async function listUnacknowledged(
  ctx: Context,
  blockchainId: number,
  walletId: number | null,
): Promise<Movement[]> {
  const { rows } = await sql<Row>`
    SELECT movement.*, ${PROJECTS_OF_MOVEMENT} FROM movements AS movement
    WHERE kind = 'spent-outside' AND status <> 'reverted' AND acknowledged_at IS NULL AND blockchain_id = ${blockchainId}
      AND (${walletId}::int IS NULL OR from_wallet_id = ${walletId})
    ORDER BY id`.execute(ctx.db)
  return rows.map(fromRow)
}

/** Whether an address of a wallet holds less than it must, and no operator has said why (money.md 4.6). */
export async function isShort(ctx: Context, blockchainId: number, walletId: number): Promise<boolean> {
  const { rows } = await sql<{ short: boolean }>`
    SELECT EXISTS (
      SELECT FROM discrepancies AS discrepancy JOIN own_addresses AS own ON own.id = discrepancy.own_address_id
      WHERE own.wallet_id = ${walletId} AND discrepancy.blockchain_id = ${blockchainId} AND discrepancy.state = 'open'
        AND discrepancy.units < 0
    ) AS short`.execute(ctx.db)
  return rows[0]?.short ?? false
}

/** Notes that an operator has acknowledged every spend of a wallet without an intent. */
export async function updateAcknowledged(ctx: Context, blockchainId: number, walletId: number): Promise<void> {
  await sql`
    UPDATE movements SET acknowledged_at = ${ctx.now()}
    WHERE kind = 'spent-outside' AND blockchain_id = ${blockchainId} AND from_wallet_id = ${walletId}
      AND acknowledged_at IS NULL`.execute(ctx.db)
}

/** Assigns what a transaction moved to a collector to the sweep that it belongs to. */
export async function updateClaimed(
  ctx: Context,
  { blockchainId, txId, sweepId }: { readonly blockchainId: number; readonly txId: string; readonly sweepId: bigint },
): Promise<void> {
  await sql`
    UPDATE movements SET kind = 'sweep', sweep_id = ${sweepId}
    WHERE blockchain_id = ${blockchainId} AND tx_id = ${txId} AND kind = 'foreign-sweep' AND status = 'seen'`.execute(
    ctx.db,
  )
}

/** Takes movements out of a sweep that did not make them. */
export async function updateDisowned(ctx: Context, ids: readonly bigint[]): Promise<void> {
  await sql`
    UPDATE movements SET kind = 'foreign-sweep', sweep_id = NULL, send_id = NULL
    WHERE id = ANY(${ids.map(String)}::bigint[]) AND kind = 'sweep' AND status = 'seen'`.execute(ctx.db)
}

/** Lists the final movements of drawn deposits of an address that are not booked, oldest first. */
export async function listUnbooked(ctx: Context, assetId: number, addressId: bigint): Promise<Movement[]> {
  const { rows } = await sql<Row>`
    SELECT movement.*, ${PROJECTS_OF_MOVEMENT} FROM movements AS movement
    WHERE kind = 'deposit-drawn' AND status = 'final' AND booked_at IS NULL AND asset_id = ${assetId}
      AND from_address_id = ${addressId} AND from_address <> to_address
    ORDER BY height, id FOR UPDATE`.execute(ctx.db)
  return rows.map(fromRow)
}

/** Stores what an operator says a drawn deposit was; false when it is booked already. */
export async function updateBooked(ctx: Context, id: bigint, note: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    UPDATE movements SET booked_at = ${ctx.now()}, booked_note = ${note}
    WHERE id = ${id} AND kind = 'deposit-drawn' AND status = 'final' AND booked_at IS NULL`.execute(ctx.db)
  return numAffectedRows === 1n
}

/** A balance that rose on an address of a wallet, or fell on any address of ours, without a transaction that we know. */
export type BalanceMove = {
  /** Of the discrepancy that it ends. */
  readonly id: number
  readonly blockchainId: number
  readonly assetId: number
  readonly place: { readonly role: 'deposit' | 'hot' | 'cold'; readonly addressId: bigint | null }
  readonly walletId: number
  readonly address: string
  /** Negative where it fell. */
  readonly units: bigint
  readonly height: number
  readonly note: string
}

/** Inserts a movement that only a balance shows, final at once; the block's hash stands in the window of those we read. */
export async function insertBalanceMove(ctx: Context, move: BalanceMove): Promise<Movement> {
  const { role, addressId } = move.place
  const isRise = move.units > 0n
  const kind = isRise ? 'funded' : { deposit: 'deposit-drawn', hot: 'spent-outside', cold: 'drawn' }[role]
  const units = isRise ? move.units : -move.units
  const now = ctx.now()
  const { rows } = await sql<Row>`
    INSERT INTO movements (blockchain_id, asset_id, kind, from_address, to_address, from_role, to_role, from_address_id,
      from_wallet_id, to_wallet_id, tx_id, leg, evidence, units, height, block_hash, block_time, confirmations_required, rule,
      status, seen_at, final_at, booked_at, booked_note, acknowledged_at)
    SELECT ${move.blockchainId}, ${move.assetId}, ${kind}, ${isRise ? null : move.address}, ${isRise ? move.address : ''},
      ${isRise ? null : role}, ${isRise ? role : null}, ${isRise ? null : addressId}::bigint,
      ${isRise ? null : move.walletId}::int, ${isRise ? move.walletId : null}::int,
      ${move.address}, ${`booked:${move.id}`}, 'balance', ${String(units)}, ${move.height}, coalesce(block.hash, ''),
      coalesce(block.mined_at, ${now}), 1, 'depth', 'final', ${now}, ${now},
      ${kind === 'deposit-drawn' ? now : null}::timestamptz, ${kind === 'deposit-drawn' ? move.note : null}::text,
      ${kind === 'spent-outside' ? now : null}::timestamptz
    FROM (SELECT) AS one
    LEFT JOIN chain_blocks AS block ON block.blockchain_id = ${move.blockchainId} AND block.height = ${move.height}
    RETURNING *, ${PROJECTS}`.execute(ctx.db)
  const [row] = rows
  if (!row) throw new Error('The movement was not written')
  return fromRow(row)
}

/** Moves what was inserted for a discrepancy to `reverted`; nothing when a reorganisation did. */
export async function moveBalanceReverted(
  ctx: Context,
  { id, blockchainId }: Pick<BalanceMove, 'id' | 'blockchainId'>,
): Promise<Movement[]> {
  const { to, from } = movementMachine.moves.revert
  const { rows } = await sql<Row>`
    UPDATE movements AS movement SET status = ${to}, reverted_at = ${ctx.now()}
    WHERE blockchain_id = ${blockchainId} AND evidence = 'balance' AND leg = ${`booked:${id}`} AND status = ANY(${from}::text[])
    RETURNING *, ${PROJECTS_OF_MOVEMENT}`.execute(ctx.db)
  return rows.map(fromRow)
}

type Row = Selectable<MovementTables['movements']> & {
  readonly from_project_id: number | null
  readonly to_project_id: number | null
}

/** The projects of its deposit addresses. */
const PROJECTS = projectsOf('movements')

/** The same where the table has another name in the statement, or other rows have the same columns. */
const PROJECTS_OF_MOVEMENT = projectsOf('movement')

function projectsOf(table: string): RawBuilder<unknown> {
  const of = (column: string) => sql.ref(`${table}.${column}`)
  return sql`
    (SELECT project_id FROM addresses WHERE id = ${of('from_address_id')}) AS from_project_id,
    (SELECT project_id FROM addresses WHERE id = ${of('to_address_id')}) AS to_project_id`
}

function fromRow(row: Row): Movement {
  return {
    id: row.id,
    blockchainId: row.blockchain_id,
    assetId: row.asset_id,
    kind: row.kind,
    fromAddress: row.from_address,
    toAddress: row.to_address,
    from: sideOf(row.from_role, row.from_address_id, row.from_wallet_id, row.from_project_id),
    to: sideOf(row.to_role, row.to_address_id, row.to_wallet_id, row.to_project_id),
    sweepId: row.sweep_id,
    txId: row.tx_id,
    leg: row.leg,
    units: BigInt(row.units),
    fee: BigInt(row.fee_units),
    height: Number(row.height),
    status: row.status,
    revision: row.revision,
    bookedAt: row.booked_at,
  }
}

function sideOf(
  role: Row['from_role'],
  addressId: bigint | null,
  walletId: number | null,
  projectId: number | null,
): Side | null {
  if (role === null) return null
  if (role !== 'deposit') return { role, addressId: null, walletId, projectId: null }
  if (addressId === null || walletId === null) throw new Error('A movement of a deposit address names none')
  return { role, addressId, walletId, projectId }
}
