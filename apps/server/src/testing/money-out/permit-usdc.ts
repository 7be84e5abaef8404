import type { AnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { domainSeparator } from '@kassa/keys/evm/permit.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { permitToken } from '@kassa/solidity/generated/permit-token.ts'
import { encodeDeployData, type Hex } from 'viem'

/** Lets USDC of a local chain take permits, as the real one does (EIP-2612): its storage stays, its code is another. */
export async function permitUsdc(anvil: AnvilChain): Promise<void> {
  const args = ['USD Coin', 'USDC', 6, 0n, anvil.payer] as const
  const data = encodeDeployData({ ...permitToken, args })
  const txId = await anvil.send({ from: anvil.payer, data, gas: 3_000_000n })
  const { contractAddress } = (await anvil.call('eth_getTransactionReceipt', txId)) as { contractAddress: Hex }
  const domain = { name: 'USD Coin', version: '1', chainId: 31_337n }
  const separator = (verifyingContract: string) => domainSeparator({ ...domain, verifyingContract }).slice(2)
  const code = String(await anvil.call('eth_getCode', contractAddress, 'latest'))
  if (!code.includes(separator(contractAddress))) throw new Error('The token names itself otherwise')
  const own = code.replaceAll(separator(contractAddress), separator(SANDBOX_TOKENS.usdc))
  await anvil.call('anvil_setCode', SANDBOX_TOKENS.usdc, own)
}
