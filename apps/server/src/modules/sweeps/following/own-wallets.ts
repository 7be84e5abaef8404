import type { ChainSession } from '@kassa/chains/adapter.ts'
import { NodeRejected, RetryableRpcError } from '@kassa/chains/errors.ts'
import type { SentSweep, SweepVaultsOf } from '@kassa/chains/sweep-vaults.ts'
import type { Chain } from '@kassa/chains/adapter.ts'
import { confirmationsIn } from '@kassa/primitives/chains/blockchains.ts'

import { type Context, inTransaction } from '../../../context.ts'
import { continueOnError } from '../../../jobs/continue-on-error.ts'
import { adapterOf, type BlockchainRow, findBlockchain } from '../../blockchains/chains/service.ts'
import { openSession } from '../../blockchains/nodes/service.ts'
import { lockMoney } from '../../deposits/service.ts'
import { findBranchState, isBeyondReturn, isFinalDepth, readPosition } from '../../sends/service.ts'
import { hintSweep } from '../record/announce.ts'
import { raiseFailed } from '../record/alarms.ts'
import { cancelSweep, failSweep, isUnderWay, noteError, type SweepRow } from '../record/service.ts'
import { lockSweep, updateSweep } from '../record/store.ts'
import { concludeSweep, recordFound } from '../settlement/service.ts'
import { isHandedOut } from './rules.ts'
import { deleteTransaction, listOfOwnWallets, updateTransaction } from './store.ts'

/** A transaction of an operator's wallet, as it is asked about. */
type Asked = {
  readonly ctx: Context
  readonly row: BlockchainRow
  readonly session: ChainSession
  readonly vaults: SweepVaultsOf<Chain, ChainSession>
}

/**
 * Works once on the sweeps that operators' wallets send: it looks up what was recorded and compares it with the plan, decides
 * what a final block holds, and abandons sweeps that no node has shown in time. Harmless to repeat. A sweep that fails does not stop
 * the others; its error is thrown at the end.
 */
export async function followOwnWallets(ctx: Context): Promise<void> {
  const { attempt, end } = continueOnError(ctx)
  const sweeps = await listOfOwnWallets(ctx)
  for (const [blockchainId, own] of Map.groupBy(sweeps, (sweep) => sweep.blockchain_id)) {
    const row = await findBlockchain(ctx, blockchainId)
    const vaults = row && adapterOf(row.definition.family)?.vaults
    const session = vaults && (await sessionOf(ctx, blockchainId))
    for (const sweep of own) {
      await attempt({ sweepId: String(sweep.id) }, async () => {
        if (sweep.tx_id === null) await abandon(ctx, sweep.id)
        else if (row && vaults && session) await lookUp({ ctx, row, vaults, session }, sweep, sweep.tx_id)
      })
    }
  }
  end()
}

async function sessionOf(ctx: Context, blockchainId: number): Promise<ChainSession | null> {
  return openSession(ctx, blockchainId).catch((error: unknown) => {
    if (error instanceof RetryableRpcError || error instanceof NodeRejected) return null
    throw error
  })
}

async function lookUp(asked: Asked, sweep: SweepRow, txId: string): Promise<void> {
  const { ctx, session, vaults } = asked
  let sent: SentSweep
  try {
    sent = await vaults.sent(session, txId)
  } catch (error) {
    if (!(error instanceof RetryableRpcError) && !(error instanceof NodeRejected)) throw error
    ctx.log.warn({ err: error, txId }, 'a node did not say what became of a sweep')
    return
  }
  if (sent.state === 'unknown') return abandon(ctx, sweep.id)
  if (!isOfSweep(vaults, sweep, sent)) return refuse(ctx, sweep.id, txId)
  await inTransaction(ctx, async (tx) => {
    await lockMoney(tx, sweep.blockchain_id)
    const before = await lockSweep(tx, sweep.id)
    if (before?.tx_id !== txId) return
    await updateTransaction(tx, before, txId, { from_address: sent.from, sequence: sent.sequence })
    if (before.status === 'sweep-initiated') await recordFound(tx, before, txId)
    if (sent.state !== 'dropped') await noteSeen(tx, before)
  })
  if (sent.state === 'dropped') await abandon(ctx, sweep.id)
  if (sent.state === 'included') await decide(asked, sweep.id, txId, sent)
}

/** How long a node may not know a transaction that it knew before, until the addresses of the sweep are free again. */
const UNSEEN_MS = 30 * 60_000

/** The time of the last sighting is written at most this often. */
const NOTED_MS = 60_000

async function noteSeen(tx: Context, { id, expires_at }: SweepRow): Promise<void> {
  const until = tx.now().getTime() + UNSEEN_MS
  if (expires_at === null || until - expires_at.getTime() >= NOTED_MS) {
    await updateSweep(tx, id, { expires_at: new Date(until) })
  }
}

/** Whether a transaction is the one that was handed out for a sweep. */
export function isOfSweep(
  vaults: Pick<SweepVaultsOf<Chain, ChainSession>, 'decode'>,
  { call_data, vault }: Pick<SweepRow, 'call_data' | 'vault'>,
  sent: Exclude<SentSweep, { state: 'unknown' }>,
): boolean {
  const call = call_data === null ? null : vaults.decode(call_data)
  if (call === null || !('items' in call)) return false
  return isHandedOut({ to: sent.to, value: sent.value, call: vaults.decode(sent.data) }, { vault, call })
}

/** Abandons a sweep whose transaction no node has shown in time; the chain may still show it later. */
async function abandon(ctx: Context, id: bigint): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const before = await lockSweep(tx, id)
    if (!before || !isUnderWay(before) || before.expires_at === null || before.expires_at > tx.now()) return
    const { tx_id: txHash } = before
    await cancelSweep(tx, before, txHash === null ? null : { code: 'TRANSACTION_NOT_SEEN', params: { txHash } })
  })
}

/** The hash belongs to another transaction: the sweep waits for its own again. */
async function refuse(ctx: Context, id: bigint, txId: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const before = await lockSweep(tx, id)
    if (before?.tx_id !== txId || before.status !== 'sweep-initiated') return
    await deleteTransaction(tx, before, txId)
    await updateSweep(tx, id, { tx_id: null })
    await noteError(tx, before, { code: 'TRANSACTION_MISMATCH', params: { txHash: txId } })
    hintSweep(tx, id)
  })
}

type Included = Extract<SentSweep, { state: 'included' }>

/** Books what a final block shows: each address is settled by its transfer; a failed transaction has moved nothing. */
async function decide({ ctx, row }: Asked, id: bigint, txId: string, sent: Included): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const position = await readPosition(tx, row.id, 'lock')
    if (!position) return
    const place = await findBranchState(tx, row.id, { height: sent.height, hash: sent.blockHash })
    if (place !== 'ours' && place !== 'gone') return
    const isFinal = sent.isSuccess
      ? isFinalDepth(sent.height, position, row.minConfirmations)
      : isBeyondReturn(sent.height, position, confirmationsIn(ctx.config.network, row.definition))
    const before = isFinal ? await lockSweep(tx, id) : undefined
    if (before?.tx_id !== txId || before.final_height !== null || before.status !== 'broadcast') return
    await updateTransaction(tx, before, txId, {
      state: sent.isSuccess ? 'mined' : 'failed',
      block_number: sent.height,
    })
    if (sent.isSuccess) {
      await updateSweep(tx, id, { final_height: sent.height })
      await concludeSweep(tx, id)
      return
    }
    const reason = 'The chain executed it and undid it.'
    const failed = await failSweep(tx, before, {
      cause: { code: 'TRANSACTION_FAILED', params: { txHash: txId, reason } },
    })
    await raiseFailed(tx, failed)
  })
}
