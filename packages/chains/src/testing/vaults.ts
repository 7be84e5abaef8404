import { kassaFactory } from '@kassa/solidity/generated/kassa-factory.ts'
import type { Hex } from 'viem'
import { callNode, connect, jsonCall } from '../node/client.ts'
import { DETERMINISTIC_DEPLOYER, FACTORY_SALT, factoryKey } from '../evm/vaults/addresses.ts'
import { toHex } from '../evm/encoding/hex.ts'
import { mined } from './mined.ts'

/** Enough for the factory, which takes about two million. */
const FACTORY_GAS = '0x2dc6c0'

/**
 * Creates the factory of vaults on a local anvil through the deployer that it carries, at the address it has everywhere; does
 * nothing when it is there. `from` pays; the chain sends for it.
 */
export async function deployFactory(url: string, from: string): Promise<Hex> {
  const node = connect({ id: 0, url })
  const call = (method: string, ...params: unknown[]) =>
    callNode({ node, signal: AbortSignal.timeout(10_000) }, jsonCall(method, ...params))
  const factory = toHex(factoryKey()) as Hex
  if ((await call('eth_getCode', factory, 'latest')) !== '0x') return factory
  const data = toHex(FACTORY_SALT) + kassaFactory.bytecode.slice(2)
  await call('anvil_impersonateAccount', from)
  const tx = { from, to: DETERMINISTIC_DEPLOYER, data, gas: FACTORY_GAS }
  const { status } = await mined(node, String(await call('eth_sendTransaction', tx)))
  await call('anvil_stopImpersonatingAccount', from)
  if (status !== '0x1') throw new Error('The factory was not created')
  return factory
}
