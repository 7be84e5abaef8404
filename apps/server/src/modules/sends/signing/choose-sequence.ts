import type { Context } from '../../../context.ts'
import { isSpentOutside } from '../../movements/service.ts'
import { MOST_IN_FLIGHT, nextSequence } from '../record/rules.ts'
import { readSigner } from '../record/store.ts'
import type { SendWait } from './plan-on-chain.ts'
import type { SeenSequences } from './sequences.ts'

/** A sequence to sign with (null in families that have none), or why nothing is signed. */
export type ChosenSequence =
  | { readonly kind: 'take'; readonly sequence: bigint | null }
  | {
      readonly kind: 'wait'
      readonly why: SendWait
      /** What an operator has to look at before the wallet signs again. */
      readonly lock?: { readonly code: 'behind' | 'used_elsewhere'; readonly expected: bigint; readonly found: bigint }
    }

/** Chooses the sequence of the next send of a wallet. Changes nothing. */
export async function chooseSequence(
  ctx: Context,
  wallet: { readonly walletId: number; readonly blockchainId: number },
  chain: SeenSequences | null,
): Promise<ChosenSequence> {
  const own = await readSigner(ctx, wallet.walletId, wallet.blockchainId)
  if (own.isLocked || (await isSpentOutside(ctx, wallet))) return wait({ code: 'wallet_locked' })
  if (chain === null) {
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

function wait(why: SendWait): Extract<ChosenSequence, { kind: 'wait' }> {
  return { kind: 'wait', why }
}
