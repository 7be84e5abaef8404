import type { Context } from '../../../context.ts'
import { isSpentOutside } from '../../movements/service.ts'
import { MOST_IN_FLIGHT, nextSequence } from '../record/rules.ts'
import { readPosition } from '../record/position-store.ts'
import { readSigner } from '../record/store.ts'
import type { PlannedOnChain, SendWait } from './plan-on-chain.ts'

/** A sequence to sign with (null in families that have none), or why nothing is signed. */
export type ChosenSequence =
  | { readonly kind: 'take'; readonly sequence: bigint | null }
  | {
      readonly kind: 'wait'
      readonly why: SendWait
      /** What an operator has to look at before the wallet signs again. */
      readonly lock?: { readonly code: 'behind' | 'used_elsewhere'; readonly expected: bigint; readonly found: bigint }
    }

/** Blocks that may be unread while a wallet without sequences signs: the node's head moves on between two polls. */
const MOST_UNREAD = 3

/** Chooses the sequence of the next send of a wallet. Changes nothing. */
export async function chooseSequence(
  ctx: Context,
  wallet: { readonly walletId: number; readonly blockchainId: number },
  { chain, height }: Pick<PlannedOnChain, 'chain' | 'height'>,
): Promise<ChosenSequence> {
  // Before foreign spends are looked for: a block that is read in between is then missed by neither.
  const isUnread = chain === null && !(await isReadTo(ctx, wallet.blockchainId, height))
  const own = await readSigner(ctx, wallet.walletId, wallet.blockchainId)
  if (own.isLocked || (await isSpentOutside(ctx, wallet))) return wait({ code: 'wallet_locked' })
  if (chain === null) {
    if (isUnread) return wait({ code: 'chain_down', reason: 'Its newest blocks are not read yet.' })
    return own.inFlight >= MOST_IN_FLIGHT ? wait({ code: 'busy' }) : { kind: 'take', sequence: null }
  }
  const choice = nextSequence({ ...own, chain })
  switch (choice.kind) {
    case 'take':
      return choice
    case 'stale':
      return wait({ code: 'chain_down', reason: 'Its node has not seen what others had.' })
    case 'busy':
    case 'ahead':
      return wait({ code: 'busy' })
    case 'used_elsewhere': {
      const { expected, found } = choice
      // Only one of two nodes says so: its word neither locks the wallet nor lets it sign.
      if (chain.agreed.mined <= expected) {
        return wait({ code: 'chain_down', reason: 'Two nodes do not say the same of its wallet.' })
      }
      const code = own.highest === null ? 'behind' : 'used_elsewhere'
      return { ...wait({ code: 'wallet_locked' }), lock: { code, expected, found } }
    }
  }
}

/**
 * Whether the blocks up to a height are read. Where a family has no sequences, only they show what a key has sent: a database that is
 * older than the chain would pay once more (D-9).
 */
async function isReadTo(ctx: Context, blockchainId: number, height: number): Promise<boolean> {
  const position = await readPosition(ctx, blockchainId)
  return position !== null && height - position.tip <= MOST_UNREAD
}

function wait(why: SendWait): Extract<ChosenSequence, { kind: 'wait' }> {
  return { kind: 'wait', why }
}
