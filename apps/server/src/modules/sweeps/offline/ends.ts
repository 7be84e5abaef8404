import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import type { SweepCause } from '@kassa/contract/sweeps/reasons.ts'

import type { Context } from '../../../context.ts'
import { findCollector } from '../../wallets/cold/service.ts'
import type { SweepRow } from '../record/service.ts'

type End = Pick<SweepRow, 'blockchain_id' | 'collector'>

/**
 * Whether the cold wallet of a batch may still receive money. A batch waits for days, and who deactivates a cold wallet objects to
 * every transfer there that is not signed.
 */
export async function isEndUsable(ctx: Context, { blockchain_id: blockchainId, collector }: End): Promise<boolean> {
  return (await findCollector(ctx, blockchainId, collector))?.isUsable === true
}

/** Why a batch is abandoned whose cold wallet may receive nothing any more. */
export function endRefused({ blockchain_id: blockchainId }: End): SweepCause {
  return { code: 'COLD_WALLET_MISSING', params: { chain: findBlockchain(blockchainId)?.code ?? '' } }
}
