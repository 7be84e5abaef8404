import type { Chain } from '@kassa/chains/adapter.ts'
import { adapterOf } from '@kassa/chains/adapters.ts'
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
  return hiddenText(chain, cursor) ?? stallText(ctx, chain, cursor)
}

/** A block whose internal transfers no node showed is worth a notice for so many blocks: a quarter of an hour on TRON. */
const NOTED_BLOCKS = 300

/** Where old balances cannot be read, nothing else shows what contracts pass on. */
function hiddenText({ blockchain: { family, name } }: Chain, { height, untracedTo }: Cursor): string | null {
  if (adapterOf(family)?.balances || untracedTo < 0 || untracedTo <= height - NOTED_BLOCKS) return null
  return `The node shows nothing of what contracts pass on, up to block ${untracedTo}: such deposits are missed, and ${name}'s own coin is not swept. Switch vm.saveInternalTx on in the node, or use another one, then read these blocks again.`
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
