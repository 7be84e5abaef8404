import type { Outcome } from '@kassa/chains/adapter.ts'

import { inTransaction } from '../../../context.ts'
import { clearAlarm } from '../../alarms/service.ts'
import { emitSendMoved } from '../record/send-moved.ts'
import { insertAttempt } from '../record/store.ts'
import { clearUnproven } from '../record/unproven-alarm.ts'
import { subjectOf } from '../record/wallet-locks.ts'
import type { Pass } from './following.ts'
import { lockOpenSend, moveSent, updateMined, updateUnstuck } from './move-store.ts'
import { findBranchState, type OpenSend } from './open-store.ts'
import { readPosition } from '../record/position-store.ts'

type Mined = Extract<Outcome, { state: 'mined' }>

/**
 * Stores that a block of our own branch holds an attempt. A block that we have not read, or of which we have another one at
 * that height, is not stored: the node is asked again later.
 */
export async function noteMined({ ctx, row }: Pass, one: OpenSend, outcome: Mined): Promise<void> {
  const { block, tx: mined, failure, fee: feeUnits } = outcome
  await inTransaction(ctx, async (tx) => {
    if (!(await readPosition(tx, row.id, 'lock'))) return
    const place = await findBranchState(tx, row.id, block)
    if (place !== 'ours' && place !== 'gone') return
    const send = await lockOpenSend(tx, one.send.id)
    if (!send) return
    const [newest] = one.attempts
    if ('raw' in mined && newest) {
      // This attempt was lost with a database, and moves the same.
      const unsigned = {
        from: send.from,
        sequence: send.sequence,
        validUntil: null,
        maxFee: feeUnits,
        body: newest.body,
      }
      await insertAttempt(tx, send.id, newest.n + 1, { tx: unsigned, signed: mined })
    }
    const facts = { height: block.height, blockHash: block.hash, failure, feeUnits }
    if (!(await updateMined(tx, send.id, mined.txId, facts))) return
    await clearUnproven(tx, row, send)
    if (await moveSent(tx, send.id)) {
      const { id: sendId, purpose } = send
      const moved = { sendId, purpose, item: one.item, state: 'sent', txId: mined.txId } as const
      await emitSendMoved(tx, { ...moved, feeUnits: null, block: null, failure: null })
    }
    if (!(await updateUnstuck(tx, send.id))) return
    await clearAlarm(tx, { kind: 'send_stuck', subject: subjectOf(send.walletId, row.code) })
  })
}
