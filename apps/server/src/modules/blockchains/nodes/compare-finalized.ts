import { adapterOf } from '@kassa/chains/adapters.ts'
import { chainIn } from '@kassa/chains/chain.ts'

import { type Context, inTransaction } from '../../../context.ts'
import { clearAlarm, raiseAlarm } from '../../alarms/service.ts'
import { type FinalWord, findForked, operatorOf } from './choose-node-rules.ts'
import { forgetClient, type PooledNode } from './pool.ts'
import { updateForked } from './store.ts'
import { PROBE_WITHIN_MS } from './probe-node.ts'
import type { BlockchainRow } from '../chains/rows.ts'

/** Blocks alone, without looking at what is in them. */
const BLOCKS_ONLY = { assets: new Set<number>(), matches: () => false }

/**
 * Compares what the nodes of a blockchain say about a height that is final for all of them. One that most contradict is set
 * aside until a person looks; where nobody can say who is right, a person is called and the others stay.
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
  const words = await wordsOf(ctx, row, asked, height, signal)
  const { forked, isSplit } = findForked(words)
  const majority = words.find(({ id }) => !forked.includes(id))
  for (const node of asked) {
    const word = words.find(({ id }) => id === node.row.id)
    if (forked.includes(node.row.id)) await setAside(ctx, row, node, { height, word, majority })
  }
  const alarm = { kind: 'node_forked' as const, subject: row.code }
  if (isSplit) await raiseAlarm(ctx, { ...alarm, text: splitText(row, nodes, height, words) })
  else if (words.length > 1) await clearAlarm(ctx, alarm)
}

async function wordsOf(
  ctx: Context,
  row: BlockchainRow,
  nodes: readonly PooledNode[],
  height: number,
  signal: AbortSignal,
): Promise<FinalWord[]> {
  const reader = adapterOf(row.definition.family)?.reader
  const chain = chainIn(ctx.config.network, row.definition)
  const within = AbortSignal.any([signal, AbortSignal.timeout(PROBE_WITHIN_MS)])
  const words = await Promise.all(
    nodes.map(async ({ clients, row: node }): Promise<FinalWord[]> => {
      if (!clients || !reader) return []
      const asking = { chain, node: clients.head, signal: within }
      const facts = await reader.blocks(asking, { from: height, to: height }, BLOCKS_ONLY).catch(() => [])
      return facts.map(({ block }) => ({ id: node.id, operator: operatorOf(node.url), hash: block.hash }))
    }),
  )
  return words.flat()
}

type Difference = {
  readonly height: number
  readonly word: FinalWord | undefined
  readonly majority: FinalWord | undefined
}

async function setAside(
  ctx: Context,
  { code }: BlockchainRow,
  node: PooledNode,
  { height, word, majority }: Difference,
): Promise<void> {
  const host = new URL(node.row.url).host
  const why = `It serves another branch: block ${height} is ${word?.hash} there, ${majority?.hash} everywhere else.`
  await inTransaction(ctx, async (tx) => {
    if (!(await updateForked(tx, node.row.id, why))) return
    const text = `${host} (${code}) is not used any more. ${why} Find out why, then turn it on again or remove it.`
    await raiseAlarm(tx, { kind: 'node_forked', subject: forkSubject(code, node.row), text })
  })
  node.row = { ...node.row, forked: why }
  forgetClient(node)
}

/** What an alarm about a single node is filed under. */
export function forkSubject(code: string, { id, url }: { readonly id: number; readonly url: string }): string {
  return `${code} node ${id} ${new URL(url).host}`
}

function splitText(
  { code }: BlockchainRow,
  nodes: readonly PooledNode[],
  height: number,
  words: readonly FinalWord[],
): string {
  const hosts = new Map(nodes.map(({ row }) => [row.id, new URL(row.url).host]))
  const said = words.map(({ id, hash }) => `${hosts.get(id)} says ${hash}`).join(', ')
  return (
    `The nodes of ${code} disagree about block ${height}, which is final: ${said}. ` +
    'Compare with a public explorer and turn off the one that is wrong; a third node would settle it.'
  )
}
