import type { ChainSession, Outcome, SentFacts } from '../../adapter.ts'
import { RetryableRpcError } from '../../errors.ts'
import { refOf } from '../blocks/blocks.ts'
import { TRANSFER_TOPIC } from '../blocks/transfers.ts'
import { toHex } from '../encoding/hex.ts'
import { readRawTransaction } from '@kassa/keys/tron/transaction.ts'
import { object, readBlock, readInfo, requireAnswer, type WireInfo } from '../encoding/wire.ts'
import { ask, askAll, walletCall } from '../network/calls.ts'
import { readSolidified, requireOwnNetwork } from '../network/heads.ts'
import { tokenReceiver } from './calls.ts'
import { rawOf } from './plan.ts'

type Attempt = SentFacts['attempts'][number]

/**
 * Returns what became of a send, by the ids of its transactions; see `ChainSender.outcome`. TRON has no sequence: an attempt is
 * impossible once a final block is younger than its expiry, and no node that was asked has it in a block.
 */
export async function readOutcome(session: ChainSession, sent: SentFacts): Promise<Outcome> {
  const { lapsed, found } = await look(session, sent)
  if (found) return found
  if (lapsed) {
    const other = await session.another()
    if (other === null && session.chain.mode !== 'sandbox') return UNKNOWN
    const second = other && (await look(other, sent))
    if (second?.found) return second.found
    if (second && !second.lapsed) return UNKNOWN
    return { state: 'impossible', proof: { kind: 'expired', block: lapsed } }
  }
  const known = await askAll(
    session,
    sent.attempts.map(({ txId }) => walletCall('gettransactionbyid', { value: txId })),
  )
  return known.some((one) => object(one, 'transaction')['txID'] !== undefined) ? { state: 'pending' } : UNKNOWN
}

const UNKNOWN = { state: 'unknown' } as const

/**
 * Reads the final block first: otherwise a node that is catching up could add a block with our transaction between the two
 * answers.
 */
async function look(session: ChainSession, sent: SentFacts) {
  await requireOwnNetwork(session)
  const lapsed = await lapsedIn(session, sent)
  return { lapsed, found: await findMined(session, sent) }
}

async function findMined(session: ChainSession, { attempts }: SentFacts): Promise<Outcome | null> {
  const answers = await askAll(
    session,
    attempts.map(({ txId }) => walletCall('gettransactioninfobyid', { value: txId })),
  )
  for (const [at, attempt] of attempts.entries()) {
    const info = readInfo(answers[at])
    if (info === null || info.height === null) continue
    if (info.txId !== attempt.txId) throw lying(session, `answers for another transaction than ${attempt.txId}`)
    return mined(session, attempt, info, info.height)
  }
  return null
}

/** The final block that is younger than the expiry of every attempt; null while there is none. */
async function lapsedIn(session: ChainSession, { attempts }: SentFacts) {
  const last = Math.max(...attempts.map(({ validUntil }) => validUntil?.getTime() ?? Infinity))
  const block = await readSolidified(session)
  return block.minedAt.getTime() > last ? block : null
}

async function mined(session: ChainSession, attempt: Attempt, info: WireInfo, height: number): Promise<Outcome> {
  const answer = object(await ask(session, walletCall('getblockbynum', { num: height })), 'block')
  requireAnswer(answer)
  const block = readBlock(answer)
  const tx = block?.transactions.find(({ txId }) => txId === attempt.txId)
  if (!block || block.height !== height || !tx) throw lying(session, `has no ${attempt.txId} in its block`)
  return {
    state: 'mined',
    tx: { txId: attempt.txId },
    block: refOf(block),
    failure: failureOf(attempt, tx.isSuccess, info),
    fee: info.fee,
    evidence: 'receipt',
  }
}

/** A token may let a transfer succeed and move nothing: then it logged nothing either. */
function failureOf(attempt: Attempt, isSuccess: boolean, info: WireInfo): 'reverted' | 'no_transfer' | null {
  const { message } = readRawTransaction(rawOf(attempt))
  if (!isSuccess || (message.kind === 'call' && !info.isSuccess)) return 'reverted'
  const receiver = tokenReceiver(message)
  if (receiver === null || message.kind !== 'call') return null
  const token = toHex(message.to)
  const isMoved = info.logs.some(
    ({ address, topics: [topic, , to] }) => address === token && topic === TRANSFER_TOPIC && to?.slice(24) === receiver,
  )
  return isMoved ? null : 'no_transfer'
}

function lying({ node }: ChainSession, what: string): RetryableRpcError {
  return new RetryableRpcError('inconsistent', `${node.label} ${what}`)
}
