import type { BlockRef } from '@kassa/chains/adapter.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { confirmationsIn } from '@kassa/primitives/chains/blockchains.ts'
import { type Usd, usdForUnits } from '@kassa/primitives/money/rate.ts'
import { type Context, inTransaction } from '../../context.ts'
import type { Asset } from '../blockchains/chains/service.ts'
import { lockMoney } from '../deposits/service.ts'
import { currentPrice, priceAt } from '../prices/service.ts'
import { lockWallets } from '../wallets/own-addresses/service.ts'
import type { Intent, NewMovement, ObservedMove, Position } from './movement.ts'
import { raiseSpentOutside } from './outside-spends.ts'
import { depthOf, kindOf } from './rules.ts'
import { identityOf, insertMovements, listAlive, listIntents, listMovingWallets, moveSeenAgain } from './store.ts'

type Moves = Position & { readonly moves: readonly ObservedMove[] }

/**
 * Takes the first locks of a transaction that credits blocks: the blockchain, then the wallets whose money moves (money.md 4.3,
 * lock order). Returns whether any movement can become final; one index lookup when none can.
 */
export async function lockForMovements(tx: Context, { moves, ...position }: Moves): Promise<boolean> {
  if (moves.length > 0) await lockMoney(tx, position.blockchainId)
  const moving = await listMovingWallets(tx, position)
  if (moves.length === 0 && moving.length === 0) return false
  await lockMoney(tx, position.blockchainId)
  const wallets = moves.flatMap(({ from, to }) => [from?.walletId ?? null, to?.walletId ?? null])
  await lockWallets(
    tx,
    [...moving, ...wallets].flatMap((id) => id ?? []),
  )
  return true
}

/** How many movements are new, and whether any may have become final. */
export type RecordedMoves = { readonly recorded: number; readonly isDue: boolean }

/** Records transfers of blocks that are no deposits, each once. Locks as `lockForMovements`. */
export async function recordMovements(ctx: Context, { moves, ...position }: Moves): Promise<RecordedMoves> {
  return inTransaction(ctx, async (tx) => {
    const isDue = await lockForMovements(tx, { moves, ...position })
    const unknown = moves.length > 0 ? await onlyNew(tx, position.blockchainId, moves) : []
    if (unknown.length === 0) return { recorded: 0, isDue }
    const movements = await judged(tx, position.blockchainId, unknown)
    const inserted = await insertMovements(tx, movements)
    const known = new Set(inserted.map(identityOf))
    const rest = movements.filter(({ transfer }) => !known.has(identityOf(transfer)))
    const again = rest.length > 0 ? await moveSeenAgain(tx, rest) : []
    const recorded = [...inserted, ...again]
    if (recorded.some(({ kind }) => kind === 'spent-outside')) await raiseSpentOutside(tx, position.blockchainId)
    return { recorded: recorded.length, isDue }
  })
}

/** The transfers without a live movement, each once. */
async function onlyNew(
  ctx: Context,
  blockchainId: number,
  moves: readonly ObservedMove[],
): Promise<readonly ObservedMove[]> {
  const known = new Set(await listAlive(ctx, blockchainId, moves))
  return moves.filter(({ transfer }) => {
    const identity = identityOf(transfer)
    const isKnown = known.has(identity)
    known.add(identity)
    return !isKnown
  })
}

/** Decides what each of them is and when it will be final. */
async function judged(ctx: Context, blockchainId: number, moves: readonly ObservedMove[]): Promise<NewMovement[]> {
  const blockchain = findBlockchain(blockchainId)
  if (!blockchain) throw new Error(`There is no blockchain ${blockchainId}`)
  const txIds = [...new Set(moves.map(({ transfer }) => transfer.txId))]
  const intents = await listIntents(ctx, blockchainId, txIds)
  const confirmations = confirmationsIn(ctx.config.network, blockchain)
  const movements: NewMovement[] = []
  for (const move of moves) {
    const { transfer, asset, from, to } = move
    const intent = intents.get(transfer.txId)
    const kind = kindOf(from, to, intent?.kind ?? null)
    const usd = await valueOf(ctx, asset, transfer)
    const depth = depthOf(usd, { minConfirmations: asset.minConfirmations, confirmations })
    movements.push({ ...move, blockchainId, kind, ...intendedBy(intent, kind), ...depth })
  }
  return movements
}

/** Only the intended transfer gets the send's id: another leg of the same transaction is not the send's. */
function intendedBy(intent: Intent | undefined, kind: NewMovement['kind']): Pick<NewMovement, 'sendId' | 'sweepId'> {
  if (intent?.kind !== kind) return { sendId: null, sweepId: null }
  return { sendId: intent.sendId, sweepId: intent.sweepId ?? null }
}

/** A block at most this old may be valued at the current price. */
const NOW_MS = 5 * 60_000

async function valueOf(
  ctx: Context,
  asset: Asset,
  { units, block }: { readonly units: bigint; readonly block: BlockRef },
): Promise<Usd | null> {
  const isNow = Math.abs(ctx.now().getTime() - block.minedAt.getTime()) <= NOW_MS
  const found = (await priceAt(ctx, asset, block.minedAt)) ?? (isNow ? await currentPrice(ctx, asset) : null)
  return found && usdForUnits({ units, price: found.price, decimals: asset.decimals, rounding: 'up' })
}
