import type { ChainSession, Outcome, SentFacts } from '@kassa/chains/adapter.ts'
import { NodeRejected, RetryableRpcError } from '@kassa/chains/errors.ts'

import type { Context } from '../../../context.ts'
import { decideImpossible } from './decide-sends.ts'
import { keyOf, type Round } from './following.ts'
import { noteMined } from './note-mined.ts'
import { noteSent } from './broadcast-sends.ts'
import type { OpenSend } from './open-store.ts'
import { askEveryMs, isDue, isMined } from './rules.ts'

/** Asks what became of every send that no block of ours holds, and notes what is proven. */
export async function askOutcomes(round: Round, open: readonly OpenSend[]): Promise<void> {
  const { ctx, row, memory } = round
  const every = askEveryMs(row.definition.blockSeconds, ctx.config.network === 'sandbox')
  const now = ctx.now().getTime()
  for (const one of open) {
    if (isMined(one) || !isDue(memory.askedAt.get(keyOf(one.send)), every, now)) continue
    memory.askedAt.set(keyOf(one.send), now)
    await askOne(round, one)
  }
}

async function askOne(round: Round, one: OpenSend): Promise<void> {
  const outcome = await outcomeBy(round, round.session, one)
  if (outcome === null || outcome.state === 'unknown') return
  if (outcome.state !== 'impossible' && one.send.state === 'initiated') await noteKnown(round, one, outcome)
  if (!isProven(outcome) || !(await isAgreed(round, one, outcome))) return
  if (outcome.state === 'mined') await noteMined(round, one, outcome)
  else await decideImpossible(round, one, outcome.proof)
}

/** A node that knows an attempt has taken it, whatever it answered then. */
async function noteKnown(round: Round, one: OpenSend, outcome: Outcome): Promise<void> {
  const txId = outcome.state === 'mined' ? outcome.tx.txId : null
  const attempt = one.attempts.find((each) => each.txId === txId) ?? one.attempts[0]
  if (attempt) await noteSent(round, one, attempt)
}

/** What one node says; null when it contradicts itself or says nothing. */
async function outcomeBy(
  { ctx, sender }: Pick<Round, 'ctx' | 'sender'>,
  node: ChainSession,
  one: OpenSend,
): Promise<Outcome | null> {
  try {
    return await sender.outcome(node, factsOf(one))
  } catch (error) {
    if (!(error instanceof RetryableRpcError) && !(error instanceof NodeRejected)) throw error
    ctx.log.warn({ err: error, sendId: String(one.send.id) }, 'a node does not say what became of a transaction')
    return null
  }
}

function factsOf({ send, attempts }: OpenSend): SentFacts {
  const { from, sequence, plannedHeight: sinceHeight } = send
  const asked = attempts.map(({ txId, validUntil, body }) => ({ txId, validUntil, body }))
  return { from, sequence, sinceHeight, attempts: asked }
}

type Proven = Extract<Outcome, { state: 'mined' } | { state: 'impossible' }>

function isProven(outcome: Outcome): outcome is Proven {
  return outcome.state === 'mined' || outcome.state === 'impossible'
}

/** A node that lies alone convinces nobody where a second operator's node is switched on: it must say the same. */
async function isAgreed(round: Round, one: OpenSend, outcome: Proven): Promise<boolean> {
  if (!round.other) return !round.needsSecond
  const second = await outcomeBy(round, round.other, one)
  if (second && second.state === outcome.state && factOf(second) === factOf(outcome)) return true
  noteDisagreement(round.ctx, one, outcome, second)
  return false
}

function factOf(outcome: Outcome): string {
  if (outcome.state === 'mined') {
    const { tx, block, failure, fee } = outcome
    return [tx.txId, block.hash, failure, fee].join(' ')
  }
  if (outcome.state !== 'impossible') return outcome.state
  const { proof } = outcome
  return proof.kind === 'replaced' ? `${proof.txId} ${proof.block.hash}` : proof.kind
}

function noteDisagreement(ctx: Context, { send }: OpenSend, first: Outcome, second: Outcome | null): void {
  const said = { first: factOf(first), second: second === null ? 'nothing' : factOf(second) }
  ctx.log.warn({ sendId: String(send.id), ...said }, 'two nodes do not say the same of a transaction')
}
