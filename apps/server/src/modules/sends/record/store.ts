import type { SignedTx, UnsignedTx } from '@kassa/chains/adapter.ts'
import { sendMachine, UNDECIDED_STATES } from '@kassa/contract/sends/machine.ts'
import { readCause } from '@kassa/contract/kit/reason.ts'
import { SEND_FAILURES } from '@kassa/contract/sends/reasons.ts'
import { type Selectable, sql } from 'kysely'

import type { Context } from '../../../context.ts'
import type { Attempt, MinedAttempt, Send, SendItem } from './send.ts'
import type { SendReads, SendTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<SendTables & SendReads>()

/** First key of the advisory lock for signing with a wallet: the letters "KS" (Kassa signer); the second is the wallet. */
const SIGNER_LOCK = 0x4b53

/** The key of a hot wallet in one family of chains, for signing. */
export type HotKey = {
  readonly walletId: number
  readonly address: string
  readonly secretId: number
  readonly status: string
}

/** Finds the key of a hot wallet in a family. */
export async function findHotKey(ctx: Context, walletId: number, familyId: number): Promise<HotKey | undefined> {
  return tables(ctx)
    .selectFrom('hot_keys')
    .innerJoin('wallets', 'wallets.id', 'hot_keys.wallet_id')
    .select(['wallets.id as walletId', 'hot_keys.address', 'hot_keys.secret_id as secretId', 'wallets.status'])
    .where('hot_keys.wallet_id', '=', walletId)
    .where('hot_keys.family_id', '=', familyId)
    .executeTakeFirst()
}

/** Waits until no other transaction signs for a wallet; the lock ends with the open transaction (D-6). */
export async function lockSigner(ctx: Context, walletId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${SIGNER_LOCK}, ${walletId})`.execute(ctx.db)
  await tables(ctx).selectFrom('wallets').select('id').where('id', '=', walletId).forNoKeyUpdate().executeTakeFirst()
}

/** What was signed for a wallet on a blockchain, and whether it may sign. */
export type SignerFacts = {
  readonly highest: bigint | null
  readonly highestDecided: bigint | null
  readonly inFlight: number
  readonly first: bigint
  readonly isLocked: boolean
}

/** Reads what was signed for a wallet on a blockchain. */
export async function readSigner(ctx: Context, walletId: number, blockchainId: number): Promise<SignerFacts> {
  const { rows } = await sql<{
    highest: string | null
    decided: string | null
    in_flight: number
    first: string | null
    lock: string | null
  }>`
    SELECT max(send.sequence) AS highest,
      max(send.sequence) FILTER (WHERE attempt.height IS NOT NULL AND send.decided_at IS NOT NULL) AS decided,
      count(DISTINCT send.id) FILTER (WHERE send.state = ANY(${UNDECIDED_STATES}::text[]) AND NOT EXISTS (
        SELECT FROM send_attempts AS mined WHERE mined.send_id = send.id AND mined.height IS NOT NULL))::int AS in_flight,
      max(wallet.first_sequence) AS first, max(wallet.lock_code) AS lock
    FROM (SELECT ${walletId}::int AS wallet_id, ${blockchainId}::int AS blockchain_id) AS asked
    LEFT JOIN sends AS send USING (wallet_id, blockchain_id)
    LEFT JOIN send_attempts AS attempt ON attempt.send_id = send.id AND attempt.n = send.decided_attempt
    LEFT JOIN send_wallets AS wallet USING (wallet_id, blockchain_id)`.execute(ctx.db)
  const row = rows[0]
  return {
    highest: row?.highest ? BigInt(row.highest) : null,
    highestDecided: row?.decided ? BigInt(row.decided) : null,
    inFlight: row?.in_flight ?? 0,
    first: BigInt(row?.first ?? 0),
    isLocked: typeof row?.lock === 'string',
  }
}

export type NewSend = Pick<
  Send,
  | 'walletId'
  | 'blockchainId'
  | 'purpose'
  | 'projectId'
  | 'from'
  | 'sequence'
  | 'assetId'
  | 'units'
  | 'to'
  | 'feeAssetId'
  | 'feeCeiling'
  | 'plannedHeight'
>

/**
 * Inserts a send as `initiated`, for its business row.
 * @throws the database's error when its sequence is taken or the business row is in a send already
 */
export async function insertSend(ctx: Context, send: NewSend, item: SendItem): Promise<Send> {
  const row = await tables(ctx)
    .insertInto('sends')
    .values({
      wallet_id: send.walletId,
      blockchain_id: send.blockchainId,
      purpose: send.purpose,
      project_id: send.projectId,
      from_address: send.from,
      sequence: send.sequence,
      asset_id: send.assetId,
      units: send.units,
      to_address: send.to,
      fee_asset_id: send.feeAssetId,
      fee_ceiling: send.feeCeiling,
      planned_height: send.plannedHeight,
      created_at: ctx.now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await tables(ctx)
    .insertInto('send_items')
    .values({
      send_id: row.id,
      ...('withdrawalId' in item && { withdrawal_id: item.withdrawalId }),
      ...('sweepId' in item && { sweep_id: item.sweepId }),
      ...('permissionId' in item && { permission_id: item.permissionId }),
    })
    .execute()
  await noteWallet(ctx, send.walletId, send.blockchainId)
  return fromRow(row)
}

/** From its first send on, a wallet is compared with the chain. */
async function noteWallet(ctx: Context, walletId: number, blockchainId: number): Promise<void> {
  await tables(ctx)
    .insertInto('send_wallets')
    .values({ wallet_id: walletId, blockchain_id: blockchainId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Inserts the bytes of an attempt. */
export async function insertAttempt(
  ctx: Context,
  sendId: bigint,
  n: number,
  { tx, signed }: { readonly tx: UnsignedTx; readonly signed: SignedTx },
): Promise<void> {
  await tables(ctx)
    .insertInto('send_attempts')
    .values({
      send_id: sendId,
      n,
      tx_id: signed.txId,
      raw: Buffer.from(signed.raw),
      body: JSON.stringify(tx.body),
      max_fee: tx.maxFee,
      valid_until: tx.validUntil,
      created_at: ctx.now(),
    })
    .execute()
}

/** Lists the attempts of sends, newest first. */
export async function listAttempts(ctx: Context, sendIds: readonly bigint[]): Promise<Attempt[]> {
  if (sendIds.length === 0) return []
  const rows = await tables(ctx)
    .selectFrom('send_attempts')
    .selectAll()
    .where('send_id', 'in', [...sendIds])
    .orderBy('send_id')
    .orderBy('n', 'desc')
    .execute()
  return rows.map(attemptFromRow)
}

/** Lists the business rows of sends, by send. */
export async function listItems(ctx: Context, sendIds: readonly bigint[]): Promise<Map<bigint, SendItem>> {
  if (sendIds.length === 0) return new Map()
  const rows = await tables(ctx)
    .selectFrom('send_items')
    .selectAll()
    .where('send_id', 'in', [...sendIds])
    .execute()
  return new Map(rows.map((row) => [row.send_id, itemFromRow(row)]))
}

type ItemRow = Pick<Selectable<SendTables['send_items']>, 'withdrawal_id' | 'sweep_id' | 'permission_id'>

/** The business row that a row of `send_items` names. @throws Error when it names none, which the database refuses */
export function itemFromRow({ withdrawal_id, sweep_id, permission_id }: ItemRow): SendItem {
  if (withdrawal_id !== null) return { withdrawalId: withdrawal_id }
  if (sweep_id !== null) return { sweepId: sweep_id }
  if (permission_id !== null) return { permissionId: permission_id }
  throw new Error('A send is for nothing')
}

/** A row as the rest of the module uses it. */
export function fromRow(row: Selectable<SendTables['sends']>): Send {
  return {
    id: row.id,
    walletId: row.wallet_id,
    blockchainId: row.blockchain_id,
    purpose: row.purpose,
    projectId: row.project_id,
    from: row.from_address,
    sequence: row.sequence === null ? null : BigInt(row.sequence),
    assetId: row.asset_id,
    units: BigInt(row.units),
    to: row.to_address,
    feeAssetId: row.fee_asset_id,
    feeCeiling: BigInt(row.fee_ceiling),
    ceilings: row.ceilings,
    state: row.state,
    decisions: row.decisions,
    decidedAttempt: row.decided_attempt,
    feeUnits: row.fee_units === null ? null : BigInt(row.fee_units),
    failure: row.failure_code === null ? null : readCause(SEND_FAILURES, row.failure_code, row.failure_params),
    plannedHeight: Number(row.planned_height),
    stuckAt: row.stuck_at,
    createdAt: row.created_at,
    sentAt: row.sent_at,
    decidedAt: row.decided_at,
  }
}

function attemptFromRow(row: Selectable<SendTables['send_attempts']>): Attempt {
  return {
    sendId: row.send_id,
    n: row.n,
    txId: row.tx_id,
    raw: row.raw,
    body: row.body,
    maxFee: BigInt(row.max_fee),
    validUntil: row.valid_until,
    createdAt: row.created_at,
    firstSentAt: row.first_sent_at,
    lastSeenAt: row.last_seen_at,
    refusal: row.refusal,
    mined: minedFromRow(row),
  }
}

function minedFromRow(row: Selectable<SendTables['send_attempts']>): MinedAttempt | null {
  if (row.height === null || row.block_hash === null || row.fee_units === null) return null
  return {
    height: Number(row.height),
    blockHash: row.block_hash,
    failure: row.failure_code === 'reverted' || row.failure_code === 'no_transfer' ? row.failure_code : null,
    feeUnits: BigInt(row.fee_units),
  }
}

/** The states that a verb leaves, as SQL compares them. */
export function statesBefore(verb: keyof typeof sendMachine.moves): string[] {
  return [...sendMachine.moves[verb].from]
}

/** Raises the fee ceiling of an undecided send; undefined when it is decided, or as high already. */
export async function updateCeiling(
  ctx: Context,
  id: bigint,
  ceiling: bigint,
): Promise<{ readonly send: Send; readonly added: bigint } | undefined> {
  const before = await tables(ctx)
    .selectFrom('sends')
    .select('fee_ceiling')
    .where('id', '=', id)
    .where('decided_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!before || BigInt(before.fee_ceiling) >= ceiling) return undefined
  const row = await tables(ctx)
    .updateTable('sends')
    .set((eb) => ({ fee_ceiling: ceiling, ceilings: eb('ceilings', '+', 1), stuck_at: null }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return { send: fromRow(row), added: ceiling - BigInt(before.fee_ceiling) }
}
