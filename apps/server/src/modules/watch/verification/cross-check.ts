import type { BlockFacts, BlockRef, ChainSession, ChainReader, Heads } from '@kassa/chains/adapter.ts'
import { type Context, inTransaction } from '../../../context.ts'
import { raiseAlarm } from '../../alarms/service.ts'
import { adapterOf } from '../../blockchains/chains/service.ts'
import { hasSecondOperator, openAnother } from '../../blockchains/nodes/service.ts'
import { depositsWithoutCrossCheck, type CrossCheck, recordCrossCheck, type Unproven } from '../../deposits/service.ts'
import { finalizeDue } from '../../payments/crediting/service.ts'
import { crossCheckByBalance } from './cross-check-by-balance.ts'
import { type Cursor, lockCursor } from '../blocks/cursor-store.ts'

/** Deposits asked about in one round; the rest follow in the next. */
const AT_ONCE = 200

const SILENT = 'A second node must agree because of the amount, and none answers now. It is asked again.'

const EARLY = 'Two nodes must call its block final because of the amount, and one does not yet. It is asked again.'

type Verdict = Pick<CrossCheck, 'verdict' | 'details'>

const CANNOT_TELL: Verdict = {
  verdict: 'alone',
  details: 'It has the same block and keeps no traces of internal transfers.',
}

const NOT_FINAL: Verdict = { verdict: 'silent', details: EARLY }

const UNHEARD: Verdict = { verdict: 'silent', details: SILENT }

/**
 * Asks two nodes, one of another operator, about every deposit of weight that is deep enough; settles those they agree on
 * (money.md 2.8). Returns false when it did not answer: then ask again a little later. Other deposits never wait for this.
 */
export async function crossCheck(
  ctx: Context,
  chain: ChainSession,
  reader: ChainReader,
  cursor: Cursor,
): Promise<boolean> {
  const { blockchainId, height: tip, finalizedHeight: finalized } = cursor
  const waiting = await depositsWithoutCrossCheck(ctx, { blockchainId, tip, finalized, limit: AT_ONCE })
  if (waiting.length === 0) return true
  const opinions = await opinionsOn(ctx, chain, reader, waiting)
  await inTransaction(ctx, async (tx) => {
    const now = await lockCursor(tx, cursor)
    for (const [at, opinion] of opinions.entries()) {
      const isNew = await recordCrossCheck(tx, opinion)
      const deposit = waiting[at]
      if (isNew && deposit && opinion.verdict === 'differs') await tellDisagreement(tx, chain, deposit, opinion)
    }
    await finalizeDue(tx, { blockchainId, tip: now.height, finalized: now.finalizedHeight })
  })
  return opinions.every(({ verdict }) => verdict !== 'silent')
}

/**
 * One opinion per deposit, in their order; every block is read once from each of two nodes: one of another operator, and the
 * one that is read with now, which need not be the one that reported the deposit (fail-over, rescans, audits).
 */
async function opinionsOn(
  ctx: Context,
  chain: ChainSession,
  reader: ChainReader,
  waiting: readonly Unproven[],
): Promise<CrossCheck[]> {
  const { id: blockchainId } = chain.chain.blockchain
  const all = (verdict: Verdict) => waiting.map(({ id }) => ({ depositId: id, nodeId: null, ...verdict }))
  if (!(await hasSecondOperator(ctx, blockchainId))) return all({ verdict: 'alone', details: 'There is one source.' })
  const other = await openAnother(ctx, blockchainId, chain.node.id, chain.signal)
  if (!other) return all({ verdict: 'silent', details: SILENT })
  const [theirs, ours] = await Promise.all([
    verdictsOf(ctx, other, reader, waiting),
    verdictsOf(ctx, chain, reader, waiting),
  ])
  return waiting.map(({ id: depositId }) =>
    moreSevere(opinionOf(other, depositId, theirs), opinionOf(chain, depositId, ours)),
  )
}

function opinionOf({ node }: ChainSession, depositId: bigint, verdicts: ReadonlyMap<bigint, Verdict>): CrossCheck {
  const { verdict, details } = verdicts.get(depositId) ?? UNHEARD
  return { depositId, nodeId: node.id, verdict, details: verdict === 'differs' ? `${node.label}: ${details}` : details }
}

/** From what settles a deposit to what holds it. */
const GRAVITY: readonly Verdict['verdict'][] = ['agrees', 'alone', 'silent', 'differs']

function moreSevere(theirs: CrossCheck, ours: CrossCheck): CrossCheck {
  return GRAVITY.indexOf(ours.verdict) > GRAVITY.indexOf(theirs.verdict) ? ours : theirs
}

/** What one node says of deposits, by their ids; nothing of those it says nothing about. */
async function verdictsOf(
  ctx: Context,
  node: ChainSession,
  reader: ChainReader,
  waiting: readonly Unproven[],
): Promise<ReadonlyMap<bigint, Verdict>> {
  const verdicts = new Map<bigint, Verdict>()
  const identity = await reader.identify(node).catch(() => null)
  if (!identity) return verdicts
  const heads = await reader.heads(node).catch(() => null)
  if (!heads) return verdicts
  const isTraced = identity.features.includes('traces')
  const byBalance = async (deposit: Unproven, block: BlockRef) =>
    (await crossCheckByBalance(ctx, node, { reader, deposit, block })) ?? UNHEARD
  for (const [height, group] of Map.groupBy(waiting, (deposit) => deposit.height)) {
    const facts = await readTheirs(node, reader, height, group)
    for (const deposit of group) {
      const verdict = isFinalIn(heads, deposit) ? judge(deposit, facts, isTraced) : NOT_FINAL
      const isBlind = verdict === CANNOT_TELL && facts && deposit.evidence === 'trace'
      verdicts.set(deposit.id, isBlind ? await byBalance(deposit, facts.block) : verdict)
    }
  }
  return verdicts
}

/** One node that calls its head final must not settle alone what the other may still take back. */
function isFinalIn({ latest, finalized }: Heads, { height, rule, confirmationsRequired }: Unproven): boolean {
  if (finalized && height <= finalized.height) return true
  if (rule === 'finalized') return !finalized
  return height <= latest.height - confirmationsRequired + 1
}

/** The block of a node with its transfers to these deposits' addresses; undefined when it has none yet, or fails. */
async function readTheirs(
  other: ChainSession,
  reader: ChainReader,
  height: number,
  group: readonly Unproven[],
): Promise<BlockFacts | undefined> {
  const codec = adapterOf(other.chain.blockchain.family)?.addresses
  const wanted = new Set(group.map(({ to }) => (codec ? keyText(codec.key(other.chain, to)) : '')))
  const want = {
    assets: new Set(group.map(({ assetId }) => assetId)),
    matches: (key: Uint8Array) => wanted.has(keyText(key)),
  }
  const facts = await reader.blocks(other, { from: height, to: height }, want).catch((): BlockFacts[] => [])
  return facts[0]
}

function keyText(key: Uint8Array): string {
  return Buffer.from(key).toString('hex')
}

/** What only traces show cannot be denied by a node that keeps none. */
function judge(deposit: Unproven, facts: BlockFacts | undefined, isTraced: boolean): Verdict {
  if (!facts) return UNHEARD
  if (facts.block.hash !== deposit.blockHash) {
    return { verdict: 'differs', details: `It has block ${facts.block.hash} at this height.` }
  }
  const isThere = facts.transfers.some(
    ({ txId, leg, assetId, to, units }) =>
      txId === deposit.txId &&
      leg === deposit.leg &&
      assetId === deposit.assetId &&
      to.toLowerCase() === deposit.to.toLowerCase() &&
      units === deposit.units,
  )
  if (isThere) return { verdict: 'agrees', details: 'It reports the same transfer in the same block.' }
  const cannotTell = (deposit.evidence === 'trace' && (!isTraced || facts.untraced)) || deposit.evidence === 'balance'
  if (cannotTell) return CANNOT_TELL
  return { verdict: 'differs', details: 'It has the same block without this transfer.' }
}

function tellDisagreement(
  ctx: Context,
  { chain }: ChainSession,
  { txId, leg, height }: Unproven,
  { details }: CrossCheck,
): Promise<void> {
  const { code } = chain.blockchain
  const text = `The nodes of ${code} disagree about ${txId} (${leg}) in block ${height}. ${details} The money is held. Look it up in an explorer before you release it.`
  return raiseAlarm(ctx, { kind: 'node_disagreement', subject: code, text })
}
