import type { AddressKey, ChainSession, TransferFilter } from '../../adapter.ts'
import { toHex } from '../encoding/hex.ts'
import { list, object, type WireBlock } from '../encoding/wire.ts'
import { authoritiesIn } from './authorities.ts'
import { ADDRESSES_PER_CALL, sumOfBalances } from './balance-sums.ts'
import { type Examined, outerTransfers } from './receipts.ts'
import type { ReadScope } from './transfers.ts'

/** A part of the range is compared when that saves at least this many traces per call that adds up balances. */
const TRACES_PER_CALL = 2

/** A block of the range, with what is known of it without a trace. */
type Piece = {
  readonly block: WireBlock
  /** Code ran in it, so something may have moved inside a transaction. */
  readonly mayHide: boolean
  /** What its receipts prove to have reached the addresses that are added up. */
  readonly explained: bigint
  /** Something may have left them, so that their sum proves nothing. */
  readonly mayLose: boolean
}

/** Adds up the balances after a block; each block is requested once. */
type SumAfter = (block: { readonly height: number; readonly hash: string }) => Promise<bigint | null>

/**
 * Finds the blocks, among consecutive ones, whose internal transfers must be traced. An address without code loses money only
 * by a transaction that it sent, and gets code only by its own signature; a block shows both. Where neither happened, the
 * balances of our addresses only rise; and when their sum rose by exactly what the receipts explain, nothing else reached them,
 * so that no block in between needs a trace. Otherwise the range is halved.
 */
export async function unsettledBlocks(
  session: ChainSession,
  scope: ReadScope,
  filter: TransferFilter,
  examined: readonly (Examined<WireBlock> & { readonly mayHide: boolean })[],
): Promise<ReadonlySet<string>> {
  const hiding = examined.filter(({ mayHide }) => mayHide)
  const keys = filter.keys && firstOf(filter.keys(), mostKeysFor(hiding.length))
  const everyOne = new Set(hiding.map(({ block }) => block.hash))
  if (!keys) return everyOne
  const ours = new Set(keys.map(toHex))
  const pieces = examined.map((one) => pieceOf(scope, ours, one))
  const sums = new Map<string, Promise<bigint | null>>()
  const sumAfter: SumAfter = (block) => {
    const known = sums.get(block.hash) ?? sumOfBalances(session, keys, block)
    sums.set(block.hash, known)
    return known
  }
  const least = TRACES_PER_CALL * Math.ceil(keys.length / ADDRESSES_PER_CALL)
  const found = await unsettledIn(pieces, least, sumAfter)
  return new Set(found.map(({ block }) => block.hash))
}

/** How many addresses are worth adding up instead of this many traces. */
function mostKeysFor(traces: number): number {
  return Math.floor(traces / TRACES_PER_CALL) * ADDRESSES_PER_CALL
}

/** All of them, or null when there are more than the limit. */
function firstOf(keys: Iterable<AddressKey>, most: number): AddressKey[] | null {
  const taken: AddressKey[] = []
  for (const key of keys) {
    if (taken.length === most) return null
    taken.push(key)
  }
  return taken
}

function pieceOf(
  scope: ReadScope,
  ours: ReadonlySet<string>,
  one: Examined<WireBlock> & { readonly mayHide: boolean },
): Piece {
  const natives = outerTransfers(scope, one).filter(({ kind, to }) => kind === 'native' && ours.has(to.toLowerCase()))
  return {
    block: one.block,
    mayHide: one.mayHide,
    explained: natives.reduce((total, { units }) => total + units, 0n),
    mayLose: one.block.transactions.some(({ from }) => ours.has(from)) || mayGainCode(one.block, ours),
  }
}

function mayGainCode({ raw }: WireBlock, ours: ReadonlySet<string>): boolean {
  return list(raw['transactions'], 'transactions').some((transaction) => {
    const authorities = authoritiesIn(object(transaction, 'transaction'))
    return authorities === null || authorities.some((key) => ours.has(toHex(key)))
  })
}

async function unsettledIn(pieces: readonly Piece[], least: number, sumAfter: SumAfter): Promise<readonly Piece[]> {
  const hiding = pieces.filter(({ mayHide }) => mayHide)
  const [first, last] = [pieces[0], pieces.at(-1)]
  if (hiding.length === 0 || !first || !last) return []
  if (hiding.length < least || pieces.length === 1) return hiding
  const after = await sumAfter(last.block)
  // A node keeps newer states longer than older ones: if it lacks this one, it lacks all before it.
  if (after === null) return hiding
  const before = pieces.some(({ mayLose }) => mayLose)
    ? null
    : await sumAfter({ height: first.block.height - 1, hash: first.block.parentHash })
  const explained = pieces.reduce((total, piece) => total + piece.explained, 0n)
  if (before !== null && after - before === explained) return []
  const middle = Math.ceil(pieces.length / 2)
  const halves = [pieces.slice(0, middle), pieces.slice(middle)]
  const found: Piece[] = []
  for (const half of halves) found.push(...(await unsettledIn(half, least, sumAfter)))
  return found
}
