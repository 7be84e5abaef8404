import { adapterOf } from '@kassa/chains/adapters.ts'
import { BLOCKS_ONLY, chainIn, sessionAlone } from '@kassa/chains/chain.ts'
import { type AlarmParams, outvotedText } from '@kassa/contract/alarms/catalogue.ts'

import { type Context, inTransaction } from '../../../context.ts'
import { clearAlarm, raiseAlarm } from '../../alarms/service.ts'
import { type FinalAnswer, findForked, operatorOf } from './choose-node-rules.ts'
import { forgetClient, type PooledNode } from './pool.ts'
import { updateForked } from './store.ts'
import { PROBE_WITHIN_MS } from './probe-node.ts'
import type { BlockchainRow } from '../chains/rows.ts'

/**
 * Compares the hashes that the nodes of a blockchain report at a height that is final for all of them. A node that most
 * contradict is marked as forked until an operator checks it; without a majority an alarm is raised and all nodes stay
 * usable.
 */
export async function compareFinals(
  ctx: Context,
  row: BlockchainRow,
  nodes: readonly PooledNode[],
  signal: AbortSignal,
): Promise<void> {
  const asked = nodes.filter(
    ({ clients, health, finalHeight, row: { forked } }) =>
      clients && health.failuresInRow === 0 && finalHeight >= 0 && forked === null,
  )
  const height = Math.min(...asked.map(({ finalHeight }) => finalHeight))
  if (asked.length < 2) return
  const answers = await finalAnswers(ctx, row, asked, height, signal)
  const { forked, isSplit } = findForked(answers)
  const majority = answers.find(({ id }) => !forked.includes(id))
  for (const node of asked) {
    const answer = answers.find(({ id }) => id === node.row.id)
    if (forked.includes(node.row.id)) await markForked(ctx, row, node, { height, answer, majority })
  }
  const alarm = { kind: 'node_forked' as const, subject: row.code }
  if (isSplit) await raiseAlarm(ctx, { ...alarm, params: noMajority(row, nodes, height, answers) })
  else if (answers.length > 1) await clearAlarm(ctx, alarm)
}

async function finalAnswers(
  ctx: Context,
  row: BlockchainRow,
  nodes: readonly PooledNode[],
  height: number,
  signal: AbortSignal,
): Promise<FinalAnswer[]> {
  const reader = adapterOf(row.definition.family)?.reader
  const chain = chainIn(ctx.config.network, row.definition)
  const within = AbortSignal.any([signal, AbortSignal.timeout(PROBE_WITHIN_MS)])
  const answers = await Promise.all(
    nodes.map(async ({ clients, row: node }): Promise<FinalAnswer[]> => {
      if (!clients || !reader) return []
      const session = sessionAlone(chain, clients.head, within)
      const facts = await reader.blocks(session, { from: height, to: height }, BLOCKS_ONLY).catch(() => [])
      return facts.map(({ block }) => ({ id: node.id, operator: operatorOf(node.url), hash: block.hash }))
    }),
  )
  return answers.flat()
}

type Difference = {
  readonly height: number
  readonly answer: FinalAnswer | undefined
  readonly majority: FinalAnswer | undefined
}

async function markForked(
  ctx: Context,
  { code }: BlockchainRow,
  node: PooledNode,
  { height, answer, majority }: Difference,
): Promise<void> {
  const host = new URL(node.row.url).host
  const difference = { height, hash: answer?.hash ?? '', majorityHash: majority?.hash ?? '' }
  const why = outvotedText(difference)
  await inTransaction(ctx, async (tx) => {
    if (!(await updateForked(tx, node.row.id, why))) return
    const params = { case: 'outvoted', blockchainCode: code, node: host, ...difference } as const
    await raiseAlarm(tx, { kind: 'node_forked', subject: forkSubject(code, node.row), params })
  })
  node.row = { ...node.row, forked: why }
  forgetClient(node)
}

/** The subject of an alarm about a single node. */
export function forkSubject(code: string, { id, url }: { readonly id: number; readonly url: string }): string {
  return `${code} node ${id} ${new URL(url).host}`
}

function noMajority(
  { code: blockchainCode }: BlockchainRow,
  nodes: readonly PooledNode[],
  height: number,
  answers: readonly FinalAnswer[],
): AlarmParams<'node_forked'> {
  const hosts = new Map(nodes.map(({ row }) => [row.id, new URL(row.url).host]))
  const reports = answers.map(({ id, hash }) => ({ node: hosts.get(id) ?? '', hash }))
  return { case: 'no_majority', blockchainCode, height, answers: reports }
}
