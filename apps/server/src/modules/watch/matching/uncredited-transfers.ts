import type { BlockRef } from '@kassa/chains/adapter.ts'
import type { Context } from '../../../context.ts'
import { proveByTrace } from '../../deposits/service.ts'
import type { ReceivedTransfer } from '../../payments/crediting/service.ts'
import { type BalanceDeposit, listBalanceDeposits, listKnownTransfers } from './store.ts'
import { retainBlock } from '../blocks/block-store.ts'
import { transferKey } from '../verification/transfer-checks.ts'

/**
 * Removes from reread transfers what is credited already: known deposits, and native transfers within the span of a balance
 * deposit, which already contains them. A transfer that equals a balance deposit replaces its evidence (money.md 2.4).
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
  const deposits = await listBalanceDeposits(tx, blockchainId, {
    addressIds: natives.map(({ address }) => address.id),
    from: block.height,
    to: block.height,
  })
  const fresh: ReceivedTransfer[] = []
  for (const received of unknown) {
    const deposit = deposits.find((one) => isWithin(one, received))
    if (!deposit) fresh.push(received)
    else if (
      deposit.units === received.transfer.units &&
      (await proveByTrace(tx, deposit.depositId, received.transfer))
    ) {
      deposits.splice(deposits.indexOf(deposit), 1)
      await retainBlock(tx, blockchainId, { block, transfers: 1, nodeId })
    }
  }
  return fresh
}

function isWithin(deposit: BalanceDeposit, { transfer, address }: ReceivedTransfer): boolean {
  const { height } = transfer.block
  return transfer.kind !== 'token' && deposit.addressId === address.id && deposit.from < height && height <= deposit.to
}
