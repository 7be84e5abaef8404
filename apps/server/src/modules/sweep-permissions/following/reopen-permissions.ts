import type { Context } from '../../../context.ts'
import { reverse } from '../../ledger/service.ts'
import { permissionSource } from '../record/postings.ts'
import { listAbove, movePermission } from '../record/store.ts'
import { expireNewer, updateUnmined } from './reopen-store.ts'

/**
 * Takes back what blocks above a height decided about transactions of deposit addresses, in the transaction that leaves these
 * blocks: their fee is reversed, and the same bytes are broadcast again. What only a signature proves stays as it is. Where the
 * address has signed another one since, because this one was void, the older is followed: its place among the transactions of the
 * address comes first. The newer lapses, and what becomes of the older decides whether the address is asked again.
 */
export async function reopenPermissions(
  tx: Context,
  { blockchainId, toHeight }: { readonly blockchainId: number; readonly toHeight: number },
): Promise<void> {
  for (const { id } of await listAbove(tx, blockchainId, toHeight)) {
    await reverse(tx, [permissionSource(id)])
    await updateUnmined(tx, id)
    if (await expireNewer(tx, id)) await movePermission(tx, id, 'reopen')
  }
}
