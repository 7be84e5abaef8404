import type { BlockFacts, BlockRef, ChainSession, ChainAdapter, Heads } from '@kassa/chains/adapter.ts'
import { contradictionText } from '@kassa/contract/alarms/catalogue.ts'
import { DEPOSIT_WAITS } from '@kassa/contract/deposits/waits.ts'
import { textOf } from '@kassa/contract/kit/reason.ts'
import { type Context, inTransaction } from '../../../context.ts'
import { raiseAlarm } from '../../alarms/service.ts'
import { hasSecondOperator } from '../../blockchains/nodes/service.ts'
import { depositsWithoutCrossCheck, type CrossCheck, recordCrossCheck, type Unproven } from '../../deposits/service.ts'
import { settleDue } from '../settlement/settle.ts'
import { crossCheckByBalance, type Verdict } from './cross-check-by-balance.ts'
import { type Cursor, lockCursor } from '../blocks/cursor-store.ts'

/** Deposits asked about at once; the rest follow in the next pass. */
const AT_ONCE = 200

const UNDECIDED: Verdict = {
  verdict: 'alone',
  details: 'It has the same block and keeps no traces of internal transfers.',
}

const NOT_FINAL: Verdict = { verdict: 'silent', waits: 'second_node_behind' }

const UNHEARD: Verdict = { verdict: 'silent', waits: 'second_node_silent' }

/**
 * Asks two nodes, one of another operator, about every high-value deposit that is deep enough, and finalizes those they agree
 * on (money.md 2.8). Returns false when the other node did not answer: ask again a little later. Other deposits never wait for
 * this.
 */
export async function crossCheck(
  ctx: Context,
  session: ChainSession,
  adapter: ChainAdapter,
  cursor: Cursor,
): Promise<boolean> {
  const { blockchainId, height: tip, finalizedHeight: finalized } = cursor
  const waiting = await depositsWithoutCrossCheck(ctx, { blockchainId, tip, finalized, limit: AT_ONCE })
  if (waiting.length === 0) return true
  const answers = await askTwoNodes(ctx, session, adapter, waiting)
  await inTransaction(ctx, async (tx) => {
    const now = await lockCursor(tx, cursor)
    for (const answer of answers) {
      const isNew = await recordCrossCheck(tx, crossCheckOf(answer))
      if (isNew) await raiseDisagreement(tx, session, answer)
    }
    await settleDue(tx, { blockchainId, tip: now.height, finalized: now.finalizedHeight })
  })
  return answers.every(({ verdict }) => verdict.verdict !== 'silent')
}

/** The result for a deposit, and the node that gave it; null when there is no node to ask, or none answers. */
type Answer = { readonly deposit: Unproven; readonly node: ChainSession['node'] | null; readonly verdict: Verdict }

/**
 * Returns one answer per deposit, in their order. It reads every block once from each of two nodes: one of another operator,
 * and the one in use now, which need not have reported the deposit (fail-over, rescans, audits).
 */
async function askTwoNodes(
  ctx: Context,
  session: ChainSession,
  adapter: ChainAdapter,
  waiting: readonly Unproven[],
): Promise<Answer[]> {
  const { id: blockchainId } = session.chain.blockchain
  const all = (verdict: Verdict) => waiting.map((deposit) => ({ deposit, node: null, verdict }))
  if (!(await hasSecondOperator(ctx, blockchainId))) return all({ verdict: 'alone', details: 'There is one source.' })
  const other = await session.another()
  if (!other) return all(UNHEARD)
  const [theirs, ours] = await Promise.all([
    verdictsOf(ctx, other, adapter, waiting),
    verdictsOf(ctx, session, adapter, waiting),
  ])
  return waiting.map((deposit) =>
    moreSevere(
      { deposit, node: other.node, verdict: theirs.get(deposit.id) ?? UNHEARD },
      { deposit, node: session.node, verdict: ours.get(deposit.id) ?? UNHEARD },
    ),
  )
}

/** An answer as it is stored; it names a node that contradicts, for the list of cross-checks. */
function crossCheckOf({ deposit, node, verdict: said }: Answer): CrossCheck {
  const stored = { depositId: deposit.id, nodeId: node?.id ?? null, verdict: said.verdict, waits: null }
  if (said.verdict === 'silent') {
    return { ...stored, waits: said.waits, details: textOf(DEPOSIT_WAITS, { code: said.waits, params: {} }) }
  }
  if (said.verdict !== 'differs') return { ...stored, details: said.details }
  return { ...stored, details: `${node?.label}: ${contradictionText(said.contradiction)}` }
}

/** Ordered from the answer that lets a deposit count to the one that quarantines it. */
const SEVERITY: readonly Verdict['verdict'][] = ['agrees', 'alone', 'silent', 'differs']

function moreSevere(theirs: Answer, ours: Answer): Answer {
  return SEVERITY.indexOf(ours.verdict.verdict) > SEVERITY.indexOf(theirs.verdict.verdict) ? ours : theirs
}

/** One node's verdicts on deposits, by their ids; without those on which it says nothing. */
async function verdictsOf(
  ctx: Context,
  node: ChainSession,
  adapter: ChainAdapter,
  waiting: readonly Unproven[],
): Promise<ReadonlyMap<bigint, Verdict>> {
  const verdicts = new Map<bigint, Verdict>()
  const { reader, addresses, balances, traces } = adapter
  const heads = await reader.heads(node).catch(() => null)
  // In a family without traces there are no internal transfers that a node could leave out.
  const isTraced = await (traces?.isTracing(node) ?? Promise.resolve(true)).catch(() => null)
  if (!heads || isTraced === null) return verdicts
  const spelled = (one: Unproven) => ({ ...one, to: addresses.normalize(node.chain, one.to) })
  const byBalance = async (deposit: Unproven, block: BlockRef) =>
    balances ? ((await crossCheckByBalance(ctx, node, { balances, deposit, block })) ?? UNHEARD) : UNDECIDED
  for (const [height, group] of Map.groupBy(waiting, (deposit) => deposit.height)) {
    const facts = await readTheirs(node, adapter, height, group)
    for (const deposit of group) {
      const verdict = isFinalIn(heads, deposit) ? judge(spelled(deposit), facts, isTraced) : NOT_FINAL
      const isBlind = verdict === UNDECIDED && facts && deposit.evidence === 'trace'
      verdicts.set(deposit.id, isBlind ? await byBalance(deposit, facts.block) : verdict)
    }
  }
  return verdicts
}

/** One node alone must not finalize, by calling its head final, what the other node may still revert. */
function isFinalIn({ latest, finalized }: Heads, { height, rule, confirmationsRequired }: Unproven): boolean {
  if (finalized && height <= finalized.height) return true
  if (rule === 'finalized') return !finalized
  return height <= latest.height - confirmationsRequired + 1
}

/** The block of a node with its transfers to these deposits' addresses; undefined when it has none yet, or fails. */
async function readTheirs(
  other: ChainSession,
  { reader, addresses }: ChainAdapter,
  height: number,
  group: readonly Unproven[],
): Promise<BlockFacts | undefined> {
  const wanted = new Set(group.map(({ to }) => keyText(addresses.key(other.chain, to))))
  const filter = {
    assets: new Set(group.map(({ assetId }) => assetId)),
    matches: (key: Uint8Array) => wanted.has(keyText(key)),
  }
  const facts = await reader.blocks(other, { from: height, to: height }, filter).catch((): BlockFacts[] => [])
  return facts[0]
}

function keyText(key: Uint8Array): string {
  return Buffer.from(key).toString('hex')
}

/** A node that keeps no traces cannot deny what only traces show. */
function judge(deposit: Unproven, facts: BlockFacts | undefined, isTraced: boolean): Verdict {
  if (!facts) return UNHEARD
  if (facts.block.hash !== deposit.blockHash) {
    return { verdict: 'differs', contradiction: { case: 'other_block', hash: facts.block.hash } }
  }
  const isThere = facts.transfers.some(
    ({ txId, leg, assetId, to, units }) =>
      txId === deposit.txId &&
      leg === deposit.leg &&
      assetId === deposit.assetId &&
      to === deposit.to &&
      units === deposit.units,
  )
  if (isThere) return { verdict: 'agrees', details: 'It reports the same transfer in the same block.' }
  const isUndecided =
    (deposit.evidence === 'trace' && (!isTraced || facts.internalTransfers !== 'complete')) ||
    deposit.evidence === 'balance'
  if (isUndecided) return UNDECIDED
  return { verdict: 'differs', contradiction: { case: 'no_transfer' } }
}

async function raiseDisagreement(
  ctx: Context,
  { chain }: ChainSession,
  { deposit, node, verdict }: Answer,
): Promise<void> {
  if (verdict.verdict !== 'differs') return
  const { code: blockchainCode } = chain.blockchain
  const { txId: txHash, leg, height } = deposit
  const where = { blockchainCode, txHash, leg, height, node: node?.label ?? '' }
  const params = { case: 'deposit', ...where, contradiction: verdict.contradiction } as const
  await raiseAlarm(ctx, { kind: 'node_disagreement', subject: blockchainCode, params })
}
