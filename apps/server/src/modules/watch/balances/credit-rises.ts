import type { BalanceFact } from '@kassa/chains/adapter.ts'
import { isSilence } from '@kassa/chains/errors.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'

import { type Context, inTransaction } from '../../../context.ts'
import { continueOnError } from '../../../jobs/continue-on-error.ts'
import { raiseAlarm } from '../../alarms/service.ts'
import { settle } from '../settlement/settle.ts'
import { reorgLimitOf } from '@kassa/chains/chain.ts'
import { findAddressText, insertBalanceDeposit, deleteSnapshots, listPairs, type Pair } from './store.ts'
import { judgeRise, type Judgement, lastingHeight } from './rules.ts'
import type { BalanceSource } from './balance-source.ts'
import { retainBlock } from '../blocks/block-store.ts'
import { matchTransfers } from '../matching/match-transfers.ts'
import { type Cursor, lockPosition } from '../blocks/cursor-store.ts'

/** Addresses compared in one pass; the rest follow in the next. */
const AT_ONCE = 500

/**
 * Compares what addresses held at final blocks: a rise that no transfer explains, where some blocks could not be traced, is a
 * deposit of its own (money.md 2.4 "native by balance"). A node of another operator, where there is one, must show the money as
 * well. An address that fails does not stop the others.
 */
export async function creditRises(ctx: Context, source: BalanceSource, cursor: Cursor, lasting: number): Promise<void> {
  const { blockchainId } = cursor
  const question = { blockchainId, assetId: source.native.id, lasting, limit: AT_ONCE }
  const judged = (await listPairs(ctx, question)).map((pair) => ({ pair, verdict: judge(source, pair, cursor) }))
  const closed = judged.flatMap(({ pair, verdict }) => (verdict.kind === 'credit' ? [] : [doneWith(pair, verdict)]))
  await deleteSnapshots(ctx, blockchainId, closed)
  const { attempt, end } = continueOnError(ctx, isSilence)
  for (const { pair, verdict } of judged) {
    if (verdict.kind !== 'credit') continue
    await attempt({ address: String(pair.before.addressId) }, async () => {
      if (await isSeenElsewhere(ctx, source, pair)) await credit(ctx, source, pair)
    })
  }
  end()
}

function judge({ native }: BalanceSource, { before, after, explained }: Pair, { untracedTo }: Cursor): Judgement {
  return judgeRise({
    before: { height: before.block.height, units: before.units },
    after: { height: after.block.height, units: after.units },
    explained,
    minimum: native.minDepositUnits,
    untracedTo,
  })
}

/**
 * Ends a pair of snapshots: an address that passed is compared with the newer snapshot from now on; one that waits keeps the
 * older.
 */
function doneWith({ before, after }: Pair, { kind }: Judgement) {
  const { addressId } = before
  if (kind === 'pass') return { addressId, from: 0, below: after.block.height }
  return { addressId, from: before.block.height + 1, below: after.block.height + 1 }
}

/**
 * A second node is asked for the balance now, not at the final block: Kassa sends nothing from these addresses, so the money is
 * still there.
 */
async function isSeenElsewhere(ctx: Context, source: BalanceSource, { before, after }: Pair): Promise<boolean> {
  const other = await source.second()
  if (other === 'alone') return true
  if (other === null) return false
  const to = await findAddressText(ctx, before.addressId)
  if (to === null) return false
  const theirs = await source.balances
    .read(other, [{ assetId: source.native.id, address: to }])
    .catch((): BalanceFact[] => [])
  const units = theirs[0]?.units
  if (units === undefined) return false
  if (units >= after.units) return true
  const { code } = source.session.chain.blockchain
  await raiseAlarm(ctx, {
    kind: 'node_disagreement',
    subject: `${code} balances`,
    params: {
      ...{ case: 'balance', blockchainCode: code, address: to },
      ...{ node: source.session.node.label, units: String(after.units) },
      ...{ otherNode: other.node.label, otherUnits: String(units) },
    },
  })
  return false
}

/**
 * Credits the rise as a deposit and restarts the snapshots from there, both or neither; does nothing when another process did
 * it.
 */
async function credit(ctx: Context, source: BalanceSource, { before, after }: Pair): Promise<void> {
  const { session, balances, native } = source
  const { id: blockchainId, family } = session.chain.blockchain
  const { addressId, block } = after
  await inTransaction(ctx, async (tx) => {
    const place = await lockPosition(tx, blockchainId)
    const lasting = lastingHeight(place, reorgLimitOf(session))
    const [pair] = await listPairs(tx, { blockchainId, assetId: native.id, lasting, limit: 1 }, addressId)
    const verdict = pair ? judge(source, pair, place) : null
    const isSame = pair?.before.block.hash === before.block.hash && pair.after.block.hash === block.hash
    const to = await findAddressText(tx, addressId)
    if (verdict?.kind !== 'credit' || !isSame || to === null) return
    await deleteSnapshots(tx, blockchainId, [{ addressId, from: 0, below: block.height }])
    const rise = { assetId: native.id, address: to, units: verdict.units, block }
    const transfer = balances.transferOf(session.chain, rise)
    const matching = { chain: session.chain, familyId: findFamily(family)?.id ?? 0, assets: [native] }
    const { deposits: transfers } = await matchTransfers(tx, matching, [transfer])
    await retainBlock(tx, blockchainId, { block, transfers: transfers.length, nodeId: session.node.id })
    const position = { blockchainId, tip: place.height, finalized: place.finalizedHeight }
    await settle(tx, { ...position, blocks: [{ block, transfers }], moves: [] })
    await insertBalanceDeposit(tx, { blockchainId, transfer, fromHeight: before.block.height })
    tx.log.info({ blockchain: session.chain.blockchain.code, to, height: block.height }, 'credited by balance')
  })
}
