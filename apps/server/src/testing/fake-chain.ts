import { createHash } from 'node:crypto'

import type { BlockRef, Leg } from '@kassa/chains/adapter.ts'
import { sql } from 'kysely'

import { asSystem, type Context, inTransaction } from '../context.ts'
import { getAsset } from '../modules/blockchains/chains/service.ts'
import type { QuarantineReason } from '@kassa/contract/deposits/reasons.ts'
import {
  type ReceivedBlock,
  type ReceivedTransfer,
  revertDeposits,
  creditBlocks,
} from '../modules/payments/crediting/service.ts'
import { addressesByKeys } from '../modules/wallets/service.ts'

export type FakeTransfer = {
  readonly to: string
  readonly assetId: number
  readonly units: bigint
  readonly from?: string
  /** The same name is the same transaction, in whatever block. */
  readonly tx?: string
  /** Another source disagrees, with this quarantine reason. */
  readonly quarantineReason?: QuarantineReason
}

/** A chain without a node: blocks of transfers are credited as the watcher does it, in its transactions. */
export type FakeChain = {
  /** Mines a block with these transfers, at the program's time or another; returns their transaction ids. */
  readonly mine: (transfers?: readonly FakeTransfer[], at?: Date) => Promise<string[]>
  /** Mines several blocks that are credited together, as by a follower that is behind. */
  readonly mineAll: (blocks: readonly (readonly FakeTransfer[])[], at?: Date) => Promise<string[]>
  /** Drops every block above a height; what is mined then are other blocks, or the same ones again. */
  readonly reorg: (toHeight: number, next?: 'other' | 'same') => Promise<void>
  readonly height: () => number
}

const STRANGER = '0x00000000000000000000000000000000000bEEf1'

/** Starts a chain of the ETH family at height 100. */
export async function fakeChain(context: Context, blockchainId: number): Promise<FakeChain> {
  const ctx = asSystem(context)
  let height = 100
  let branch = 0
  let count = 0
  const blockAt = (at: number, minedAt: Date): BlockRef => ({
    height: at,
    hash: hashOf(`${blockchainId} block ${at} of ${branch}`),
    parentHash: hashOf(`${blockchainId} block ${at - 1} of ${branch}`),
    minedAt,
  })
  await writeCursor(ctx, blockchainId, blockAt(height, ctx.now()))
  const blockOf = async (sent: readonly FakeTransfer[], at: Date) => {
    height += 1
    const block = blockAt(height, at)
    const transfers: ReceivedTransfer[] = []
    for (const transfer of sent) {
      count += 1
      transfers.push(await receivedOf(ctx, block, { tx: `${blockchainId} transfer ${count}`, ...transfer }))
    }
    return { block, transfers }
  }
  const mineAll: FakeChain['mineAll'] = async (sent, at = ctx.now()) => {
    const blocks: ReceivedBlock[] = []
    for (const transfers of sent) blocks.push(await blockOf(transfers, at))
    await inTransaction(ctx, async (tx) => {
      await creditBlocks(tx, { blockchainId, blocks, tip: height, finalized: -1 })
      await writeCursor(tx, blockchainId, blockAt(height, at))
    })
    return blocks.flatMap(({ transfers }) => transfers.map(({ transfer }) => transfer.txId))
  }
  return {
    height: () => height,
    mine: (transfers = [], at) => mineAll([transfers], at),
    mineAll,
    reorg: async (toHeight, next = 'other') => {
      await inTransaction(ctx, async (tx) => {
        await revertDeposits(tx, { blockchainId, toHeight })
        await writeCursor(tx, blockchainId, blockAt(toHeight, ctx.now()))
      })
      height = toHeight
      if (next === 'other') branch += 1
    },
  }
}

async function receivedOf(
  ctx: Context,
  block: BlockRef,
  sent: FakeTransfer & { tx: string },
): Promise<ReceivedTransfer> {
  const from = sent.from ?? STRANGER
  const find = async (text: string) => (await addressesByKeys(ctx, 1, [Buffer.from(text.slice(2), 'hex')]))[0]
  const address = await find(sent.to)
  if (!address) throw new Error(`${sent.to} is not an address of ours`)
  return {
    quarantineReason: sent.quarantineReason ?? null,
    address,
    asset: await getAsset(ctx, sent.assetId),
    transfer: {
      kind: 'token',
      assetId: sent.assetId,
      senders: [from],
      to: sent.to,
      units: sent.units,
      txId: hashOf(sent.tx),
      leg: 'log:0' as Leg,
      block,
      evidence: 'receipt',
    },
  }
}

async function writeCursor(ctx: Context, blockchainId: number, block: BlockRef): Promise<void> {
  await sql`
    INSERT INTO chain_cursors (blockchain_id, height, hash, parent_hash, block_time, head_height, finalized_height)
    VALUES (${blockchainId}, ${block.height}, ${block.hash}, ${block.parentHash}, ${block.minedAt}, ${block.height}, -1)
    ON CONFLICT (blockchain_id) DO UPDATE SET height = excluded.height, hash = excluded.hash,
      parent_hash = excluded.parent_hash, block_time = excluded.block_time, head_height = excluded.head_height`.execute(
    ctx.db,
  )
}

function hashOf(text: string): string {
  return `0x${createHash('sha256').update(text).digest('hex')}`
}
