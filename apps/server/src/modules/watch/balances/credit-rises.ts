import type { BalanceFact, Chain, Transfer } from '@kassa/chains/adapter.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'

import { type Context, inTransaction } from '../../../context.ts'
import { raiseAlarm } from '../../alarms/service.ts'
import { adapterOf } from '@kassa/chains/adapters.ts'
import { creditBlocks } from '../../payments/crediting/service.ts'
import { reorgLimitOf } from '@kassa/chains/chain.ts'
import { findAddressText, insertBalanceDeposit, deleteSnapshots, listPairs, type Pair } from './store.ts'
import { judgeRise, type Judgement, lastingHeight } from './rules.ts'
import type { BalanceSource } from './balance-source.ts'
import { retainBlock } from '../blocks/block-store.ts'
import { matchTransfers } from '../matching/match-transfers.ts'
import { type Cursor, lockPosition } from '../blocks/cursor-store.ts'

/** Addresses compared in one round; the rest follow in the next. */
const AT_ONCE = 500

/**
 * Compares what addresses held at final blocks: a rise that no transfer explains, where some blocks could not be traced, is a
 * deposit of its own (money.md 2.4 "native by balance"). A second source, where there is one, must see the money as well.
 */
export async function creditRises(ctx: Context, source: BalanceSource, cursor: Cursor, lasting: number): Promise<void> {
  const { blockchainId } = cursor
  const question = { blockchainId, assetId: source.native.id, lasting, limit: AT_ONCE }
  const judged = (await listPairs(ctx, question)).map((pair) => ({ pair, verdict: judge(source, pair, cursor) }))
  const closed = judged.flatMap(({ pair, verdict }) => (verdict.kind === 'credit' ? [] : [doneWith(pair, verdict)]))
  await deleteSnapshots(ctx, blockchainId, closed)
  for (const { pair, verdict } of judged) {
    if (verdict.kind === 'credit' && (await isSeenElsewhere(ctx, source, pair))) await credit(ctx, source, pair)
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

/** What passed is compared with the newer look from now on; what waits keeps the older one. */
function doneWith({ before, after }: Pair, { kind }: Judgement) {
  const { addressId } = before
  if (kind === 'pass') return { addressId, from: 0, below: after.block.height }
  return { addressId, from: before.block.height + 1, below: after.block.height + 1 }
}

/** Nothing is sent from deposit addresses yet, so what was there at a final block is there now. */
async function isSeenElsewhere(ctx: Context, source: BalanceSource, { before, after }: Pair): Promise<boolean> {
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
  const text = `Two nodes of ${code} disagree about what ${to} holds: ${source.chain.node.label} says ${after.units} units, ${other.node.label} ${units}. Nothing is credited. Look the address up in an explorer.`
  await raiseAlarm(ctx, { kind: 'node_disagreement', subject: `${code} balances`, text })
  return false
}

/** Makes a deposit of the rise and looks on from there, both or neither; nothing when somebody else did. */
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
      // No transaction is known; the address keeps two finds at the same block apart.
      txId: `0x${keyOf(chain.chain, to)}`,
      leg: `balance:${block.height}`,
      block,
      evidence: 'balance',
    }
    const transfers = await matchTransfers(
      tx,
      { chain: chain.chain, familyId: findFamily(family)?.id ?? 0, assets: [native] },
      [transfer],
    )
    await retainBlock(tx, blockchainId, { block, transfers: transfers.length, nodeId: chain.node.id })
    const standing = { blockchainId, tip: place.height, finalized: place.finalizedHeight }
    await creditBlocks(tx, { ...standing, blocks: [{ block, transfers }] })
    await insertBalanceDeposit(tx, { blockchainId, transfer, fromHeight: before.block.height })
    tx.log.info({ blockchain: chain.chain.blockchain.code, to, height: block.height }, 'credited by balance')
  })
}

/** The bytes of an address in hexadecimal: the same however it is spelled. */
function keyOf(chain: Chain, address: string): string {
  const key = adapterOf(chain.blockchain.family)?.addresses.key(chain, address)
  return Buffer.from(key ?? []).toString('hex')
}
