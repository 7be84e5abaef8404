import { createHash } from 'node:crypto'

import type { BlockRef, ChainContext, Salvage, Transfer, Unread, Want } from '../adapter.ts'
import { RetryableRpcError } from '../errors.ts'
import { callAll } from '../rpc/client.ts'
import { inFlight } from '../rpc/in-flight.ts'
import { fromHex, toQuantity } from './hex.ts'
import { readTransactionFacts } from './transaction.ts'
import { hexBytes, list, object, readBlockRef } from './wire.ts'

/** Transactions asked for at the same time: the block is rare, the node is shared. */
const AT_ONCE = 4

/** Failures that say something about the node, and nothing about the transaction. */
const NODE_TROUBLE = new Set(['unreachable', 'timeout', 'limited', 'internal'])

/** Words of 20 bytes, alone or at the end of a 32-byte word: whatever may be an address in an answer nobody understands. */
const ADDRESS_WORD = /0x(?:0{24})?([0-9a-f]{40})(?![0-9a-f])/gi

/** Reads one block transaction by transaction (`eth_getTransactionReceipt` of each); see `ChainReader.salvage`. */
export async function salvageBlock(ctx: ChainContext, height: number, want: Want): Promise<Salvage | null> {
  const call = { method: 'eth_getBlockByNumber', params: [toQuantity(height), false] }
  const answer = await ctx.node.call(call, ctx.signal)
  const block = readBlockRef(answer)
  if (!block) return null
  const hashes = list(object(answer, 'block')['transactions'], 'transactions').map((hash) => hexBytes(hash, 'hash'))
  const outcomes = await inFlight(AT_ONCE, hashes, (hash) => readOne(ctx, block, hash, want))
  const transfers: Transfer[] = []
  const unread: Unread[] = []
  for (const [at, outcome] of outcomes.entries()) {
    const txId = hashes[at] ?? ''
    if (outcome.status === 'fulfilled') transfers.push(...outcome.value)
    else if (isAboutNode(ctx, outcome.reason)) throw outcome.reason
    else unread.push({ txId, error: messageOf(outcome.reason), concernsUs: await namesOurs(ctx, txId, want) })
  }
  const payloadHash = createHash('sha256').update(JSON.stringify(answer)).digest('hex')
  return { block, transfers, unread, payloadHash }
}

async function readOne(ctx: ChainContext, block: BlockRef, txId: string, want: Want): Promise<Transfer[]> {
  const facts = await readTransactionFacts(ctx, txId)
  if (facts.state === 'failed') return []
  if (facts.state !== 'included' || facts.block.hash !== block.hash) {
    throw new RetryableRpcError('inconsistent', `The node lists ${txId} in block ${block.height}, but has it elsewhere`)
  }
  return facts.transfers.filter(({ assetId, from, to }) => {
    const isFromOurs = from !== null && want.matches(fromHex(from))
    return want.assets.has(assetId) && !isFromOurs && want.matches(fromHex(to))
  })
}

/** Whether the raw answers about a transaction name a wanted address anywhere; without answers nobody knows. */
async function namesOurs(ctx: ChainContext, txId: string, want: Want): Promise<boolean> {
  const calls = ['eth_getTransactionByHash', 'eth_getTransactionReceipt'].map((method) => ({ method, params: [txId] }))
  const answers = await callAll(ctx.node, calls, ctx.signal).catch(() => [])
  const words = JSON.stringify(answers).matchAll(ADDRESS_WORD)
  return [...words].some(([, digits = '']) => want.matches(fromHex(`0x${digits}`)))
}

function isAboutNode({ signal }: ChainContext, error: unknown): boolean {
  return signal.aborted || (error instanceof RetryableRpcError && NODE_TROUBLE.has(error.kind))
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
