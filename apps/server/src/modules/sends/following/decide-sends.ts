import type { Impossible } from '@kassa/chains/adapter.ts'
import type { SendFailure } from '@kassa/contract/sends/reasons.ts'
import { confirmationsIn } from '@kassa/primitives/chains/blockchains.ts'

import { type Context, inTransaction } from '../../../context.ts'
import { clearAlarm, raiseAlarm } from '../../alarms/service.ts'
import { Overdrawn, post } from '../../ledger/service.ts'
import { decisionEntry } from '../record/postings.ts'
import { type ChainPosition, isBeyondReturn, isFinalDepth } from '../record/rules.ts'
import { emitSendMoved } from '../record/send-moved.ts'
import { listAttempts } from '../record/store.ts'
import { clearUnproven } from '../record/unproven-alarm.ts'
import { lockWallet } from '../record/wallet-locks.ts'
import { aboutSend, keyOf, type Pass } from './following.ts'
import { type Decided, lockOpenSend, moveDecided } from './move-store.ts'
import { findBranchState, type OpenSend } from './open-store.ts'
import { readPosition } from '../record/position-store.ts'
import { DECIDE_AGAIN_MS, isDue } from './rules.ts'

/**
 * Decides every send whose block is final by the chain's rule: processed, or failed when its execution was reverted. One that
 * the ledger cannot book yet raises an alarm and is tried again later; the others are decided meanwhile.
 */
export async function decideSends(pass: Pass, open: readonly OpenSend[]): Promise<void> {
  const { ctx, row, memory } = pass
  const position = await readPosition(ctx, row.id)
  if (!position) return
  const now = ctx.now().getTime()
  for (const one of open) {
    const mined = one.attempts.find((attempt) => attempt.mined !== null)?.mined
    if (!mined || !isFinal({ ctx, row }, mined, position)) continue
    if (!isDue(memory.unbookedAt.get(keyOf(one.send)), DECIDE_AGAIN_MS, now)) continue
    // Until it is decided: what fails is tried again later, and the others are decided meanwhile.
    memory.unbookedAt.set(keyOf(one.send), now)
    await pass.attempt(aboutSend(one.send), () => decideOrNote(pass, one))
  }
}

async function decideOrNote({ ctx, row }: Chain, one: OpenSend): Promise<void> {
  try {
    await decideMined({ ctx, row }, one)
  } catch (error) {
    if (!(error instanceof Overdrawn)) throw error
    await noteUnbooked({ ctx, row }, one, error)
  }
}

/**
 * The chain took more from the wallet than the ledger holds there: money that reached the wallet is not booked yet, or was
 * never seen.
 */
async function noteUnbooked({ ctx, row }: Chain, { send, attempts }: OpenSend, cause: Overdrawn): Promise<void> {
  const txHash = attempts.find(({ mined }) => mined !== null)?.txId ?? ''
  const params = { walletID: send.walletId, blockchainCode: row.code, txHash }
  ctx.log.warn({ err: cause, sendId: String(send.id) }, 'a send cannot be booked')
  await inTransaction(ctx, (tx) =>
    raiseAlarm(tx, { kind: 'send_unbooked', subject: unbookedSubject(row, send.id), params }),
  )
}

function unbookedSubject({ code }: Chain['row'], sendId: bigint): string {
  return `${code} send ${sendId}`
}

type Chain = Pick<Pass, 'ctx' | 'row'>

/** A failed send is paid again, so a failure waits until no reorganisation can undo it. */
function isFinal(
  { ctx, row }: Chain,
  mined: { readonly height: number; readonly failure: string | null },
  position: ChainPosition,
): boolean {
  if (mined.failure === null) return isFinalDepth(mined.height, position, row.minConfirmations)
  return isBeyondReturn(mined.height, position, confirmationsIn(ctx.config.network, row.definition))
}

async function decideMined({ ctx, row }: Chain, one: OpenSend): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const position = await readPosition(tx, row.id, 'lock')
    const send = position && (await lockOpenSend(tx, one.send.id))
    if (!send) return
    // Read again under the locks: a reorganisation may have taken the block back meanwhile.
    const attempt = (await listAttempts(tx, [send.id])).find(({ mined }) => mined !== null)
    const mined = attempt?.mined
    if (!mined || !isFinal({ ctx, row }, mined, position)) return
    const failure: SendFailure | null = mined.failure === null ? null : { code: mined.failure, params: {} }
    await decide(tx, one, {
      ...{ attempt: attempt.n, txId: attempt.txId, failure, feeUnits: mined.feeUnits },
      block: { height: mined.height, hash: mined.blockHash },
    })
    await clearAlarm(tx, { kind: 'send_unbooked', subject: unbookedSubject(row, send.id) })
  })
}

/**
 * Fails a send once a block that no reorganisation can remove proves that none of its attempts can be mined any more. Where
 * another transaction has its sequence, the wallet is locked, because another program uses the key. Nothing but such a proof leads
 * here (D-4).
 */
export async function decideImpossible({ ctx, row }: Pass, one: OpenSend, proof: Impossible): Promise<void> {
  const { block } = proof
  await inTransaction(ctx, async (tx) => {
    const position = await readPosition(tx, row.id, 'lock')
    if (!position || !isBeyondReturn(block.height, position, confirmationsIn(ctx.config.network, row.definition)))
      return
    const place = await findBranchState(tx, row.id, block)
    if (place !== 'ours' && place !== 'gone') return
    const send = await lockOpenSend(tx, one.send.id)
    const [newest] = one.attempts
    if (!send || !newest) return
    const failure: SendFailure =
      proof.kind === 'replaced' ? { code: 'replaced', params: { txHash: proof.txId } } : { code: 'expired', params: {} }
    await decide(tx, one, { attempt: null, txId: newest.txId, failure, feeUnits: 0n, block })
    await clearUnproven(tx, row, send)
    if (proof.kind !== 'replaced' || send.sequence === null) return
    const { walletId, blockchainId, sequence: expected } = send
    await lockWallet(tx, { walletId, blockchainId, code: 'used_elsewhere', expected, found: expected + 1n })
  })
}

type Decision = Pick<Decided, 'attempt' | 'feeUnits'> & {
  readonly txId: string
  readonly block: { readonly height: number; readonly hash: string }
  readonly failure: SendFailure | null
}

/** State, ledger and business row move together (D-5). */
async function decide(tx: Context, { send: { id }, item }: OpenSend, decision: Decision): Promise<void> {
  const { block, failure, feeUnits, txId, attempt } = decision
  const send = await moveDecided(tx, id, { attempt, height: block.height, feeUnits, failure })
  if (!send) return
  const isProcessed = failure === null
  await post(tx, [decisionEntry(send, { feeUnits, height: block.height, isProcessed })])
  const state = isProcessed ? 'processed' : 'failed'
  const { height, hash } = block
  const { id: sendId, purpose } = send
  await emitSendMoved(tx, { sendId, purpose, item, state, txId, feeUnits, block: { height, hash }, failure })
}
