import type { Context } from '../../../context.ts'
import { reverse } from '../../ledger/service.ts'
import { permissionSource } from '../record/postings.ts'
import { listAbove, movePermission } from '../record/store.ts'
import { expireNewer, updateUnmined } from './reopen-store.ts'

/**
 * Undoes what blocks above a height decided about transactions of deposit addresses, in the transaction that rolls these blocks
 * back: their fee is reversed, and the same bytes are broadcast again. Permissions that only a signature proves stay as they
 * are. When the address has signed another permission since, because this one was void, the older one is followed, because its
 * sequence comes first. The newer one expires, and the outcome of the older decides whether the address is asked again.
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
