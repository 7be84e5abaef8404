import type { Context } from '../../../context.ts'
import { adapterOf, listBlockchains } from '../../blockchains/chains/service.ts'
import { hasSecondOperator, openSession } from '../../blockchains/nodes/service.ts'
import { askOutcomes } from './ask-outcomes.ts'
import { broadcastSends } from './broadcast-sends.ts'
import { bumpSends } from './bump-sends.ts'
import { compareWallets } from './compare-wallets.ts'
import { decideSends } from './decide-sends.ts'
import { keyOf, type RoundMemory } from './following.ts'
import { listOpenSends } from './open-store.ts'

/**
 * Looks once after the sends of a blockchain. Every step can be repeated, and a process may die between any two: what was
 * committed is found again, what was not has not happened.
 * @throws RetryableRpcError or NodeRejected when no node of it can be used
 */
export async function followSends(ctx: Context, blockchainId: number, memory: RoundMemory): Promise<void> {
  const row = (await listBlockchains(ctx)).find(({ id }) => id === blockchainId)
  const sender = row && adapterOf(row.definition.family)?.sender
  if (!sender || row.status !== 'active') return
  const open = await listOpenSends(ctx, blockchainId)
  forgetOthers(memory, new Set(open.map(({ send }) => keyOf(send))))
  const session = await openSession(ctx, blockchainId)
  if (!session) return
  const other = await session.another()
  const needsSecond = other === null && (await hasSecondOperator(ctx, blockchainId))
  const round = { ctx, row, sender, session, other, needsSecond, memory }
  await compareWallets(round)
  await broadcastSends(round, open)
  await askOutcomes(round, open)
  await decideSends(round, await listOpenSends(ctx, blockchainId))
  await bumpSends(round, open)
}

function forgetOthers({ broadcastAt, askedAt }: RoundMemory, keys: ReadonlySet<string>): void {
  for (const times of [broadcastAt, askedAt]) for (const key of times.keys()) if (!keys.has(key)) times.delete(key)
}
