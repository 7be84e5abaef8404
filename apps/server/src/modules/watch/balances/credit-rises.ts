import type { BalanceFact, Transfer } from '@kassa/chains/adapter.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'
import { type Context, inTransaction } from '../../../context.ts'
import { raiseAlarm } from '../../alarms/service.ts'
import { creditBlocks } from '../../payments/crediting/service.ts'
import { reorgLimitOf } from '../../../../../../packages/chains/src/chain.ts'
import { findAddressText, insertBalanceDeposit, deleteSnapshots, listPairs, type Pair } from './store.ts'
import { judgeRise, type Judgement, lastingHeight } from './rules.ts'
import type { BalanceSource } from './balance-source.ts'
import { retainBlock } from '../blocks/block-store.ts'
import { matchTransfers } from '../matching/match-transfers.ts'
import { type Cursor, lockPosition } from '../blocks/cursor-store.ts'

/** Addresses compared in one pass; the rest follow in the next. */
const AT_ONCE = 500

/**
 * Compares the balances of addresses at final blocks: a rise that no transfer explains, where some blocks could not be
 * traced, becomes a balance deposit (money.md 2.4 "native by balance"). A node of another operator, where there is one,
 * must show the rise as well.
 */
export async function creditRises(ctx: Context, source: BalanceSource, cursor: Cursor, lasting: number): Promise<void> {
  const { blockchainId } = cursor
  const question = { blockchainId, assetId: source.native.id, lasting, limit: AT_ONCE }
  const judged = (await listPairs(ctx, question)).map((pair) => ({ pair, verdict: judge(source, pair, cursor) }))
  const closed = judged.flatMap(({ pair, verdict }) =>
    verdict.kind === 'credit' ? [] : [outdatedSnapshots(pair, verdict)],
  )
  await deleteSnapshots(ctx, blockchainId, closed)
  for (const { pair, verdict } of judged) {
    if (verdict.kind === 'credit' && (await isConfirmedElsewhere(ctx, source, pair))) await credit(ctx, source, pair)
  }
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

/** A rise that passed starts from the newer snapshot next time; one that waits keeps the older snapshot. */
function outdatedSnapshots({ before, after }: Pair, { kind }: Judgement) {
  const { addressId } = before
  if (kind === 'pass') return { addressId, from: 0, below: after.block.height }
  return { addressId, from: before.block.height + 1, below: after.block.height + 1 }
}

/** Deposit addresses send nothing yet, so a balance at a final block is still there now. */
async function isConfirmedElsewhere(ctx: Context, source: BalanceSource, { before, after }: Pair): Promise<boolean> {
  const other = await source.second()
  if (other === 'alone') return true
  if (other === null) return false
  const to = await findAddressText(ctx, before.addressId)
  if (to === null) return false
  const theirs = await source.reader
    .balances(other, [{ assetId: source.native.id, address: to }])
    .catch((): BalanceFact[] => [])
  const units = theirs[0]?.units
  if (units === undefined) return false
  if (units >= after.units) return true
  const { code } = source.chain.chain.blockchain
  const text = `Two nodes of ${code} disagree about the balance of ${to}: ${source.chain.node.label} reports ${after.units} units, ${other.node.label} ${units}. Nothing is credited. Check the address in an explorer.`
  await raiseAlarm(ctx, { kind: 'node_disagreement', subject: `${code} balances`, text })
  return false
}

/** Credits the rise as a deposit and continues from its snapshot, both or neither; nothing when another process did. */
async function credit(ctx: Context, source: BalanceSource, { before, after }: Pair): Promise<void> {
  const { chain, native } = source
  const { id: blockchainId, family } = chain.chain.blockchain
  const { addressId, block } = after
  await inTransaction(ctx, async (tx) => {
    const place = await lockPosition(tx, blockchainId)
    const lasting = lastingHeight(place, reorgLimitOf(chain))
    const [pair] = await listPairs(tx, { blockchainId, assetId: native.id, lasting, limit: 1 }, addressId)
    const verdict = pair ? judge(source, pair, place) : null
    const isSame = pair?.before.block.hash === before.block.hash && pair.after.block.hash === block.hash
    const to = await findAddressText(tx, addressId)
    if (verdict?.kind !== 'credit' || !isSame || to === null) return
    await deleteSnapshots(tx, blockchainId, [{ addressId, from: 0, below: block.height }])
    const transfer: Transfer = {
      kind: 'native',
      assetId: native.id,
      from: null,
      to,
      units: verdict.units,
      // No transaction is known; the address distinguishes two balance deposits in the same block.
      txId: to.toLowerCase(),
      leg: `balance:${block.height}`,
      block,
      evidence: 'balance',
    }
    const transfers = await matchTransfers(tx, { chain: chain.chain, familyId: findFamily(family)?.id ?? 0 }, [
      transfer,
    ])
    await retainBlock(tx, blockchainId, { block, transfers: transfers.length, nodeId: chain.node.id })
    const position = { blockchainId, tip: place.height, finalized: place.finalizedHeight }
    await creditBlocks(tx, { ...position, blocks: [{ block, transfers }] })
    await insertBalanceDeposit(tx, { blockchainId, transfer, fromHeight: before.block.height })
    tx.log.info({ blockchain: chain.chain.blockchain.code, to, height: block.height }, 'credited by balance')
  })
}
