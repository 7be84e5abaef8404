import type { Context } from '../../../context.ts'
import { continueOnError } from '../../../jobs/continue-on-error.ts'
import { adapterOf, listBlockchains } from '../../blockchains/chains/service.ts'
import { hasSecondOperator, openSession } from '../../blockchains/nodes/service.ts'
import { askOutcomes } from './ask-outcomes.ts'
import { broadcastSends } from './broadcast-sends.ts'
import { bumpSends } from './bump-sends.ts'
import { compareWallets } from './compare-wallets.ts'
import { decideSends } from './decide-sends.ts'
import { keyOf, type PassMemory } from './following.ts'
import { listOpenSends } from './open-store.ts'

/**
 * Works once on every undecided send of a blockchain; returns how many the chain had not decided. Every step can be repeated,
 * and the process may die between any two: the next pass finds what was committed, and nothing else has happened. A send that
 * fails does not stop the others; its failure is thrown at the end.
 * @throws RetryableRpcError or NodeRejected when no node of it can be used
 */
export async function followSends(ctx: Context, blockchainId: number, memory: PassMemory): Promise<number> {
  const row = (await listBlockchains(ctx)).find(({ id }) => id === blockchainId)
  const sender = row && adapterOf(row.definition.family)?.sender
  if (!sender || row.status !== 'active') return 0
  const open = await listOpenSends(ctx, blockchainId)
  forgetOthers(memory, new Set(open.map(({ send }) => keyOf(send))))
  const session = await openSession(ctx, blockchainId)
  if (!session) return open.length
  const other = await session.another()
  const needsSecond = other === null && (await hasSecondOperator(ctx, blockchainId))
  const { attempt, end } = continueOnError(ctx)
  const pass = { ctx, row, sender, session, other, needsSecond, memory, attempt }
  await attempt({ blockchain: row.code }, () => compareWallets(pass))
  await broadcastSends(pass, open)
  await askOutcomes(pass, open)
  await decideSends(pass, await listOpenSends(ctx, blockchainId))
  await bumpSends(pass, open)
  end()
  return open.length
}

function forgetOthers(memory: PassMemory, keys: ReadonlySet<string>): void {
  for (const times of [memory.broadcastAt, memory.askedAt, memory.unbookedAt, memory.unprovenAt])
    for (const key of times.keys()) if (!keys.has(key)) times.delete(key)
}
