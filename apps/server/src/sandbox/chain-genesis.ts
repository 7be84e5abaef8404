import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { silentToken } from '@kassa/solidity/generated/silent-token.ts'
import { testToken } from '@kassa/solidity/generated/test-token.ts'
import { type Address, type Hex, createPublicClient, encodeDeployData, http, numberToHex, parseEther } from 'viem'

import { callNode } from './node-call.ts'

/** A thousand million of each token, in units of six decimals: nobody empties the payer by clicking. */
const supply = 10n ** 15n
const funds = numberToHex(parseEther('1000000'))

/** More than the deepest reorganisation one can ask for, so that none takes the tokens away. */
const emptyBlocks = numberToHex(70)

/** Puts the test tokens at their known addresses on a fresh chain and gives everything to the payer. */
export async function seedChain(url: string, payer: Address): Promise<void> {
  const { deployer } = SANDBOX_TOKENS
  await callNode(url, 'anvil_setBalance', payer, funds)
  await callNode(url, 'anvil_setBalance', deployer, funds)
  // Nobody needs the deployer's key: the node sends in its name, and its address and nonces decide the tokens' own.
  await callNode(url, 'anvil_impersonateAccount', deployer)
  await deploy(
    url,
    SANDBOX_TOKENS.usdc,
    encodeDeployData({ ...testToken, args: ['USD Coin', 'USDC', 6, supply, payer] }),
  )
  await deploy(
    url,
    SANDBOX_TOKENS.usdt,
    encodeDeployData({ ...silentToken, args: ['Tether USD', 'USDT', 6, supply, payer] }),
  )
  await deploy(
    url,
    SANDBOX_TOKENS.lookAlikeUsdc,
    encodeDeployData({ ...testToken, args: ['USD Coin', 'USDC', 6, supply, payer] }),
  )
  await callNode(url, 'anvil_stopImpersonatingAccount', deployer)
  await callNode(url, 'anvil_mine', emptyBlocks)
}

async function deploy(url: string, expected: Address, data: Hex): Promise<void> {
  const hash = await callNode<Hex>(url, 'eth_sendTransaction', { from: SANDBOX_TOKENS.deployer, data })
  const client = createPublicClient({ transport: http(url), pollingInterval: 10 })
  const { contractAddress } = await client.waitForTransactionReceipt({ hash })
  if (contractAddress?.toLowerCase() !== expected.toLowerCase())
    throw new Error(`A test token belongs at ${expected} but landed at ${contractAddress}`)
}
