import type { PlanRefusal, UnsignedTx } from '@kassa/chains/adapter.ts'
import { NodeRejected, RetryableRpcError } from '@kassa/chains/errors.ts'
import type { SendIntent } from '@kassa/chains/send-intent.ts'
import { ApiError } from '@kassa/contract/kit/api-error.ts'

import type { Context } from '../../../context.ts'
import { openSession } from '../../blockchains/nodes/service.ts'
import type { Signer } from './hot-key.ts'
import { type SeenSequences, sequencesOf } from './sequences.ts'

/** Why nothing is signed now; the same may be asked again later. Units are of the native coin, but for `short_of_asset`. */
export type SendWait =
  /** Kassa cannot send on this family of chains, or the wallet has no key there or is switched off. */
  | { readonly code: 'no_sender' | 'no_wallet' }
  | { readonly code: 'chain_down'; readonly reason: string }
  | { readonly code: 'vault_locked' }
  /** An operator must look at the wallet first: its key was used elsewhere. */
  | { readonly code: 'wallet_locked' }
  /** As many transactions wait as nodes keep of one account, or others of this key do. */
  | { readonly code: 'busy' }
  | Extract<PlanRefusal, { code: 'fee_above_ceiling' | 'short_of_asset' | 'short_of_coin' }>
  /** The coins are there, but not booked as float yet, or reserved for other sends. */
  | { readonly code: 'float_short_of_asset' | 'float_short_of_coin' }

/** Why a transaction would fail on the chain: asking again changes nothing. */
export type SendRefusal = Extract<PlanRefusal, { code: 'would_fail' | 'gas_above_cap' }>

export type PlannedOnChain = {
  readonly kind: 'planned'
  readonly tx: UnsignedTx
  readonly height: number
  /** What it costs at present prices, in units of the native coin. */
  readonly expectedFee: bigint
  readonly chain: SeenSequences | null
}

type NotPlanned =
  | { readonly kind: 'waits'; readonly why: SendWait }
  | { readonly kind: 'refused'; readonly why: SendRefusal }

/** What should leave a wallet. */
export type SendPlan = {
  readonly walletId: number
  readonly blockchainId: number
  readonly intent: SendIntent
  /** The most that the fee may be, in units of the native coin. */
  readonly maxFee: bigint
}

/** Plans a transaction through nodes and simulates it there, or says why none would be signed. Changes nothing. */
export async function planOnChain(
  ctx: Context,
  signer: Signer,
  { blockchainId, intent, maxFee }: SendPlan,
): Promise<PlannedOnChain | NotPlanned> {
  const from = signer.key.address
  try {
    const session = await openSession(ctx, blockchainId)
    if (!session) return waits({ code: 'chain_down', reason: 'No node of it is switched on.' })
    const chain = await sequencesOf(signer, session)
    const plan = await signer.sender.plan(session, { from, intent, maxFee })
    if (plan.kind === 'planned') return { ...plan, chain }
    const { why } = plan
    return why.code === 'would_fail' || why.code === 'gas_above_cap' ? { kind: 'refused', why } : waits(why)
  } catch (error) {
    if (!isNodesFault(error)) throw error
    return waits({ code: 'chain_down', reason: error.message })
  }
}

function waits(why: SendWait): NotPlanned {
  return { kind: 'waits', why }
}

function isNodesFault(error: unknown): error is Error {
  return (
    error instanceof RetryableRpcError ||
    error instanceof NodeRejected ||
    (error instanceof ApiError && error.code === 'NODE_WRONG_NETWORK')
  )
}
