import type { LocalChain } from './local-chain.ts'
import { callNode } from './node-call.ts'

/** The height of the chain's newest block. */
export async function height(chain: LocalChain): Promise<number> {
  return Number(await callNode<string>(chain.url, 'eth_blockNumber'))
}

/** Adds empty blocks and returns the new height. */
export async function mine(chain: LocalChain, blocks: number): Promise<number> {
  return chain.change(async () => {
    await callNode(chain.url, 'anvil_mine', `0x${blocks.toString(16)}`)
    return height(chain)
  })
}

/**
 * Replaces the newest `depth` blocks by empty ones, so that their transactions never happened, and returns the height,
 * which stays. Source: `anvil_reorg`.
 */
export async function reorg(chain: LocalChain, depth: number): Promise<number> {
  return chain.change(async () => {
    await callNode(chain.url, 'anvil_reorg', depth, [])
    return height(chain)
  })
}
