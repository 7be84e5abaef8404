import { fail } from '@kassa/contract/kit/api-error.ts'
import type { OwnerQuestion } from '@kassa/contract/sandbox/schemas.ts'
import { setTimeout as sleep } from 'node:timers/promises'

import type { LocalChain } from '../local-chain.ts'
import { callNode, NodeRefusal } from '../node-call.ts'

/**
 * The account that plays the merchant's own wallet on the sandbox: it owns sweep contracts there. Its key is public, the
 * keccak-256 hash of the text `Kassa sandbox owner`; the local chains send for it without.
 */
export const ownerAddress = '0xe53833D153A06387c62828655D65daEe1c8c7241'

/** More than test deployments can spend. */
const FUNDS = '0xd3c21bcecceda1000000'

const MINED_WITHIN_MS = 10_000

/** Answers as a wallet in the browser would (EIP-1193), which confirms whatever it is asked. @throws VALIDATION_FAILED */
export async function askOwner(chain: LocalChain, { method, params = [] }: OwnerQuestion): Promise<unknown> {
  if (method === 'eth_accounts' || method === 'eth_requestAccounts') return [ownerAddress]
  if (method === 'eth_chainId') return `0x${chain.chainId.toString(16)}`
  try {
    // Pages hold the network fee against it before they let anybody send.
    if (method === 'eth_getBalance') await fund(chain.url)
    if (method !== 'eth_sendTransaction') return await callNode(chain.url, method, ...params)
    return await chain.change(() => send(chain.url, params[0]))
  } catch (thrown) {
    if (!(thrown instanceof NodeRefusal)) throw thrown
    return fail('VALIDATION_FAILED', { message: thrown.message })
  }
}

async function send(url: string, asked: unknown): Promise<string> {
  const { to, data, value = '0x0' } = (asked ?? {}) as { to?: string; data?: string; value?: string }
  await fund(url)
  await callNode(url, 'anvil_impersonateAccount', ownerAddress)
  const hash = await callNode<string>(url, 'eth_sendTransaction', { from: ownerAddress, to, data, value })
  const until = Date.now() + MINED_WITHIN_MS
  while ((await callNode(url, 'eth_getTransactionReceipt', hash)) === null) {
    if (Date.now() > until) throw new Error(`The transaction ${hash} of the owner was not mined`)
    await sleep(50)
  }
  return hash
}

async function fund(url: string): Promise<void> {
  await callNode(url, 'anvil_setBalance', ownerAddress, FUNDS)
}
