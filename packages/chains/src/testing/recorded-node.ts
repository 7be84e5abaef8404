import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { NodeClient } from '../node/client.ts'
import { fakeNode } from './fake-node.ts'

type Json = Readonly<Record<string, unknown>>
export type RecordedTransaction = Json & { readonly hash: string; readonly from: string; readonly to: string | null }
export type RecordedLog = Json & {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}
export type RecordedReceipt = Json & {
  readonly transactionHash: string
  readonly status?: string
  readonly logs: readonly RecordedLog[]
}
export type RecordedFrame = Json & { readonly calls?: readonly RecordedFrame[] }
export type RecordedBlock = Json & {
  readonly number: string
  readonly hash: string
  readonly parentHash: string
  readonly receiptsRoot: string
  readonly transactions: readonly RecordedTransaction[]
}

/** What a public node answered about one block; see recordings/README.md. */
export type Recording = {
  readonly block: RecordedBlock
  readonly receipts: readonly RecordedReceipt[] | null
  readonly traces: readonly { readonly txHash: string; readonly result: RecordedFrame }[] | null
}

/** Loads the recording of one block, such as `ethereum/1000000`; null for what was not recorded of it. */
export function loadRecording(name: string): Recording {
  return {
    block: load(`${name}.block`) as RecordedBlock,
    receipts: loadIfThere(`${name}.receipts`) as Recording['receipts'],
    traces: loadIfThere(`${name}.calltraces`) as Recording['traces'],
  }
}

/** Makes a node that has just the recorded blocks, and answers about them as they were recorded. */
export function recordedNode(...recordings: readonly [Recording, ...Recording[]]): NodeClient {
  const newest = recordings.at(-1) ?? recordings[0]
  const byTag = new Map(recordings.flatMap((one) => [one.block.number, one.block.hash].map((tag) => [tag, one])))
  const at = (tag: string) => (tag === 'latest' ? newest : byTag.get(tag))
  const ofTransaction = (hash: string) =>
    recordings.find(({ block }) => block.transactions.some((tx) => tx.hash === hash))
  const isWhole = recordings.every(({ receipts }) => receipts)
  const blockAt = (tag: string, isFull: boolean) => {
    const block = at(tag)?.block
    return block ? { ...block, transactions: isFull ? block.transactions : block.transactions.map(hashOf) } : null
  }
  return fakeNode({
    eth_getBlockByNumber: blockAt,
    eth_getBlockByHash: blockAt,
    eth_blockNumber: () => newest.block.number,
    eth_getTransactionByHash: (hash: string) =>
      ofTransaction(hash)?.block.transactions.find((tx) => tx.hash === hash) ?? null,
    ...(isWhole && {
      eth_getBlockReceipts: (hash: string) => at(hash)?.receipts ?? null,
      eth_getTransactionReceipt: (hash: string) =>
        ofTransaction(hash)?.receipts?.find(({ transactionHash }) => transactionHash === hash) ?? null,
      eth_getLogs: (wanted: LogFilter) =>
        recordings
          .filter(({ block }) => isAsked(wanted, block))
          .flatMap(({ receipts }) => logsOf(wanted, receipts ?? [])),
    }),
    ...(recordings.every(({ traces }) => traces) && {
      debug_traceBlockByHash: (hash: string) => at(hash)?.traces ?? null,
      debug_traceTransaction: (hash: string) =>
        ofTransaction(hash)?.traces?.find(({ txHash }) => txHash === hash)?.result ?? null,
    }),
  })
}

type LogFilter = {
  readonly fromBlock?: string
  readonly toBlock?: string
  readonly blockHash?: string
  readonly address: readonly string[]
  readonly topics: readonly string[]
}

function isAsked({ blockHash, fromBlock, toBlock }: LogFilter, { hash, number }: RecordedBlock): boolean {
  if (blockHash) return blockHash === hash
  return Number(fromBlock) <= Number(number) && Number(number) <= Number(toBlock)
}

function logsOf({ address, topics }: LogFilter, receipts: readonly RecordedReceipt[]): readonly RecordedLog[] {
  return receipts
    .flatMap(({ logs }) => logs)
    .filter((log) => address.includes(log.address.toLowerCase()) && log.topics[0] === topics[0])
}

function hashOf({ hash }: RecordedTransaction): string {
  return hash
}

function loadIfThere(name: string): unknown {
  try {
    return load(name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

function load(name: string): unknown {
  return JSON.parse(gunzipSync(readFileSync(new URL(`recordings/${name}.json.gz`, import.meta.url))).toString())
}
