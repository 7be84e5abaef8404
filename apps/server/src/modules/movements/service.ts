/**
 * Movements: transfers that are no deposits, because an address of ours sent them or a wallet of ours received them
 * (money.md W-12, W-13). They stand below payments and never touch one.
 */
import type { Context } from '../../context.ts'
import type { Intent } from './movement.ts'
import { insertIntent } from './store.ts'

/**
 * Notes what a transaction is for, in the transaction that stores its bytes: what it moves is then a payout, a top-up or a
 * sweep, and otherwise money that somebody else moved (W-13). Harmless to repeat.
 */
export function intendMovement(tx: Context, intent: Intent): Promise<void> {
  return insertIntent(tx, intent)
}
