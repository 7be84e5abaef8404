import { kassaFactory } from '@kassa/solidity/generated/kassa-factory.ts'
import type { Hex } from 'viem'
import { callNode, jsonCall, type NodeClient } from '../node/client.ts'
import { DETERMINISTIC_DEPLOYER, FACTORY_SALT, factoryKey } from '../evm/vaults/addresses.ts'
import { toHex } from '../evm/encoding/hex.ts'
import { mined } from './mined.ts'

/** Enough for the factory, which takes about two million. */
const FACTORY_GAS = '0x2dc6c0'

/**
 * Creates the factory of vaults on a local anvil through the deployer that it carries, at the address it has everywhere; does
 * nothing when it is there. `from` is an account that the chain sends for.
 */
export async function deployFactory(node: NodeClient, from: string): Promise<Hex> {
  const signal = AbortSignal.timeout(10_000)
  const factory = toHex(factoryKey()) as Hex
  const code = await callNode({ node, signal }, jsonCall('eth_getCode', factory, 'latest'))
  if (code !== '0x') return factory
  const data = toHex(FACTORY_SALT) + kassaFactory.bytecode.slice(2)
  const tx = { from, to: DETERMINISTIC_DEPLOYER, data, gas: FACTORY_GAS }
  const { status } = await mined(node, String(await callNode({ node, signal }, jsonCall('eth_sendTransaction', tx))))
  if (status !== '0x1') throw new Error('The factory was not created')
  return factory
}
