import type { Context } from '../../../context.ts'
import { clearFailed, raiseFailed } from '../record/alarms.ts'
import { announceSweep } from '../record/announce.ts'
import { failItems, openOf, type SweepRow } from '../record/service.ts'
import { freeAddresses, listItems, lockSweep, moveSweep } from '../record/store.ts'
import { isSightComplete, listAddressesMoving } from './store.ts'

/**
 * Ends a sweep whose transaction is final: its transaction left out each address without a transfer, and that address is free
 * again. Does nothing while transfers wait to be final, or where blocks do not show everything that moved.
 */
export async function concludeSweep(tx: Context, id: bigint): Promise<SweepRow | undefined> {
  const before = await lockSweep(tx, id)
  if (!before || before.final_height === null || before.status === 'completed') return undefined
  const items = await listItems(tx, [id])
  const open = openOf(items)
  const moving = await listAddressesMoving(tx, id)
  const left = open.filter((item) => !moving.has(item.address_id))
  if (left.length > 0) {
    if (!(await isSightComplete(tx, before))) return undefined
    await failItems(tx, before, left, null)
    await raiseFailed(tx, before)
  }
  if (left.length < open.length) return undefined
  await freeAddresses(tx, before, 'all')
  const row = await moveSweep(tx, id, 'complete', { wait_code: null, wait_params: null, ended_at: tx.now() })
  if (!row) throw new Error(`Sweep ${id} is not under way`)
  await announceSweep(tx, row, 'completed')
  if (items.every(({ state }) => state === 'swept')) await clearFailed(tx, row)
  return row
}
