import { ApiError } from '@kassa/contract/kit/api-error.ts'
import { RESOLUTION_ACTIONS } from '@kassa/contract/payments/offers.ts'

import { asSystem, type Context } from '../../context.ts'
import { findPayment } from '../../modules/payments/payment/store.ts'
import { resolvePayment } from '../../modules/payments/resolution/resolve-payment.ts'
import { requestRescan, requestTransactionRescan } from '../../modules/watch/rescan/service.ts'
import type { Process } from './scheduler.ts'
import { contextOf, waitInTrouble, type World } from './world.ts'

/** Operators, who resolve what the rules leave open and request rescans of blocks that were read before. */
export async function operator(world: World, process: Process): Promise<void> {
  const ctx = asSystem(contextOf(world, process))
  while (!process.isDead) {
    await world.scheduler.sleep(waitInTrouble(world, [5_000, 90_000]), process.signal)
    if (world.phase === 'trouble') await decide(world, ctx).catch((error: unknown) => expectRefusal(world, error))
  }
}

async function decide(world: World, ctx: Context): Promise<void> {
  const { random } = world
  if (random.chance(0.5)) return readAgain(world, ctx)
  const reference = random.any(world.references)
  const payment = reference === undefined ? undefined : await findPayment(ctx, reference)
  if (payment)
    await resolvePayment(ctx, payment, { action: random.pick(RESOLUTION_ACTIONS), note: 'accepted as it is' })
}

/** Requests a second read, in which every transfer is known already. */
async function readAgain(world: World, ctx: Context): Promise<void> {
  const { random } = world
  const chain = random.pick(world.chains)
  const asked = { blockchainId: chain.id, reason: 'a customer asks', by: 'operator:1' }
  const tx = random.any(chain.chain.view().blocks.flatMap(({ transactions }) => transactions))
  if (tx && random.chance(0.5)) {
    await requestTransactionRescan(ctx, { ...asked, txId: tx.hash })
    return
  }
  const height = world.cursors.get(chain.id)?.height ?? 0
  await requestRescan(ctx, {
    ...asked,
    from: Math.max(chain.family.name === 'ETH_Family' ? 0 : 1, height - random.between(0, 20)),
    to: height,
  })
}

function expectRefusal({ scheduler }: World, error: unknown): void {
  const why = error instanceof ApiError ? error.code : error instanceof Error ? error.message : String(error)
  scheduler.note(`the operator was refused: ${why}`)
}
