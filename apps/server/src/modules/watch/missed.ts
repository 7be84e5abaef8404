import type { BlockFacts, ChainSession } from '@kassa/chains/adapter.ts'

import type { Context } from '../../context.ts'
import { raiseAlarm } from '../alarms/service.ts'
import type { Progress } from './following.ts'
import type { Rescan } from './rescan-store.ts'

/** The reader had passed by money: somebody must find out why. */
export async function tellMissed(
  ctx: Context,
  { chain, node }: ChainSession,
  { found, where, rescan }: { found: number; where: string; rescan: Pick<Rescan, 'isAudit' | 'reason'> },
): Promise<void> {
  const { code } = chain.blockchain
  const who = rescan.isAudit ? 'the nightly audit' : `a rescan (${rescan.reason})`
  const text = `${found} deposit(s) in ${where} of ${code} were missed when they were mined, and found by ${who} with ${node.label}. They are credited. Compare the nodes of ${code}; one of them leaves things out.`
  await raiseAlarm(ctx, { kind: 'watch_missed', subject: code, text })
}

/**
 * Says which blocks were read so late that the node could not show what contracts forwarded in them. Ordinary payments are
 * all there; a node with history finds the rest.
 */
export async function tellUntraced(
  ctx: Context,
  { chain }: ChainSession,
  progress: Progress,
  facts: readonly BlockFacts[],
): Promise<void> {
  const heights = facts
    .filter(({ internalTransfers }) => internalTransfers === 'pruned')
    .map(({ block }) => block.height)
  const [first] = heights
  const last = heights.at(-1)
  if (first === undefined || last === undefined) return
  const { code } = chain.blockchain
  const from = progress.untraced?.from ?? first
  progress.untraced = { from, to: last }
  const text = `Blocks ${from}–${last} of ${code} were read so late that the node keeps no traces of them: money that contracts forwarded in them may be missing. Add a node with history, then: npm run rescan -- --chain ${code} --from ${from} --to ${last}`
  await raiseAlarm(ctx, { kind: 'watch_missed', subject: `${code} traces`, text }).catch((error: unknown) =>
    ctx.log.warn({ blockchain: code, err: error }, 'an alarm could not be raised'),
  )
}
