import type { BlockRef, ChainSession, Transfer } from '../../adapter.ts'
import { RetryableRpcError } from '../../errors.ts'
import { callAll, jsonCall } from '../../node/client.ts'
import { bloomOf, isWithin } from '../encoding/bloom.ts'
import { fromHex } from '../encoding/hex.ts'
import { areProven } from '../encoding/receipts-root.ts'
import { factsOf } from '../network/facts.ts'
import { type ReadScope, transfersIn } from './transfers.ts'
import {
  list,
  NO_SENDER,
  readReceipt,
  type WireBlock,
  type WireHeader,
  type WireReceipt,
  type WireTransaction,
} from '../encoding/wire.ts'

/** Blocks that are examined completely at a time: the receipts of a full one take megabytes. */
export const WHOLE_AT_ONCE = 8

/** A mined transaction, with as much of its body as was read. */
export type Mined = { readonly tx: Named; readonly receipt: WireReceipt }

/** A transaction of which at least the hash is known. */
export type Named = Pick<WireTransaction, 'hash'> & Partial<WireTransaction>

/** A block with those of its transactions that may concern us; `isProven` says that its hash proves their receipts. */
export type Examined<Header extends WireHeader = WireHeader> = {
  readonly block: Header
  readonly mined: readonly Mined[]
  readonly isProven: boolean
}

/**
 * Fetches every receipt of each block (`eth_getBlockReceipts`) and checks that none is missing, of another block or invented.
 * All receipts are in memory at once, so pass at most `WHOLE_AT_ONCE` blocks.
 * @throws RetryableRpcError when the receipts cannot be those of the block (W-7, W-8)
 */
export async function examineAll(session: ChainSession, blocks: readonly WireBlock[]): Promise<Examined<WireBlock>[]> {
  const filled = blocks.filter(({ transactions }) => transactions.length > 0)
  const calls = filled.map(({ hash }) => jsonCall('eth_getBlockReceipts', hash))
  const answers = await callAll(session, calls)
  const lists = new Map(filled.map((block, at) => [block.hash, receiptsOf(block, answers[at])]))
  const extra = await receiptsWithoutSender(session, filled, lists)
  return blocks.map((block) => {
    const receipts = [...(lists.get(block.hash) ?? []), ...(extra.get(block.hash) ?? [])]
    const isProven = factsOf(session.chain).hasReceiptsProof && areProven(block, receipts)
    if (!isProven) {
      requireLogsOfBloom(block, receipts)
      requireNumbered(block, receipts)
    }
    const byHash = new Map(receipts.map((receipt) => [receipt.txHash, receipt]))
    return { block, isProven, mined: block.transactions.flatMap((tx) => minedOf(tx, byHash.get(tx.hash))) }
  })
}

/** Lists the wanted transfers that the receipts of one block prove. */
export function outerTransfers(scope: ReadScope, { block, mined, isProven }: Examined): Transfer[] {
  const evidence = isProven ? 'receipts-root' : 'receipt'
  return mined.flatMap(({ tx, receipt }) => transfersIn(scope, refOf(block), tx, receipt, evidence))
}

/** The reference of a block. */
export function refOf({ height, hash, parentHash, minedAt }: BlockRef): BlockRef {
  return { height, hash, parentHash, minedAt }
}

/**
 * Fetches the receipts of single transactions, in the order given; null for a transaction without a sender that has none.
 * @throws RetryableRpcError when one is in another block than its transaction
 */
export async function singleReceipts(
  session: ChainSession,
  wanted: readonly { readonly block: BlockRef; readonly tx: Named }[],
): Promise<(WireReceipt | null)[]> {
  const calls = wanted.map(({ tx }) => jsonCall('eth_getTransactionReceipt', tx.hash))
  const receipts = (await callAll(session, calls)).map(readReceipt)
  receipts.forEach((receipt, at) => {
    const { block, tx } = wanted[at] ?? {}
    if (!receipt && tx?.from && NO_SENDER.test(tx.from)) return
    if (receipt?.blockHash === block?.hash && receipt?.txHash === tx?.hash) return
    throw new RetryableRpcError('inconsistent', `The receipt of ${tx?.hash} is in another block`)
  })
  return receipts
}

/**
 * Lists the successful ones of the transactions in which a trace found money, by their receipts. A receipt that contradicts the
 * trace is not trusted alone: where the node returns all receipts of its block, those decide, because they are checked against
 * the header.
 * @throws RetryableRpcError when a receipt is in another block, or those of a block cannot be its own
 */
export async function succeededAmong(
  session: ChainSession,
  wanted: readonly { readonly block: WireBlock; readonly tx: Named }[],
  { hasBlockReceipts }: { readonly hasBlockReceipts: boolean },
): Promise<ReadonlySet<string>> {
  const receipts = await singleReceipts(session, wanted)
  const denied = new Map(wanted.flatMap(({ block }, at) => (receipts[at]?.isSuccess ? [] : [[block.hash, block]])))
  const again = [...(hasBlockReceipts ? denied.values() : [])]
  for (let at = 0; at < again.length; at += WHOLE_AT_ONCE) {
    const whole = await examineAll(session, again.slice(at, at + WHOLE_AT_ONCE))
    receipts.push(...whole.flatMap(({ mined }) => mined.map(({ receipt }) => receipt)))
  }
  return new Set(receipts.flatMap((receipt) => (receipt?.isSuccess ? [receipt.txHash] : [])))
}

/** A transaction with its receipt; nothing when it has none. */
export function minedOf(tx: Named, receipt: WireReceipt | null | undefined): Mined[] {
  return receipt ? [{ tx, receipt }] : []
}

function receiptsOf(block: WireBlock, answer: unknown): WireReceipt[] {
  if (answer === null) throw new RetryableRpcError('inconsistent', `The node no longer has block ${block.hash}`)
  const receipts = list(answer, 'receipts').flatMap((one) => readReceipt(one) ?? [])
  const stray = receipts.find(({ blockHash }) => blockHash !== block.hash)
  if (stray) throw new RetryableRpcError('inconsistent', `The receipt of ${stray.txHash} is in another block`)
  const here = new Set(receipts.map(({ txHash }) => txHash))
  // A node that drops receipts would make us lose deposits.
  const missing = block.transactions.find(({ hash, from }) => !here.has(hash) && !NO_SENDER.test(from))
  if (!missing) return receipts
  throw new RetryableRpcError('inconsistent', `The node has no receipt in block ${block.height} for ${missing.hash}`)
}

/** Nodes leave receipts of transactions without a sender out of a block's list, but return them one by one. */
async function receiptsWithoutSender(
  session: ChainSession,
  blocks: readonly WireBlock[],
  lists: ReadonlyMap<string, readonly WireReceipt[]>,
): Promise<Map<string, WireReceipt[]>> {
  const wanted = blocks.flatMap((block) => {
    const here = new Set(lists.get(block.hash)?.map(({ txHash }) => txHash))
    return block.transactions
      .filter(({ hash, from }) => NO_SENDER.test(from) && !here.has(hash))
      .map((tx) => ({ block, tx }))
  })
  const receipts = (await singleReceipts(session, wanted)).filter((receipt) => receipt !== null)
  return Map.groupBy(receipts, ({ blockHash }) => blockHash)
}

/**
 * Where there is no receipts root to check, the header's filter must match: every bit of it comes from a log, and every log is
 * in it. Logs of transactions without a sender may be in it or not.
 */
function requireLogsOfBloom(block: WireBlock, receipts: readonly WireReceipt[]): void {
  const bloom = fromHex(block.logsBloom)
  const withoutSender = new Set(block.transactions.filter(({ from }) => NO_SENDER.test(from)).map(({ hash }) => hash))
  const ordinary = bloomOf(receipts.filter(({ txHash }) => !withoutSender.has(txHash)).flatMap(({ logs }) => logs))
  const all = withoutSender.size === 0 ? ordinary : bloomOf(receipts.flatMap(({ logs }) => logs))
  if (isWithin(ordinary, bloom) && isWithin(bloom, all)) return
  throw new RetryableRpcError('inconsistent', `The logs of block ${block.height} do not match the filter in its header`)
}

/**
 * Logs are numbered through the whole block from 0, so that a log that a node returns twice takes the number of another. Logs
 * of transactions without a sender come last, numbered as each node chooses.
 */
function requireNumbered(block: WireBlock, receipts: readonly WireReceipt[]): void {
  const byHash = new Map(receipts.map((receipt) => [receipt.txHash, receipt]))
  let next = 0
  for (const { hash, from } of block.transactions) {
    const { logs = [], firstLog = null } = NO_SENDER.test(from) ? {} : (byHash.get(hash) ?? {})
    if (firstLog !== null && firstLog !== next) {
      throw new RetryableRpcError(
        'inconsistent',
        `The logs of block ${block.height} are not numbered one after another`,
      )
    }
    next += logs.length
  }
}
