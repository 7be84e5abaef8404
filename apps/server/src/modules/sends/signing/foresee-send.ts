import type { Context } from '../../../context.ts'
import { isOpenable } from '../../vaults/service.ts'
import { chooseSequence } from './choose-sequence.ts'
import { findSigner } from './hot-key.ts'
import { planOnChain, type SendPlan, type SendRefusal, type SendWait } from './plan-on-chain.ts'

/** What would become of a send now. */
type ForeseenSend = {
  /** What it would cost, in units of the native coin; null where no node could tell. */
  readonly fee: bigint | null
  /** Why it would not be signed now; null when it would. */
  readonly why: SendWait | SendRefusal | null
}

/**
 * Says what a send would cost and why it would not be signed now, by the checks of `startSend` in their order; whether the float
 * suffices is the caller's question. Signs and stores nothing. Call it outside of transactions, because nodes are asked.
 */
export async function foreseeSend(ctx: Context, input: SendPlan): Promise<ForeseenSend> {
  const signer = await findSigner(ctx, input)
  if (signer === 'no_sender' || signer === 'no_wallet') return { fee: null, why: { code: signer } }
  if (signer.key.status !== 'active') return { fee: null, why: { code: 'no_wallet' } }
  const planned = await planOnChain(ctx, signer, input)
  if (planned.kind !== 'planned') {
    return { fee: planned.why.code === 'fee_above_ceiling' ? planned.why.needed : null, why: planned.why }
  }
  const fee = planned.expectedFee
  if (!(await isOpenable(ctx, signer.key.secretId))) return { fee, why: { code: 'vault_locked' } }
  const choice = await chooseSequence(ctx, input, planned)
  return { fee, why: choice.kind === 'take' ? null : choice.why }
}
