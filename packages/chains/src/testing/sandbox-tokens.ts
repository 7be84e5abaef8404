import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { permitToken } from '@kassa/solidity/generated/permit-token.ts'
import { silentToken } from '@kassa/solidity/generated/silent-token.ts'
import { testToken } from '@kassa/solidity/generated/test-token.ts'
import { encodeDeployData, numberToHex, parseEther } from 'viem'
import { callNode, connect, jsonCall } from '../node/client.ts'
import { mined } from './mined.ts'

/**
 * Key of the account that deploys the sandbox's tokens: keccak256("kassa sandbox token deployer"). It is public, holds
 * nothing outside a local chain, and is unlike any key that other tools print, so nobody mistakes it for their own.
 */
export const SANDBOX_DEPLOYER_KEY = '0xf968821482dda55037f257d965e1f1025484e0cd3d6b2dd14ad146abd8bc9926'

/** A billion whole units of each 6-decimal token. */
const SUPPLY = 10n ** 15n

/**
 * Name and symbol in the order of the nonces 0, 1, 2; the last calls itself USDC and is listed nowhere. USDC takes permits and USDT
 * returns nothing, as the real ones.
 */
const TOKENS = [
  { code: permitToken, name: 'USD Coin', symbol: 'USDC' },
  { code: silentToken, name: 'Tether USD', symbol: 'USDT' },
  { code: testToken, name: 'USD Coin', symbol: 'USDC' },
] as const

/**
 * Deploys the test tokens to a local anvil at the addresses of `SANDBOX_TOKENS`, the whole supply to `owner`.
 * Does nothing when they are there already. The chain must mine on every transaction.
 */
export async function deploySandboxTokens(url: string, owner: `0x${string}`): Promise<void> {
  const node = connect({ id: 0, url })
  const call = (method: string, ...params: unknown[]) =>
    callNode({ node, signal: AbortSignal.timeout(10_000) }, jsonCall(method, ...params))
  const from = SANDBOX_TOKENS.deployer
  const done = Number(await call('eth_getTransactionCount', from, 'latest'))
  await call('anvil_setBalance', from, numberToHex(parseEther('1')))
  await call('anvil_impersonateAccount', from)
  for (const { code, name, symbol } of TOKENS.slice(done)) {
    const data = encodeDeployData({ abi: code.abi, bytecode: code.bytecode, args: [name, symbol, 6, SUPPLY, owner] })
    await mined(node, String(await call('eth_sendTransaction', { from, data })))
  }
  await call('anvil_stopImpersonatingAccount', from)
}
