import { randomBytes } from 'node:crypto'

import type { ChainAdapter } from '@kassa/chains/adapter.ts'
import { storableText } from '@kassa/chains/node/storable-text.ts'

import type { Context } from '../../../context.ts'
import { raiseAlarm } from '../../alarms/service.ts'
import { type BlockchainRow, listAssets } from '../../blockchains/chains/service.ts'
import { pollSession } from '../../blockchains/nodes/service.ts'
import { type NodeConnection, openConnection } from './node-connection.ts'
import { NodeForked } from '../blocks/finality.ts'
import type { FollowerState, Follower } from './follower.ts'
import { resumeByOperator, halt } from './halt-chain.ts'
import type { KnownAddresses } from '../matching/known-addresses.ts'
import { StallTimeout, watchdog } from './watchdog.ts'
import { startPeriodicTasks } from './periodic-tasks.ts'
import { backoffMs, pollEveryMs } from './rules.ts'
import { LostLeadership, raiseEpoch, updateState } from '../blocks/cursor-store.ts'
import { pollChain } from './poll-chain.ts'

/** Failures in a row before the chain is shown as behind: one slow answer is normal. */
const SHOWN_AFTER = 3

/** Blocks per transaction to begin with. */
const FIRST_SPAN = 25

/** Follows one blockchain as its leader until the signal aborts, another leader takes over, or reading halts. */
export async function followChain(
  ctx: Context,
  { row, adapter, known }: { row: BlockchainRow; adapter: ChainAdapter; known: KnownAddresses },
  signal: AbortSignal,
): Promise<void> {
  const holder = `${process.pid}-${randomBytes(4).toString('hex')}`
  const assets = (await listAssets(ctx)).filter((asset) => asset.blockchainId === row.id)
  const follower: Follower = {
    ctx,
    row,
    adapter,
    known,
    assets: new Set(assets.map(({ id }) => id)),
    holder,
  }
  const progress: FollowerState = { cursor: await raiseEpoch(ctx, row.id, holder), span: FIRST_SPAN, failedReads: 0 }
  if (!(await resumeByOperator(follower, progress))) return
  const tasks = startPeriodicTasks(follower, progress)
  try {
    await pollUntilStopped(follower, progress, tasks.start, signal)
  } finally {
    await tasks.done()
  }
}

async function pollUntilStopped(
  follower: Follower,
  progress: FollowerState,
  startTasks: ReturnType<typeof startPeriodicTasks>['start'],
  signal: AbortSignal,
): Promise<void> {
  const { ctx, row } = follower
  const poll = pollEveryMs(row.definition.blockSeconds, ctx.config.network === 'sandbox')
  const { renew, wait } = watchdog()
  const connection = openConnection(follower, signal, renew)
  let failures = 0
  while (!signal.aborted) {
    try {
      const node = await connection.open()
      const result = await wait(signal, (pollSignal) =>
        pollChain(follower, pollSession(ctx, row, node, pollSignal), progress),
      )
      if (result.kind === 'halted') return await halt(follower, progress, result.why)
      failures = 0
      startTasks(pollSession(ctx, row, node, signal))
      if (result.kind === 'idle') await ctx.sleep(poll, signal)
    } catch (error) {
      if (signal.aborted || error instanceof LostLeadership) return
      failures += 1
      if (error instanceof StallTimeout) progress.span = 1
      await markNode(follower, connection, error)
      await noteFailure(follower, progress, failures, error)
      await ctx.sleep(backoffMs(failures), signal)
    }
  }
}

/** Marks the node of a failed poll: not when the database failed; for good when the node is on another branch. */
async function markNode({ ctx, row }: Follower, connection: NodeConnection, error: unknown): Promise<void> {
  if (isFromDatabase(error)) return
  connection.fail()
  if (!(error instanceof NodeForked)) return
  connection.refuse(error.nodeId)
  const params = { case: 'replaced_final', node: error.label, height: error.height } as const
  await raiseAlarm(ctx, { kind: 'node_forked', subject: row.code, params }).catch((failure: unknown) =>
    ctx.log.warn({ err: failure }, 'an alarm could not be raised'),
  )
}

/**
 * Whether PostgreSQL failed, which says nothing about the node. Two chains that credit the same customers at once may deadlock:
 * one is rolled back, and its poll is repeated.
 */
function isFromDatabase(error: unknown): boolean {
  return error instanceof Error && 'severity' in error
}

async function noteFailure(
  { ctx, row }: Follower,
  progress: FollowerState,
  failures: number,
  error: unknown,
): Promise<void> {
  ctx.log.warn({ blockchain: row.code, failures, err: error }, 'a poll failed')
  if (failures !== SHOWN_AFTER || !progress.cursor) return
  const text = storableText(error instanceof Error ? error.message : String(error))
  await updateState(ctx, progress.cursor, { state: 'behind', cause: { code: 'read_failed', params: { error: text } } })
    .then(() => (progress.cursor = progress.cursor && { ...progress.cursor, state: 'behind' }))
    .catch((failure: unknown) => ctx.log.warn({ err: failure }, 'the cause could not be stored'))
}
