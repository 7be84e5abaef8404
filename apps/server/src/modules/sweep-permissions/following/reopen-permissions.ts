import type { Context } from '../../../context.ts'
import { reverse } from '../../ledger/service.ts'
import { permissionSource } from '../record/postings.ts'
import { listAbove, movePermission } from '../record/store.ts'

/**
 * Takes back what blocks above a height decided about transactions of deposit addresses, in the transaction that leaves these
 * blocks: their fee is reversed, and the same bytes are broadcast again. What only a signature proves stays as it is.
 */
export async function reopenPermissions(
  tx: Context,
  { blockchainId, toHeight }: { readonly blockchainId: number; readonly toHeight: number },
): Promise<void> {
  for (const { id } of await listAbove(tx, blockchainId, toHeight)) {
    await reverse(tx, [permissionSource(id)])
    await movePermission(tx, id, 'reopen', { height: null, fee_units: null, approved_at: null })
  }
}
