import type { UnsignedTx } from '@kassa/chains/adapter.ts'

import { inTransaction } from '../../../context.ts'
import { raiseAlarm } from '../../alarms/service.ts'
import { intendAttempt } from '../signing/intend.ts'
import { findSigner, withKey } from '../signing/hot-key.ts'
import { insertAttempt, listAttempts, lockSigner } from '../record/store.ts'
import { subjectOf } from '../record/wallet-locks.ts'
import { aboutSend, keyOf, type Pass } from './following.ts'
import { lockOpenSend, updateStuck } from './move-store.ts'
import type { OpenSend } from './open-store.ts'
import { bumpAfterMs, sendsToBump } from './rules.ts'

/** Raises the fee of sends that no block takes, under the same sequence, up to their ceiling; then an alarm asks an operator. */
export async function bumpSends(pass: Pass, open: readonly OpenSend[]): Promise<void> {
  const { ctx, row } = pass
  for (const one of sendsToBump(open, bumpAfterMs(row.definition.blockSeconds), ctx.now().getTime())) {
    await pass.attempt(aboutSend(one.send), () => bumpOne(pass, one))
  }
}

async function bumpOne(pass: Pass, one: OpenSend): Promise<void> {
  const { sender, session } = pass
  const { send, attempts } = one
  const [newest] = attempts
  if (!newest || !sender.bump) return
  const { from, sequence } = send
  const { validUntil, maxFee, body } = newest
  const plan = await sender.bump(session, { from, sequence, validUntil, maxFee, body }, send.feeCeiling)
  if (plan.kind === 'planned') return signAgain(pass, one, plan.tx)
  if (plan.why.code === 'fee_above_ceiling') await noteStuck(pass, one)
}

/** Signs another attempt of the same send; does nothing when the send was decided or attempted again meanwhile. */
async function signAgain({ ctx, sender, session, memory }: Pass, one: OpenSend, unsigned: UnsignedTx): Promise<void> {
  const { send, item, attempts } = one
  const signer = await findSigner(ctx, send)
  if (typeof signer === 'string') return
  await withKey(ctx, signer, (key) =>
    inTransaction(ctx, async (tx) => {
      await lockSigner(tx, send.walletId)
      if (!(await lockOpenSend(tx, send.id))) return
      const stored = await listAttempts(tx, [send.id])
      if (stored.length !== attempts.length || stored.some(({ mined }) => mined !== null)) return
      const signed = sender.sign(session.chain, unsigned, key)
      await insertAttempt(tx, send.id, stored.length + 1, { tx: unsigned, signed })
      await intendAttempt(tx, send, signed.txId, item)
    }),
  )
  memory.broadcastAt.delete(keyOf(send))
}

async function noteStuck({ ctx, row }: Pass, { send, attempts }: OpenSend): Promise<void> {
  const [newest] = attempts
  if (!newest) return
  await inTransaction(ctx, async (tx) => {
    if (!(await updateStuck(tx, send.id))) return
    const since = attempts.at(-1)?.firstSentAt ?? send.createdAt
    const minutes = Math.round((tx.now().getTime() - since.getTime()) / 60_000)
    const params = { walletID: send.walletId, blockchainCode: row.code, txHash: newest.txId, minutes }
    await raiseAlarm(tx, { kind: 'send_stuck', subject: subjectOf(send.walletId, row.code), params })
  })
}
