import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'

import type { Context } from '../context.ts'
import { countWaiting } from '../modules/deposits/service.ts'
import { countWaitingMovements } from '../modules/movements/service.ts'
import { countSent } from '../modules/sends/service.ts'
import { isCreationAwaited } from '../modules/sweep-contracts/service.ts'
import { countWaitingPermissions } from '../modules/sweep-permissions/service.ts'

/** Whether a deposit on this blockchain, or a transaction of ours, waits for more blocks. */
export async function waitsForBlocks(ctx: Context, code: string): Promise<boolean> {
  const id = findBlockchain(code)?.id
  if (id === undefined) return false
  if ((await countWaiting(ctx, id)) + (await countWaitingMovements(ctx, id)) > 0) return true
  if ((await countSent(ctx, id)) + (await countWaitingPermissions(ctx, id)) > 0) return true
  return isCreationAwaited(ctx, id)
}
