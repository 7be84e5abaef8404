import type { ChainAdapter, ChainSession, TxFacts } from '@kassa/chains/adapter.ts'

import { type Context, inTransaction } from '../../../context.ts'
import { continueOnError } from '../../../jobs/continue-on-error.ts'
import { adapterOf, type BlockchainRow, findBlockchain } from '../../blockchains/chains/service.ts'
import { findBranchState, isFinalDepth, readPosition } from '../../sends/service.ts'
import { updateTransaction } from '../following/service.ts'
import { isNodesFault, type Psbts, sessionOf } from '../planner/service.ts'
import { raiseFailed } from '../record/alarms.ts'
import { announceSweep, hintSweep } from '../record/announce.ts'
import { listInputs, listPsbts } from '../record/outputs-store.ts'
import { cancelSweep, failSweep, type PsbtRow } from '../record/service.ts'
import { lockSweep, moveSweep, updateSweep } from '../record/store.ts'
import { concludeSweep } from '../settlement/service.ts'
import { endRefused, isEndUsable } from './ends.ts'
import { areCoinsGone, listUnderWay, listObsoleteBatches, listWaiting, type UnderWay } from './store.ts'

type Asked = {
  readonly ctx: Context
  readonly row: BlockchainRow
  readonly adapter: ChainAdapter
  readonly psbts: Psbts
  readonly session: ChainSession
}

const GONE = { code: 'DEPOSIT_GONE', params: {} } as const

/**
 * Works once on the sweeps that devices sign: it gives nodes what was signed until one of them knows it, decides what a final
 * block holds, and abandons batches whose coins are spent or whose cold wallet may receive nothing any more. Harmless to repeat,
 * because every transaction of a sweep spends the same outputs. A batch that fails does not stop the others; its error is thrown
 * at the end.
 */
export async function followDevices(ctx: Context): Promise<void> {
  const { attempt, end } = continueOnError(ctx)
  for (const id of await listObsoleteBatches(ctx)) {
    await attempt({ sweepId: String(id) }, () =>
      inTransaction(ctx, async (tx) => {
        const row = await lockSweep(tx, id)
        if (row?.status === 'planned') await cancelSweep(tx, row, GONE)
        hintSweep(tx, id)
      }),
    )
  }
  for (const id of await listWaiting(ctx)) await attempt({ sweepId: String(id) }, () => abandonRefused(ctx, id))
  const sweeps = await listUnderWay(ctx)
  for (const [blockchainId, own] of Map.groupBy(sweeps, ({ blockchain_id }) => blockchain_id)) {
    const row = await findBlockchain(ctx, blockchainId)
    const adapter = row && adapterOf(row.definition.family)
    const session = adapter?.psbts ? await sessionOf(ctx, blockchainId) : null
    if (!row || !adapter?.psbts || !session) continue
    const asked = { ctx, row, adapter, psbts: adapter.psbts, session }
    for (const sweep of own) await attempt({ sweepId: String(sweep.id) }, () => followOne(asked, sweep))
  }
  end()
}

/** Abandons a batch whose cold wallet was deactivated: devices no longer see it. */
async function abandonRefused(ctx: Context, id: bigint): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const row = await lockSweep(tx, id)
    if (row?.status !== 'planned' || (await isEndUsable(tx, row))) return
    await cancelSweep(tx, row, endRefused(row))
    hintSweep(tx, id)
  })
}

async function followOne(asked: Asked, { id, tx_id: known }: UnderWay): Promise<void> {
  const { ctx, adapter, session } = asked
  // Of a transaction that its wallet broadcast itself, only the id is known.
  const signed = (await listPsbts(ctx, id)).filter(({ raw, tx_id }) => raw !== null || tx_id === known)
  try {
    const seen: { readonly psbt: PsbtRow; readonly facts: TxFacts }[] = []
    for (const psbt of signed) seen.push({ psbt, facts: await adapter.reader.transaction(session, psbt.tx_id) })
    const mined = seen.find(({ facts }) => facts.state === 'included')
    if (mined) return await decide(asked, id, mined.psbt, mined.facts)
    const [newest] = seen
    if (!newest) return
    if (newest.facts.state === 'pending') await noteBroadcast(ctx, id, newest.psbt.tx_id)
    else
      await broadcastStored(
        asked,
        id,
        newest.psbt,
        seen.some(({ facts }) => facts.state === 'pending'),
      )
  } catch (error) {
    if (!isNodesFault(error)) throw error
    ctx.log.warn({ err: error, sweepId: String(id) }, 'a node did not say what became of a sweep')
  }
}

/**
 * Gives a node the stored bytes. A rejected transaction may still be mined, unless its coins are spent. A batch without bytes was
 * sent by its wallet alone, which may have replaced it by another transaction: then the node says what became of its coins.
 */
async function broadcastStored(
  { ctx, psbts, session }: Asked,
  id: bigint,
  psbt: PsbtRow,
  isOlderKnown: boolean,
): Promise<void> {
  if (psbt.raw === null) {
    const outputs = (await listInputs(ctx, id)).map(({ tx_id: txId, vout }) => ({ txId, vout }))
    const isSpent = !isOlderKnown && (await psbts.unspent(session, outputs)).includes(false)
    return isSpent ? failGone(ctx, id, psbt) : undefined
  }
  const answer = await psbts.broadcast(session, { txId: psbt.tx_id, raw: psbt.raw })
  if (answer === 'accepted' || answer === 'known') return noteBroadcast(ctx, id, psbt.tx_id)
  ctx.log.warn({ sweepId: String(id), txId: psbt.tx_id, answer }, 'a node did not take a sweep')
  if (answer.code === 'gone' && !isOlderKnown) await failGone(ctx, id, psbt)
}

/** Fails a sweep whose coins were spent elsewhere in a final block. */
async function failGone(ctx: Context, id: bigint, psbt: PsbtRow): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const before = await lockSweep(tx, id)
    if (
      !before ||
      before.final_height !== null ||
      (before.status !== 'sweep-initiated' && before.status !== 'broadcast') ||
      !(await areCoinsGone(tx, id))
    )
      return
    const failed = await failSweep(tx, before, { cause: GONE, tx_id: psbt.tx_id })
    await updateTransaction(tx, before, psbt.tx_id, { state: 'failed' })
    await raiseFailed(tx, failed)
  })
}

async function noteBroadcast(ctx: Context, id: bigint, txId: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const row = await moveSweep(tx, id, 'broadcast', { tx_id: txId, wait_code: null, wait_params: null })
    if (!row) return
    await announceSweep(tx, row, 'broadcast')
    hintSweep(tx, id)
  })
}

/** A final block holds the transaction. Each address is settled by its transfer, which the watcher books. */
async function decide({ ctx, row }: Asked, id: bigint, psbt: PsbtRow, facts: TxFacts): Promise<void> {
  if (facts.state !== 'included') return
  const { height, hash } = facts.block
  await noteBroadcast(ctx, id, psbt.tx_id)
  await inTransaction(ctx, async (tx) => {
    const position = await readPosition(tx, row.id, 'lock')
    if (!position || (await findBranchState(tx, row.id, { height, hash })) !== 'ours') return
    if (!isFinalDepth(height, position, row.minConfirmations)) return
    const before = await lockSweep(tx, id)
    if (before?.status !== 'broadcast' || before.final_height !== null) return
    await updateTransaction(tx, before, psbt.tx_id, { state: 'mined', block_number: height })
    await updateSweep(tx, id, { tx_id: psbt.tx_id, final_height: height, fee_units: psbt.fee_units })
    await concludeSweep(tx, id)
  })
}
