import { sessionAlone } from '../../chain.ts'
import type { BlockFacts, Transfer } from '../../adapter.ts'
import { evmAdapter } from '../../evm/adapter.ts'
import { fromHex } from '../../evm/encoding/hex.ts'
import type { NodeClient } from '../../node/client.ts'
import type { ForgedBlock, Owed } from './forged.ts'
import type { World } from './world.ts'

/** The height below the first forged block. */
export const BEFORE = 99

/** One credited transfer as text that two lists can be compared by. */
export function creditOf({ txId, leg, assetId, to, units }: Pick<Transfer, 'txId'> & Owed): string {
  return `${txId} ${leg} ${assetId} ${to.toLowerCase()} ${units}`
}

/** What the blocks truly bring, or the part of it whose leg is wanted. */
export function owedIn(blocks: readonly ForgedBlock[], isWanted: (leg: string) => boolean = () => true): string[] {
  return blocks
    .flatMap(({ placed }) => placed)
    .flatMap(({ hash, owed }) => owed.filter(({ leg }) => isWanted(leg)).map((one) => creditOf({ ...one, txId: hash })))
    .toSorted()
}

/** Reads so many forged blocks through the adapter, `span` at a time. */
export async function readAll(
  world: World,
  node: NodeClient,
  count: number,
  span: number,
): Promise<{ hashes: string[]; credited: string[] }> {
  const found: BlockFacts[] = []
  for (let from = BEFORE + 1; from <= BEFORE + count; from += span) {
    found.push(...(await readRange(world, node, from, Math.min(from + span - 1, BEFORE + count))))
  }
  return {
    hashes: found.map(({ block }) => block.hash),
    credited: found.flatMap(({ transfers }) => depositsAmong(world, transfers).map(creditOf)).toSorted(),
  }
}

/** What reaches an address of ours from elsewhere; all else that concerns us is a movement (W-12). */
function depositsAmong({ filter }: World, transfers: readonly Transfer[]): Transfer[] {
  const isOurs = (address: string) => filter.matches(fromHex(address))
  return transfers.filter(({ senders, to }) => isOurs(to) && !senders.some(isOurs))
}

/** Reads a range through the adapter. */
export function readRange({ chain, filter }: World, node: NodeClient, from: number, to: number): Promise<BlockFacts[]> {
  return evmAdapter.reader.blocks(sessionAlone(chain, node), { from, to }, filter)
}
