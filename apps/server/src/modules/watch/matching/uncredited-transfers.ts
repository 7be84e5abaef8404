import type { BlockRef } from '@kassa/chains/adapter.ts'
import type { Context } from '../../../context.ts'
import { proveByTrace } from '../../deposits/service.ts'
import type { ReceivedTransfer } from '../../payments/crediting/service.ts'
import { type BalanceDeposit, listBalanceDeposits, listKnownTransfers } from './store.ts'
import { keepBlock } from '../blocks/block-store.ts'
import { transferKey } from '../verification/transfer-checks.ts'

/**
 * Leaves out of what was read again what is credited already: deposits that are known, and native money that came within the
 * span of a deposit by balance, because it is in that. Where it is all of it, the deposit becomes this transfer (money.md 2.4).
 */
export async function withoutCredited(
  tx: Context,
  { blockchainId, nodeId }: { blockchainId: number; nodeId: number },
  block: BlockRef,
  matched: readonly ReceivedTransfer[],
): Promise<ReceivedTransfer[]> {
  if (matched.length === 0) return []
  const known = await listKnownTransfers(
    tx,
    blockchainId,
    matched.map(({ transfer }) => transfer),
  )
  const unknown = matched.filter(({ transfer }) => !known.has(transferKey(transfer)))
  const natives = unknown.filter(({ transfer }) => transfer.kind !== 'token')
  if (natives.length === 0) return unknown
  const finds = await listBalanceDeposits(tx, blockchainId, {
    addressIds: natives.map(({ address }) => address.id),
    from: block.height,
    to: block.height,
  })
  const fresh: ReceivedTransfer[] = []
  for (const received of unknown) {
    const find = finds.find((one) => isPartOf(one, received))
    if (!find) fresh.push(received)
    else if (find.units === received.transfer.units && (await proveByTrace(tx, find.depositId, received.transfer))) {
      finds.splice(finds.indexOf(find), 1)
      await keepBlock(tx, blockchainId, { block, transfers: 1, nodeId })
    }
  }
  return fresh
}

function isPartOf(find: BalanceDeposit, { transfer, address }: ReceivedTransfer): boolean {
  const { height } = transfer.block
  return transfer.kind !== 'token' && find.addressId === address.id && find.from < height && height <= find.to
}
