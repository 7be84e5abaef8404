import { fail } from '@kassa/contract/kit/api-error.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'

import type { LocalChain } from './local-chain.ts'
import { callNode, NodeRefusal } from './node-call.ts'

const TOKENS = [SANDBOX_TOKENS.usdc, SANDBOX_TOKENS.usdt, SANDBOX_TOKENS.lookAlikeUsdc]

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
 * @throws VALIDATION_FAILED when the chain is not that high, or has forgotten the accounts as of that block
 */
export async function reorg(chain: LocalChain, depth: number): Promise<number> {
  return chain.change(async () => {
    const tokens = await Promise.all(TOKENS.map((address) => codeAt(chain, address)))
    await callNode(chain.url, 'anvil_reorg', depth, []).catch(refuseDepth)
    // A node that was started again forgets the code of contracts, and no more, when it returns to a block from before.
    for (const [index, code] of tokens.entries()) await callNode(chain.url, 'anvil_setCode', TOKENS[index], code)
    return height(chain)
  })
}

function codeAt(chain: LocalChain, address: string): Promise<string> {
  return callNode(chain.url, 'eth_getCode', address, 'latest')
}

function refuseDepth(thrown: unknown): never {
  if (!(thrown instanceof NodeRefusal)) throw thrown
  const message = 'Depth reaches further back than this chain does'
  return fail('VALIDATION_FAILED', { message, fields: { depth: message }, cause: thrown })
}
