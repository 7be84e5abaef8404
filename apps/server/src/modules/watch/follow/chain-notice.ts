import type { Chain } from '@kassa/chains/adapter.ts'
import { confirmationsIn } from '@kassa/primitives/chains/blockchains.ts'

import type { Context } from '../../../context.ts'
import { listQuarantined } from '../quarantine/quarantine-blocks.ts'
import { finalityStallsAfterMs } from './rules.ts'
import type { Cursor } from '../blocks/cursor-store.ts'

/**
 * The notice for operators about a blockchain whose reading continues: finality does not grow (spec C-3), or a
 * quarantined block names an address of ours.
 */
export async function noticeFor(ctx: Context, chain: Chain, cursor: Cursor): Promise<string | null> {
  const unreadable = (await listQuarantined(ctx, cursor.blockchainId)).find(({ concernsUs }) => concernsUs)
  if (unreadable) return `Block ${unreadable.height} could not be read as a whole, and it names an address of yours.`
  return stallText(ctx, chain, cursor)
}

function stallText(ctx: Context, { mode, blockchain }: Chain, { finalizedHeight, finalizedAt }: Cursor): string | null {
  const { large, largeFromUsd } = confirmationsIn(mode, blockchain)
  if (large !== 'finalized' || finalizedHeight < 0 || finalizedAt === null) return null
  if (ctx.now().getTime() - finalizedAt.getTime() < finalityStallsAfterMs(blockchain.finalitySeconds)) return null
  const minutes = Math.floor((ctx.now().getTime() - finalizedAt.getTime()) / 60_000)
  const dollars = (largeFromUsd / 1_000_000n).toLocaleString('en-US')
  const who =
    largeFromUsd === 0n
      ? 'Deposits wait for it'
      : `Deposits of $${dollars} or more wait for it; smaller ones follow their depth`
  return `Nothing has become final above block ${finalizedHeight} for ${minutes} minutes. ${who}.`
}
