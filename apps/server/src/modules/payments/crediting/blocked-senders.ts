import type { Transfer } from '@kassa/chains/adapter.ts'
import { chainIn } from '@kassa/chains/chain.ts'
import type { Blockchain } from '@kassa/primitives/chains/blockchain.ts'

import type { Context } from '../../../context.ts'
import { adapterOf } from '../../blockchains/chains/service.ts'
import { blockedAddresses } from '../../withdrawals/recipients/service.ts'

type Received = { readonly projectId: number; readonly transfer: Pick<Transfer, 'senders'> }

/**
 * Returns a test of whether a transfer comes from an address that its project blocks; reads the database once for all transfers
 * (money.md 2.12, X11).
 */
export async function blockedSenders(
  ctx: Context,
  blockchain: Blockchain,
  transfers: readonly Received[],
): Promise<(received: Received) => boolean> {
  const codec = adapterOf(blockchain.family)?.addresses
  if (!codec) return () => false
  const chain = chainIn(ctx.config.network, blockchain)
  const sendersOf = ({ projectId, transfer }: Received) =>
    transfer.senders.map((sender) => ({ projectId, key: Buffer.from(codec.key(chain, sender)) }))
  const nameOf = ({ projectId, key }: { projectId: number; key: Buffer }) => `${projectId} ${key.toString('hex')}`
  const asked = new Map(transfers.flatMap(sendersOf).map((one) => [nameOf(one), one]))
  const blocked = new Set((await blockedAddresses(ctx, blockchain.id, [...asked.values()])).map(nameOf))
  return (received) => blocked.size > 0 && sendersOf(received).some((one) => blocked.has(nameOf(one)))
}
