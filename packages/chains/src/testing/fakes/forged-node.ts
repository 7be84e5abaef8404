import { RetryableRpcError } from '../../errors.ts'
import { toQuantity } from '../../evm/encoding/hex.ts'
import type { Json } from '../../evm/encoding/wire.ts'
import { type FakeAnswers, fakeNode } from '../fake-node.ts'
import type { ForgedBlock } from './forged.ts'

type LogFilter = {
  readonly blockHash?: string
  readonly fromBlock?: string
  readonly toBlock?: string
  readonly address: string | readonly string[]
  readonly topics: readonly (string | null)[]
}

/** Answers as an honest node that holds these blocks, oldest first. */
export function honestAnswers(blocks: readonly ForgedBlock[]) {
  const byHeight = new Map(blocks.map((block) => [toQuantity(block.height), block]))
  const byHash = new Map(blocks.map((block) => [block.hash, block]))
  const receipts = new Map(blocks.flatMap((block) => block.receipts.map((one) => [one['transactionHash'], one])))
  const newest = blocks.at(-1)
  return {
    eth_chainId: () => '0x1',
    eth_blockNumber: () => toQuantity(newest?.height ?? 0),
    eth_getBlockByNumber: (tag: string, withBodies: boolean) => {
      const block = byHeight.get(tag) ?? (tag === 'latest' || tag === 'finalized' ? newest : undefined)
      if (!block) return null
      return withBodies ? block.json : { ...block.json, transactions: block.placed.map(({ hash }) => hash) }
    },
    eth_getBlockByHash: (hash: string) => byHash.get(hash)?.json ?? null,
    eth_getBlockReceipts: (hash: string) => byHash.get(hash)?.receipts ?? null,
    eth_getTransactionReceipt: (hash: string) => receipts.get(hash) ?? null,
    eth_getTransactionByHash: (hash: string) =>
      blocks.flatMap(({ json }) => json['transactions'] as Json[]).find((tx) => tx['hash'] === hash) ?? null,
    eth_getTransactionCount: () => '0x0',
    eth_getLogs: (filter: LogFilter) => {
      if (filter.blockHash && !byHash.has(filter.blockHash)) throw new RetryableRpcError('internal', 'unknown block')
      const found = filter.blockHash
        ? blocks.filter(({ hash }) => hash === filter.blockHash)
        : blocks.filter(({ height }) => height >= Number(filter.fromBlock) && height <= Number(filter.toBlock))
      return found
        .flatMap((block) => block.receipts.flatMap((receipt) => receipt['logs'] as Json[]))
        .filter((log) => isWanted(filter, log))
    },
    debug_traceBlockByHash: (hash: string) => byHash.get(hash)?.traces ?? null,
    debug_traceTransaction: (hash: string) =>
      blocks.flatMap(({ traces }) => traces).find((trace) => trace['txHash'] === hash)?.['result'] ?? null,
  } satisfies FakeAnswers
}

/** An honest node with fewer methods. */
export function poorNode(blocks: readonly ForgedBlock[], missing: readonly string[]) {
  const answers: FakeAnswers = honestAnswers(blocks)
  return fakeNode(Object.fromEntries(Object.entries(answers).filter(([method]) => !missing.includes(method))))
}

function isWanted({ address, topics }: LogFilter, log: Json): boolean {
  const contracts = [address].flat().map((one) => one.toLowerCase())
  const at = log['topics'] as string[]
  return contracts.includes(String(log['address'])) && topics.every((one, i) => one === null || one === at[i])
}
