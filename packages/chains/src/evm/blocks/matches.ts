import type { ChainSession } from '../../adapter.ts'
import { RetryableRpcError } from '../../errors.ts'
import { callAll, jsonCall } from '../../node/client.ts'
import { featuresOf } from '../network/features.ts'
import { wantedTxsByBlock, logsInRange } from './logs.ts'
import {
  type Examined,
  examineAll,
  minedOf,
  type Named,
  outerTransfers,
  singleReceipts,
  WHOLE_AT_ONCE,
} from './receipts.ts'
import { readNativeMove, type ReadScope, readSystemMove, readTokenMove } from './transfers.ts'
import {
  NO_SENDER,
  readBlock,
  type WireBlock,
  type WireHeader,
  type WireReceipt,
  type WireTransaction,
} from '../encoding/wire.ts'

/** The transactions of a block, or null where only its header was read. */
type BodyOf<Header> = (block: Header) => readonly WireTransaction[] | null

/**
 * Finds which transactions may concern us, by the node's log index and by their receiver, and fetches only their receipts. Of a
 * block for which the index or one of these receipts may be wrong, it fetches all receipts, which are checked against the
 * header (W-8).
 * @throws RetryableRpcError when a receipt contradicts a log of the same node, and the node does not return the others
 */
export async function examineMatches<Header extends WireHeader>(
  session: ChainSession,
  scope: ReadScope,
  blocks: readonly Header[],
  bodyOf: BodyOf<Header>,
): Promise<Examined<Header>[]> {
  const { logged, doubtful } = await heardOf(session, scope, blocks)
  const whole = await examineDoubtful(session, scope, doubtful, bodyOf)
  const wanted = blocks.flatMap((block) => {
    if (whole.has(block.hash)) return []
    const known = bodyOf(block) ?? []
    const body = new Map<string, Named>(known.map((tx) => [tx.hash, tx]))
    const native = known.filter((tx) => readNativeMove(scope, tx) || NO_SENDER.test(tx.from))
    const hashes = new Set([...(logged.get(block.hash) ?? []), ...native.map(({ hash }) => hash)])
    return [...hashes].map((hash) => ({ block, tx: body.get(hash) ?? { hash } }))
  })
  const receipts = await singleReceipts(session, wanted)
  const mined = Map.groupBy(
    wanted.map((one, at) => ({ ...one, receipt: receipts[at] ?? null })),
    ({ block }) => block.hash,
  )
  const reread = await examineDenied(session, scope, { logged, mined }, blocks, bodyOf)
  return blocks.map((block) => {
    const found = (mined.get(block.hash) ?? []).flatMap(({ tx, receipt }) => minedOf(tx, receipt))
    return { isProven: false, mined: found, ...whole.get(block.hash), ...reread.get(block.hash), block }
  })
}

/** By the hash of the block: the transactions with a wanted log, and the receipts that were fetched one by one. */
type LogsAndReceipts = {
  readonly logged: ReadonlyMap<string, ReadonlySet<string>>
  readonly mined: ReadonlyMap<string, readonly { readonly tx: Named; readonly receipt: WireReceipt | null }[]>
}

/**
 * Reads the blocks completely in which a receipt denies a transfer that a log, or the transaction itself, shows. Nothing proves
 * a single receipt, and a false one would lose the money without a trace.
 */
async function examineDenied<Header extends WireHeader>(
  session: ChainSession,
  scope: ReadScope,
  { logged, mined }: LogsAndReceipts,
  blocks: readonly Header[],
  bodyOf: BodyOf<Header>,
): Promise<ReadonlyMap<string, RelevantBlock>> {
  const denied = blocks.flatMap((block) => {
    const denials = (mined.get(block.hash) ?? []).map(({ tx, receipt }) =>
      denialOf(scope, tx, { receipt, isLogged: logged.get(block.hash)?.has(tx.hash) === true }),
    )
    const denial = denials.find((one) => one === 'log') ?? denials.find((one) => one === 'success')
    return denial === undefined ? [] : [{ block, denial }]
  })
  const reread = await examineDoubtful(
    session,
    scope,
    denied.map(({ block }) => block),
    bodyOf,
  )
  const contradiction = denied.find(({ block, denial }) => denial === 'log' && !reread.has(block.hash))
  if (!contradiction) return reread
  throw new RetryableRpcError(
    'inconsistent',
    `A receipt of block ${contradiction.block.height} lacks a log that the node has`,
  )
}

/**
 * What a receipt denies: `log`: it lacks one that the node's index has; `success`: it says that the transaction failed although
 * a log or the transaction itself shows a transfer.
 */
function denialOf(
  scope: ReadScope,
  tx: Named,
  { receipt, isLogged }: { readonly receipt: WireReceipt | null; readonly isLogged: boolean },
): 'log' | 'success' | null {
  if (!receipt) return null
  const hasLog = receipt.logs.some((log) => readTokenMove(scope, log) ?? readSystemMove(scope, log))
  if (isLogged && !hasLog) return 'log'
  return !receipt.isSuccess && (isLogged || readNativeMove(scope, tx)) ? 'success' : null
}

/** Of all the logs of a range, only the names of transactions that bring something are kept. */
async function heardOf<Header extends WireHeader>(session: ChainSession, scope: ReadScope, blocks: readonly Header[]) {
  const { logs, doubtful } = await logsInRange(session, scope, blocks)
  return { logged: wantedTxsByBlock(scope, logs, blocks), doubtful }
}

/** The needed part of a block that was read completely: the transactions that bring something. */
type RelevantBlock = Pick<Examined, 'isProven' | 'mined'>

/**
 * Reads these blocks completely, a few at a time, because dense headers can leave every block of a long range in doubt; returns
 * them by the hash of the block. Nothing where the node has no receipts per block.
 */
async function examineDoubtful<Header extends WireHeader>(
  session: ChainSession,
  scope: ReadScope,
  doubtful: readonly Header[],
  bodyOf: BodyOf<Header>,
): Promise<ReadonlyMap<string, RelevantBlock>> {
  const relevant = new Map<string, RelevantBlock>()
  if (doubtful.length === 0 || !(await featuresOf(session)).has('block-receipts')) return relevant
  for (let at = 0; at < doubtful.length; at += WHOLE_AT_ONCE) {
    const piece = doubtful.slice(at, at + WHOLE_AT_ONCE)
    for (const [hash, one] of await relevantOf(session, scope, piece, bodyOf)) relevant.set(hash, one)
  }
  return relevant
}

async function relevantOf<Header extends WireHeader>(
  session: ChainSession,
  scope: ReadScope,
  piece: readonly Header[],
  bodyOf: BodyOf<Header>,
): Promise<[string, RelevantBlock][]> {
  const examined = await examineAll(session, await withBodies(session, piece, bodyOf))
  return examined.map(({ block, isProven, mined }) => {
    const brings = mined.filter((one) => outerTransfers(scope, { block, isProven, mined: [one] }).length > 0)
    return [block.hash, { isProven, mined: brings }]
  })
}

/** Fetches the bodies that were not read before, by the hash of the block. */
async function withBodies<Header extends WireHeader>(
  session: ChainSession,
  headers: readonly Header[],
  bodyOf: BodyOf<Header>,
): Promise<WireBlock[]> {
  const known = headers.flatMap((header) => {
    const transactions = bodyOf(header)
    return transactions ? [{ ...header, transactions }] : []
  })
  if (known.length === headers.length) return known
  const calls = headers.map(({ hash }) => jsonCall('eth_getBlockByHash', hash, true))
  const blocks = (await callAll(session, calls)).map(readBlock)
  return headers.map(({ hash }, at) => {
    const block = blocks[at]
    if (block?.hash === hash) return block
    throw new RetryableRpcError('inconsistent', `The node no longer has block ${hash}`)
  })
}
