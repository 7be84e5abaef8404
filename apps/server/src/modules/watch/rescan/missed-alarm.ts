import type { ChainSession } from '@kassa/chains/adapter.ts'
import type { Context } from '../../../context.ts'
import { raiseAlarm } from '../../alarms/service.ts'
import type { Rescan } from './store.ts'

/** The reader had passed by money: somebody must find out why. */
export async function raiseMissed(
  ctx: Context,
  { chain, node }: ChainSession,
  { found, where, rescan }: { found: number; where: string; rescan: Pick<Rescan, 'isAudit' | 'reason'> },
): Promise<void> {
  const { code } = chain.blockchain
  const who = rescan.isAudit ? 'the nightly audit' : `a rescan (${rescan.reason})`
  const text = `${found} deposit(s) in ${where} of ${code} were missed when they were mined, and found by ${who} with ${node.label}. They are credited. Compare the nodes of ${code}; one of them leaves things out.`
  await raiseAlarm(ctx, { kind: 'watch_missed', subject: code, text })
}
