import type { ChainSession, Outcome, SentFacts } from '@kassa/chains/adapter.ts'
import { NodeRejected, RetryableRpcError } from '@kassa/chains/errors.ts'

import { type Context, inTransaction } from '../../../context.ts'
import { hasSecondOperator } from '../../blockchains/nodes/service.ts'
import { listAttempts } from '../record/store.ts'
import { raiseUnproven } from '../record/unproven-alarm.ts'
import { decideImpossible } from './decide-sends.ts'
import { aboutSend, keyOf, type Pass } from './following.ts'
import { lockOpenSend } from './move-store.ts'
import { noteMined } from './note-mined.ts'
import { noteSent } from './broadcast-sends.ts'
import type { OpenSend } from './open-store.ts'
import { askEveryMs, isDue, isMined, isOverdue, UNPROVEN_AFTER_MS, UNPROVEN_AGAIN_MS } from './rules.ts'

/** Asks nodes for the outcome of every send that no block of ours holds, and stores what is proven. */
export async function askOutcomes(pass: Pass, open: readonly OpenSend[]): Promise<void> {
  const { ctx, row, memory } = pass
  const every = askEveryMs(row.definition.blockSeconds, ctx.config.network === 'sandbox')
  const now = ctx.now().getTime()
  for (const one of open) {
    if (isMined(one) || !isDue(memory.askedAt.get(keyOf(one.send)), every, now)) continue
    memory.askedAt.set(keyOf(one.send), now)
    await pass.attempt(aboutSend(one.send), () => askOne(pass, one))
  }
}

async function askOne(pass: Pass, one: OpenSend): Promise<void> {
  const asked = askedOf(one)
  const outcome = await outcomeBy(pass, pass.session, asked)
  const isKnown = outcome?.state === 'mined' || outcome?.state === 'pending'
  if (isKnown && one.send.state === 'initiated') await noteKnown(pass, one, outcome)
  if (outcome === null || !isProven(outcome) || !(await isAgreed(pass, asked, outcome))) return noteUnproven(pass, one)
  if (outcome.state === 'mined') await noteMined(pass, one, outcome)
  else await decideImpossible(pass, one, outcome.proof)
}

/**
 * Raises an alarm about a send whose expiry has passed long ago while nodes do not prove what became of it. Its money stays
 * reserved (D-4); only an operator can bring the second opinion that the proof needs.
 */
async function noteUnproven({ ctx, row, memory }: Pass, one: OpenSend): Promise<void> {
  const { send, attempts } = one
  const [newest] = attempts
  const [key, now] = [keyOf(send), ctx.now().getTime()]
  if (!newest || !isOverdue(one, now) || !isDue(memory.unprovenAt.get(key), UNPROVEN_AGAIN_MS, now)) return
  const why = (await hasSecondOperator(ctx, row.id)) ? 'disagreement' : 'one_operator'
  const facts = { case: why, txHash: newest.txId, minutes: UNPROVEN_AFTER_MS / 60_000 } as const
  await inTransaction(ctx, async (tx) => {
    // Another process may lead by now, and know what became of it.
    if (!(await lockOpenSend(tx, send.id)) || isMined({ attempts: await listAttempts(tx, [send.id]) })) return
    await raiseUnproven(tx, row, send, facts)
  })
  memory.unprovenAt.set(key, now)
}

/** The outcome of a transaction that another key than a hot wallet's signed, where nodes of two operators agree; else null. */
export async function agreedOutcome(pass: Asking, asked: Asked): Promise<Proven | null> {
  const outcome = await outcomeBy(pass, pass.session, asked)
  return outcome !== null && isProven(outcome) && (await isAgreed(pass, asked, outcome)) ? outcome : null
}

type Asking = Pick<Pass, 'ctx' | 'sender' | 'session' | 'other' | 'needsSecond'>

/** A question about a transaction; `name` is what the log calls it. */
type Asked = { readonly name: string; readonly facts: SentFacts }

function askedOf(one: OpenSend): Asked {
  return { name: `send ${one.send.id}`, facts: factsOf(one) }
}

/** A node that knows an attempt has accepted it, whatever it answered to the broadcast. */
async function noteKnown(pass: Pass, one: OpenSend, outcome: Outcome): Promise<void> {
  const txId = outcome.state === 'mined' ? outcome.tx.txId : null
  const attempt = one.attempts.find((each) => each.txId === txId) ?? one.attempts[0]
  if (attempt) await noteSent(pass, one, attempt)
}

/** What one node answers; null when it contradicts itself or says nothing. */
async function outcomeBy(
  { ctx, sender }: Pick<Pass, 'ctx' | 'sender'>,
  node: ChainSession,
  { name, facts }: Asked,
): Promise<Outcome | null> {
  try {
    return await sender.outcome(node, facts)
  } catch (error) {
    if (!(error instanceof RetryableRpcError) && !(error instanceof NodeRejected)) throw error
    ctx.log.warn({ err: error, about: name }, 'a node does not say what became of a transaction')
    return null
  }
}

function factsOf({ send, attempts }: OpenSend): SentFacts {
  const { from, sequence, plannedHeight: sinceHeight } = send
  const asked = attempts.map(({ txId, validUntil, body }) => ({ txId, validUntil, body }))
  return { from, sequence, sinceHeight, attempts: asked }
}

export type Proven = Extract<Outcome, { state: 'mined' } | { state: 'impossible' }>

function isProven(outcome: Outcome): outcome is Proven {
  return outcome.state === 'mined' || outcome.state === 'impossible'
}

/**
 * Whether the node of a second operator, where one is switched on, says the same: a single node that lies decides nothing. A
 * proof that itself needs a second node (TRON) asks the first one again, because two operators have no third.
 */
async function isAgreed(pass: Asking, asked: Asked, outcome: Proven): Promise<boolean> {
  if (!pass.other) return !pass.needsSecond
  const second = await outcomeBy(pass, { ...pass.other, another: async () => pass.session }, asked)
  if (second && second.state === outcome.state && factOf(second) === factOf(outcome)) return true
  noteDisagreement(pass.ctx, asked, outcome, second)
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

function noteDisagreement(ctx: Context, { name }: Asked, first: Outcome, second: Outcome | null): void {
  const said = { first: factOf(first), second: second === null ? 'nothing' : factOf(second) }
  ctx.log.warn({ about: name, ...said }, 'two nodes do not say the same of a transaction')
}
