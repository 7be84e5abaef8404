import type { BroadcastRefusal, ChainSender, ChainSession } from '@kassa/chains/adapter.ts'
import { NodeRejected, RetryableRpcError } from '@kassa/chains/errors.ts'

import { inTransaction } from '../../../context.ts'
import { emitSendMoved } from '../record/send-moved.ts'
import type { Attempt } from '../record/send.ts'
import { noteLowOnChain } from '../signing/low-wallet.ts'
import { aboutSend, keyOf, type Pass } from './following.ts'
import { moveSent, updateAnswer } from './move-store.ts'
import type { OpenSend } from './open-store.ts'
import { isDue, isMined, REBROADCAST_MS } from './rules.ts'

/**
 * Gives two nodes the committed bytes of every send that no block holds, in the order of their sequences, and again every 30
 * seconds (D-3: only committed rows are broadcast). Silence and rejections prove nothing, so it tries again.
 */
export async function broadcastSends(pass: Pass, open: readonly OpenSend[]): Promise<void> {
  const now = pass.ctx.now().getTime()
  const { broadcastAt } = pass.memory
  const due = open.filter((one) => !isMined(one) && isDue(broadcastAt.get(keyOf(one.send)), REBROADCAST_MS, now))
  const byWallet = Map.groupBy(due, ({ send }) => send.walletId)
  await Promise.all(
    [...byWallet.values()].map(async (sends) => {
      for (const one of sends) {
        broadcastAt.set(keyOf(one.send), now)
        await pass.attempt(aboutSend(one.send), () => broadcastOne(pass, one))
      }
    }),
  )
}

/** Sends the newest attempt; after a reorganisation all attempts, because an older one may have been the mined one. */
async function broadcastOne(pass: Pass, { send, item, attempts }: OpenSend): Promise<void> {
  const wanted = send.decisions > 0 ? attempts : attempts.slice(0, 1)
  for (const attempt of wanted) {
    const answers = await broadcastAttempt(pass, attempt)
    const isTaken = answers.some((answer) => answer === 'accepted' || answer === 'known')
    const refusal = answers.find((answer): answer is BroadcastRefusal => typeof answer === 'object' && answer !== null)
    if (isTaken) await noteSent(pass, { send, item, attempts }, attempt)
    else if (refusal) await noteRefusal(pass, { send, item, attempts }, attempt, refusal)
  }
}

type Answer = 'accepted' | 'known' | BroadcastRefusal | null

type Broadcaster = Pick<ChainSender, 'broadcast'>

/**
 * Gives two nodes the bytes of a committed row, whatever key signed them. The answer is null for a node that said nothing: it
 * may have accepted them or not.
 */
export function broadcastAttempt(
  { ctx, sender, session, other }: Pick<Pass, 'ctx' | 'session' | 'other'> & { readonly sender: Broadcaster },
  { txId, raw }: Pick<Attempt, 'txId' | 'raw'>,
): Promise<Answer[]> {
  const ask = async (node: ChainSession): Promise<Answer> => {
    try {
      return await sender.broadcast(node, { txId, raw })
    } catch (error) {
      if (!(error instanceof RetryableRpcError) && !(error instanceof NodeRejected)) throw error
      ctx.log.warn({ err: error, txId }, 'a node did not say whether it took a transaction')
      return null
    }
  }
  return Promise.all([session, ...(other ? [other] : [])].map(ask))
}

/** Notes that a node took or knows an attempt; the first time the send is `sent`. */
export async function noteSent(pass: Pick<Pass, 'ctx'>, { send, item }: OpenSend, attempt: Attempt): Promise<void> {
  await inTransaction(pass.ctx, async (tx) => {
    const moved = await moveSent(tx, send.id)
    await updateAnswer(tx, send.id, attempt.n, null)
    if (!moved) return
    const { id: sendId, purpose } = send
    const { txId } = attempt
    const state = 'sent' as const
    await emitSendMoved(tx, { sendId, purpose, item, state, txId, feeUnits: null, block: null, failure: null })
  })
}

async function noteRefusal(pass: Pass, one: OpenSend, attempt: Attempt, refusal: BroadcastRefusal): Promise<void> {
  const { ctx, row } = pass
  if (attempt.refusal !== refusal.reason) {
    ctx.log.warn({ txId: attempt.txId, blockchain: row.code, ...refusal }, 'no node takes a transaction')
    await updateAnswer(ctx, one.send.id, attempt.n, refusal.reason)
  }
  if (refusal.code === 'short_of_coin') {
    const { send } = one
    const moved = send.assetId === send.feeAssetId ? send.units : 0n
    await noteLowOnChain(pass, send, attempt.maxFee + moved)
  }
}
