import type { BlockFacts, BlockRef, ChainContext, ChainReader, Heads } from '@kassa/chains/adapter.ts'
import { type Context, inTransaction } from '../../../context.ts'
import { raiseAlarm } from '../../alarms/service.ts'
import { adapterOf } from '../../blockchains/chains/service.ts'
import { hasSecondOperator, openAnother } from '../../blockchains/nodes/service.ts'
import { depositsWithoutCrossCheck, type CrossCheck, recordCrossCheck, type Unproven } from '../../deposits/service.ts'
import { finalizeDue } from '../../payments/crediting/service.ts'
import { crossCheckByBalance } from './cross-check-by-balance.ts'
import { type Cursor, lockCursor } from '../blocks/cursor-store.ts'

/** Deposits checked in one pass; the rest follow in the next. */
const AT_ONCE = 200

const SILENT = 'A second node must agree because of the amount, and none answers now. Kassa asks again.'

const EARLY = 'Two nodes must call its block final because of the amount, and one does not yet. Kassa asks again.'

type Verdict = Pick<CrossCheck, 'verdict' | 'details'>

const CANNOT_CONFIRM: Verdict = {
  verdict: 'alone',
  details: 'It has the same block and no traces of internal transfers.',
}

const NOT_FINAL: Verdict = { verdict: 'silent', details: EARLY }

const NO_ANSWER: Verdict = { verdict: 'silent', details: SILENT }

/**
 * Asks two nodes, one of another operator, about every high-value deposit that is deep enough; finalizes those they
 * agree on (money.md 2.8). Returns false when one did not answer: then ask again a little later. Other deposits never
 * wait for this.
 */
export async function crossCheck(
  ctx: Context,
  chain: ChainContext,
  reader: ChainReader,
  cursor: Cursor,
): Promise<boolean> {
  const { blockchainId, height: tip, finalizedHeight: finalized } = cursor
  const waiting = await depositsWithoutCrossCheck(ctx, { blockchainId, tip, finalized, limit: AT_ONCE })
  if (waiting.length === 0) return true
  const checks = await crossChecksOf(ctx, chain, reader, waiting)
  await inTransaction(ctx, async (tx) => {
    const now = await lockCursor(tx, cursor)
    for (const [at, check] of checks.entries()) {
      const isNew = await recordCrossCheck(tx, check)
      const deposit = waiting[at]
      if (isNew && deposit && check.verdict === 'differs') await raiseDisagreement(tx, chain, deposit, check)
    }
    await finalizeDue(tx, { blockchainId, tip: now.height, finalized: now.finalizedHeight })
  })
  return checks.every(({ verdict }) => verdict !== 'silent')
}

/**
 * One cross-check per deposit, in their order; every block is read once from each of two nodes: one of another
 * operator, and the current one, which need not be the one that reported the deposit (fail-over, rescans, audits).
 */
async function crossChecksOf(
  ctx: Context,
  chain: ChainContext,
  reader: ChainReader,
  waiting: readonly Unproven[],
): Promise<CrossCheck[]> {
  const { id: blockchainId } = chain.chain.blockchain
  const all = (verdict: Verdict) => waiting.map(({ id }) => ({ depositId: id, nodeId: null, ...verdict }))
  if (!(await hasSecondOperator(ctx, blockchainId)))
    return all({ verdict: 'alone', details: 'There is only one operator.' })
  const other = await openAnother(ctx, blockchainId, chain.node.id, chain.signal)
  if (!other) return all({ verdict: 'silent', details: SILENT })
  const [theirs, ours] = await Promise.all([
    verdictsOf(ctx, other, reader, waiting),
    verdictsOf(ctx, chain, reader, waiting),
  ])
  return waiting.map(({ id: depositId }) =>
    moreSevere(crossCheckOf(other, depositId, theirs), crossCheckOf(chain, depositId, ours)),
  )
}

function crossCheckOf({ node }: ChainContext, depositId: bigint, verdicts: ReadonlyMap<bigint, Verdict>): CrossCheck {
  const { verdict, details } = verdicts.get(depositId) ?? NO_ANSWER
  return { depositId, nodeId: node.id, verdict, details: verdict === 'differs' ? `${node.label}: ${details}` : details }
}

/** From what finalizes a deposit to what quarantines it. */
const SEVERITY: readonly Verdict['verdict'][] = ['agrees', 'alone', 'silent', 'differs']

function moreSevere(theirs: CrossCheck, ours: CrossCheck): CrossCheck {
  return SEVERITY.indexOf(ours.verdict) > SEVERITY.indexOf(theirs.verdict) ? ours : theirs
}

/** The verdicts of one node on deposits, by their ids; none for a deposit it gave no answer about. */
async function verdictsOf(
  ctx: Context,
  node: ChainContext,
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
    (await crossCheckByBalance(ctx, node, { reader, deposit, block })) ?? NO_ANSWER
  for (const [height, group] of Map.groupBy(waiting, (deposit) => deposit.height)) {
    const facts = await readTheirs(node, reader, height, group)
    for (const deposit of group) {
      const verdict = isFinalIn(heads, deposit) ? judge(deposit, facts, isTraced) : NOT_FINAL
      const isBlind = verdict === CANNOT_CONFIRM && facts && deposit.evidence === 'trace'
      verdicts.set(deposit.id, isBlind ? await byBalance(deposit, facts.block) : verdict)
    }
  }
  return verdicts
}

/** Both nodes must call the block final: the claim of one must not finalize what the other may still revert. */
function isFinalIn({ latest, finalized }: Heads, { height, rule, confirmationsRequired }: Unproven): boolean {
  if (finalized && height <= finalized.height) return true
  if (rule === 'finalized') return !finalized
  return height <= latest.height - confirmationsRequired + 1
}

/** The block of a node with its transfers to these deposits' addresses; undefined when it has none yet, or fails. */
async function readTheirs(
  other: ChainContext,
  reader: ChainReader,
  height: number,
  group: readonly Unproven[],
): Promise<BlockFacts | undefined> {
  const codec = adapterOf(other.chain.blockchain.family)?.addresses
  const wanted = new Set(group.map(({ to }) => (codec ? keyText(codec.key(other.chain, to)) : '')))
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

/** A transfer that only traces show cannot be refuted by a node without traces. */
function judge(deposit: Unproven, facts: BlockFacts | undefined, isTraced: boolean): Verdict {
  if (!facts) return NO_ANSWER
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
  const cannotConfirm =
    (deposit.evidence === 'trace' && (!isTraced || facts.untraced)) || deposit.evidence === 'balance'
  if (cannotConfirm) return CANNOT_CONFIRM
  return { verdict: 'differs', details: 'It has the same block without this transfer.' }
}

function raiseDisagreement(
  ctx: Context,
  { chain }: ChainContext,
  { txId, leg, height }: Unproven,
  { details }: CrossCheck,
): Promise<void> {
  const { code } = chain.blockchain
  const text = `The nodes of ${code} disagree about ${txId} (${leg}) in block ${height}. ${details} The deposit is on hold. Check it in an explorer before you release it.`
  return raiseAlarm(ctx, { kind: 'node_disagreement', subject: code, text })
}
