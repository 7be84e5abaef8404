import { NodeRefusal } from '../answers.ts'
import type { ChainView } from '../block-tree.ts'
import type { FakeBlock } from '../sealing.ts'
import type { FakeTransaction } from '../transactions.ts'
import { HEADER_BYTES } from './blocks.ts'
import { findOutput } from './spending.ts'

/** What a node shows: its branch and its mempool. */
export type Shown = { readonly view: ChainView; readonly waiting: readonly FakeTransaction[] }

/** Answers one call as `bitcoind` does. @throws NodeRefusal */
export function answerBitcoin(shown: Shown, method: string, params: readonly unknown[]): unknown {
  const respond = ANSWERS[method] ?? refuse(-32601, 'Method not found')
  return respond(shown, ...params)
}

const ANSWERS: Readonly<Record<string, (shown: Shown, ...params: unknown[]) => unknown>> = {
  getblockhash: ({ view }, height) => view.blocks[Number(height)]?.hash ?? refuse(-8, 'Block height out of range'),
  getbestblockhash: ({ view }) => view.blocks.at(-1)?.hash,
  getblockheader: (shown, hash, isVerbose) => {
    const block = known(shown, hash)
    return isVerbose === true ? { hash, height: block.height } : hex(block.bytes?.subarray(0, HEADER_BYTES))
  },
  getblock: (shown, hash) => hex(known(shown, hash).bytes),
  getrawtransaction: ({ view, waiting }, txId, isVerbose) => {
    const block = view.blocks.find(({ transactions }) => transactions.some(({ hash }) => hash === txId))
    const tx = [...(block?.transactions ?? []), ...waiting].find(({ hash }) => hash === txId)
    const raw = hex((tx ?? refuse(-5, 'No such mempool or blockchain transaction')).bytes)
    return isVerbose === true ? { hex: raw, ...(block && { blockhash: block.hash, confirmations: 1 }) } : raw
  },
  getrawmempool: ({ waiting }) => waiting.map(({ hash }) => hash),
  gettxout: ({ view, waiting }, txId, vout) => {
    const place = { txId: String(txId), at: Number(vout) }
    const found = findOutput([...view.blocks.flatMap(({ transactions }) => transactions), ...waiting], place)
    return found?.isUnspent ? { confirmations: 0 } : null
  },
  // Coins of a thousand bytes.
  estimatesmartfee: ({ view }, blocks) => ({ feerate: Number(priceAt(view)) / 100_000, blocks }),
  getnetworkinfo: () => ({ subversion: '/Satoshi:28.0.0/' }),
  getindexinfo: () => ({ txindex: { synced: true } }),
}

/** Units that miners want for a virtual byte in the block after the newest: they change from one to the next. */
export function priceAt({ blocks }: ChainView): bigint {
  return 1n + BigInt(((blocks.length - 1) * 5) % 7)
}

function known({ view }: Shown, hash: unknown): FakeBlock {
  return view.blocks.findLast((block) => block.hash === hash) ?? refuse(-5, 'Block not found')
}

function hex(bytes: Uint8Array = new Uint8Array()): string {
  return Buffer.from(bytes).toString('hex')
}

function refuse(code: number, message: string): never {
  throw new NodeRefusal(code, message)
}

/** The answers of a node that returns another block, changes an amount in one, or forgets its mempool. */
export const BITCOIN_LIES = {
  'foreign blocks': (honest: unknown, method: string, { view }: Shown) =>
    method === 'getblock' ? hex(view.blocks.findLast(({ transactions }) => transactions.length > 0)?.bytes) : honest,
  'changed blocks': (honest: unknown, method: string) =>
    method === 'getblock' ? String(honest).replace(/^(.{240}).(?=.{4})/, '$1f') : honest,
  'forgets what waits': (honest: unknown, method: string) => (method === 'getrawmempool' ? [] : honest),
  'hides balances': (honest: unknown, method: string) => (method === 'gettxout' ? null : honest),
  // It has no index of transactions.
  'denies what was mined': (honest: unknown, method: string) => {
    if (method !== 'getrawtransaction') return honest
    const isMined = typeof honest === 'object' && honest !== null && 'blockhash' in honest
    return isMined ? refuse(-5, 'No such mempool transaction') : honest
  },
} as const
