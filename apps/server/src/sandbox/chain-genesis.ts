import { deploySandboxTokens } from '@kassa/chains/testing/sandbox-tokens.ts'
import { deployFactory } from '@kassa/chains/testing/vaults.ts'
import { numberToHex, parseEther } from 'viem'

import { callNode } from './node-call.ts'

/** More than test payments can spend. */
const funds = numberToHex(parseEther('1000000'))

/** More than the deepest reorganisation one can ask for, so that none takes the tokens away. */
const emptyBlocks = numberToHex(70)

/** Puts the test tokens and the factory of sweep contracts at their known addresses on a fresh chain and gives everything to the payer. */
export async function seedChain(url: string, payer: `0x${string}`): Promise<void> {
  await callNode(url, 'anvil_setBalance', payer, funds)
  await deploySandboxTokens(url, payer)
  await deployFactory(url, payer)
  await callNode(url, 'anvil_mine', emptyBlocks)
}
