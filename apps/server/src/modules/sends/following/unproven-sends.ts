import { type Context, inTransaction } from '../../../context.ts'
import { clearAlarm, raiseAlarm } from '../../alarms/service.ts'
import { hasSecondOperator } from '../../blockchains/nodes/service.ts'
import type { Send } from '../record/send.ts'
import { listAttempts } from '../record/store.ts'
import { keyOf, type Pass } from './following.ts'
import { lockOpenSend } from './move-store.ts'
import type { OpenSend } from './open-store.ts'
import { isDue, isMined, isOverdue, UNPROVEN_AFTER_MS, UNPROVEN_AGAIN_MS } from './rules.ts'

/**
 * Raises an alarm about a send whose expiry has passed long ago while nodes do not prove what became of it. Its money stays
 * reserved (D-4); only an operator can bring the second opinion that the proof needs.
 */
export async function noteUnproven({ ctx, row, memory }: Pass, one: OpenSend): Promise<void> {
  const { send, attempts } = one
  const [newest] = attempts
  const [key, now] = [keyOf(send), ctx.now().getTime()]
  if (!newest || !isOverdue(one, now) || !isDue(memory.unprovenAt.get(key), UNPROVEN_AGAIN_MS, now)) return
  const why = (await hasSecondOperator(ctx, row.id)) ? 'disagreement' : 'one_operator'
  const facts = { walletID: send.walletId, blockchainCode: row.code, txHash: newest.txId }
  const params = { case: why, ...facts, minutes: UNPROVEN_AFTER_MS / 60_000 } as const
  await inTransaction(ctx, async (tx) => {
    // Another process may lead by now, and know what became of it.
    if (!(await lockOpenSend(tx, send.id)) || isMined({ attempts: await listAttempts(tx, [send.id]) })) return
    await raiseAlarm(tx, { kind: 'send_unproven', subject: subjectOf(row, send), params })
  })
  memory.unprovenAt.set(key, now)
}

/** Ends the alarm of a send, because the chain has it or it is decided. Only a send without a sequence can have one. */
export async function clearUnproven(tx: Context, row: Pass['row'], send: Send): Promise<void> {
  if (send.sequence === null) await clearAlarm(tx, { kind: 'send_unproven', subject: subjectOf(row, send) })
}

function subjectOf({ code }: Pass['row'], { id }: Pick<Send, 'id'>): string {
  return `${code} send ${id}`
}
