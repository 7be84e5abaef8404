import type { Chain } from '@kassa/chains/adapter.ts'
import { adapterOf } from '@kassa/chains/adapters.ts'
import { confirmationsIn } from '@kassa/primitives/chains/blockchains.ts'
import { usd } from '@kassa/primitives/money/usd.ts'

import type { Context } from '../../../context.ts'
import type { NoticeCause } from '@kassa/contract/blockchains/reading-reasons.ts'
import { listQuarantined } from '../quarantine/quarantine-blocks.ts'
import { finalityStallsAfterMs } from './rules.ts'
import type { Cursor } from '../blocks/cursor-store.ts'

/**
 * The notice for operators about a blockchain whose reading continues: finality does not grow (spec C-3), or a
 * quarantined block names an address of ours.
 */
export async function noticeFor(ctx: Context, chain: Chain, cursor: Cursor): Promise<NoticeCause | null> {
  const unreadable = (await listQuarantined(ctx, cursor.blockchainId)).find(({ concernsUs }) => concernsUs)
  if (unreadable) return { code: 'block_unreadable', params: { height: unreadable.height } }
  return hiddenNotice(chain, cursor) ?? stallNotice(ctx, chain, cursor)
}

/** A block whose internal transfers no node showed is worth a notice for so many blocks: a quarter of an hour on TRON. */
const NOTED_BLOCKS = 300

/** Where old balances cannot be read, nothing else shows what contracts pass on. */
function hiddenNotice({ blockchain: { family, name } }: Chain, { height, untracedTo }: Cursor): NoticeCause | null {
  if (adapterOf(family)?.balances || untracedTo < 0 || untracedTo <= height - NOTED_BLOCKS) return null
  return { code: 'internal_transfers_hidden', params: { network: name, height: untracedTo } }
}

function stallNotice(
  ctx: Context,
  { mode, blockchain }: Chain,
  { finalizedHeight, finalizedAt }: Cursor,
): NoticeCause | null {
  const { large, largeFromUsd } = confirmationsIn(mode, blockchain)
  if (large !== 'finalized' || finalizedHeight < 0 || finalizedAt === null) return null
  if (ctx.now().getTime() - finalizedAt.getTime() < finalityStallsAfterMs(blockchain.finalitySeconds)) return null
  const minutes = Math.floor((ctx.now().getTime() - finalizedAt.getTime()) / 60_000)
  const fromUSD = largeFromUsd === 0n ? null : usd(largeFromUsd)
  return { code: 'finality_stalled', params: { height: finalizedHeight, minutes, fromUSD } }
}
