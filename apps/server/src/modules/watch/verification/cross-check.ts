import type { BlockFacts, BlockRef, ChainSession, ChainAdapter, Heads } from '@kassa/chains/adapter.ts'
import { type Context, inTransaction } from '../../../context.ts'
import { raiseAlarm } from '../../alarms/service.ts'
import { hasSecondOperator } from '../../blockchains/nodes/service.ts'
import { depositsWithoutCrossCheck, type CrossCheck, recordCrossCheck, type Unproven } from '../../deposits/service.ts'
import { finalizeDue } from '../../payments/crediting/service.ts'
import { crossCheckByBalance } from './cross-check-by-balance.ts'
import { type Cursor, lockCursor } from '../blocks/cursor-store.ts'

/** Deposits asked about at once; the rest follow in the next pass. */
const AT_ONCE = 200

const SILENT = 'A second node must agree because of the amount, and none answers now. It is asked again.'

const EARLY = 'Two nodes must call its block final because of the amount, and one does not yet. It is asked again.'

type Verdict = Pick<CrossCheck, 'verdict' | 'details'>

const UNDECIDED: Verdict = {
  verdict: 'alone',
  details: 'It has the same block and keeps no traces of internal transfers.',
}

const NOT_FINAL: Verdict = { verdict: 'silent', details: EARLY }

const UNHEARD: Verdict = { verdict: 'silent', details: SILENT }

/**
 * Asks two nodes, one of another operator, about every high-value deposit that is deep enough; finalizes those they agree on
 * (money.md 2.8). Returns false when it did not answer: then ask again a little later. Other deposits never wait for this.
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
  const crossChecks = await crossChecksOf(ctx, session, adapter, waiting)
  await inTransaction(ctx, async (tx) => {
    const now = await lockCursor(tx, cursor)
    for (const [at, one] of crossChecks.entries()) {
      const isNew = await recordCrossCheck(tx, one)
      const deposit = waiting[at]
      if (isNew && deposit && one.verdict === 'differs') await raiseDisagreement(tx, session, deposit, one)
    }
    await finalizeDue(tx, { blockchainId, tip: now.height, finalized: now.finalizedHeight })
  })
  return crossChecks.every(({ verdict }) => verdict !== 'silent')
}

/**
 * One cross-check per deposit, in their order; every block is read once from each of two nodes: one of another operator, and the
 * one that is read with now, which need not be the one that reported the deposit (fail-over, rescans, audits).
 */
async function crossChecksOf(
  ctx: Context,
  session: ChainSession,
  adapter: ChainAdapter,
  waiting: readonly Unproven[],
): Promise<CrossCheck[]> {
  const { id: blockchainId } = session.chain.blockchain
  const all = (verdict: Verdict) => waiting.map(({ id }) => ({ depositId: id, nodeId: null, ...verdict }))
  if (!(await hasSecondOperator(ctx, blockchainId))) return all({ verdict: 'alone', details: 'There is one source.' })
  const other = await session.another()
  if (!other) return all({ verdict: 'silent', details: SILENT })
  const [theirs, ours] = await Promise.all([
    verdictsOf(ctx, other, adapter, waiting),
    verdictsOf(ctx, session, adapter, waiting),
  ])
  return waiting.map(({ id: depositId }) =>
    moreSevere(crossCheckOf(other, depositId, theirs), crossCheckOf(session, depositId, ours)),
  )
}

function crossCheckOf({ node }: ChainSession, depositId: bigint, verdicts: ReadonlyMap<bigint, Verdict>): CrossCheck {
  const { verdict, details } = verdicts.get(depositId) ?? UNHEARD
  return { depositId, nodeId: node.id, verdict, details: verdict === 'differs' ? `${node.label}: ${details}` : details }
}

/** From what lets a deposit count to what quarantines it. */
const SEVERITY: readonly Verdict['verdict'][] = ['agrees', 'alone', 'silent', 'differs']

function moreSevere(theirs: CrossCheck, ours: CrossCheck): CrossCheck {
  return SEVERITY.indexOf(ours.verdict) > SEVERITY.indexOf(theirs.verdict) ? ours : theirs
}

/** What one node says of deposits, by their ids; nothing of those it says nothing about. */
async function verdictsOf(
  ctx: Context,
  node: ChainSession,
  adapter: ChainAdapter,
  waiting: readonly Unproven[],
): Promise<ReadonlyMap<bigint, Verdict>> {
  const verdicts = new Map<bigint, Verdict>()
  const { reader, addresses, balances, traces } = adapter
  const heads = await reader.heads(node).catch(() => null)
  // A family without traces has no internal transfers that a node could leave out.
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

/** One node that calls its head final must not finalize alone what the other may still revert. */
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
      to === deposit.to &&
      units === deposit.units,
  )
  if (isThere) return { verdict: 'agrees', details: 'It reports the same transfer in the same block.' }
  const isUndecided =
    (deposit.evidence === 'trace' && (!isTraced || facts.internalTransfers !== 'complete')) ||
    deposit.evidence === 'balance'
  if (isUndecided) return UNDECIDED
  return { verdict: 'differs', details: 'It has the same block without this transfer.' }
}

function raiseDisagreement(
  ctx: Context,
  { chain }: ChainSession,
  { txId, leg, height }: Unproven,
  { details }: CrossCheck,
): Promise<void> {
  const { code } = chain.blockchain
  const text = `The nodes of ${code} disagree about ${txId} (${leg}) in block ${height}. ${details} The deposit is on hold. Look it up in an explorer before you release it.`
  return raiseAlarm(ctx, { kind: 'node_disagreement', subject: code, text })
}
