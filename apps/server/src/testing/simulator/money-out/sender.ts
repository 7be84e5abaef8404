import { asSystem } from '../../../context.ts'
import { newMemory } from '../../../modules/sends/following/following.ts'
import { followSends } from '../../../modules/sends/following/follow-sends.ts'
import { followPermissions } from '../../../modules/sweep-permissions/following/follow-permissions.ts'
import { signPlanned } from '../../../modules/sweeps/signing/service.ts'
import { signPending } from '../../../modules/withdrawals/sending/service.ts'
import type { Process } from '../scheduler.ts'
import { contextOf, type World } from '../world.ts'

/** As in sending/service.ts of the module. */
const EVERY_MS = 2_000

/**
 * A process of the role `sender`: signs what is decided and follows what is sent. All of them follow all chains at once, as
 * one does that was paused and does not know yet that it lost its lease.
 */
export async function sender(world: World, process: Process): Promise<void> {
  const ctx = asSystem(contextOf(world, process))
  const repeat = async (name: string, run: () => Promise<unknown>) => {
    while (!process.isDead) {
      await ctx.sleep(EVERY_MS, process.signal)
      await run().catch((error: unknown) => {
        world.scheduler.note(`${process.name} ${name}: ${error instanceof Error ? error.message : String(error)}`)
      })
    }
  }
  const permissions = { broadcastAt: new Map<bigint, number>(), followedTo: new Map<number, bigint>() }
  await Promise.all([
    repeat('signs', () => signPending(ctx)),
    repeat('signs sweeps', () => signPlanned(ctx)),
    repeat('follows permissions', () => followPermissions(ctx, permissions)),
    ...world.chains.map(({ id, code }) => {
      const memory = newMemory()
      return repeat(`follows ${code}`, () => followSends(ctx, id, memory))
    }),
  ])
}
