import { create2Address, CREATE2_PREFIX } from '@kassa/keys/evm/create2.ts'
import { kassaFactory } from '@kassa/solidity/generated/kassa-factory.ts'
import { fromHex, keccak, keccakText } from '../encoding/hex.ts'

/** Creates contracts for everybody at addresses that depend on their code alone (EIP-7997); anvil carries it too. */
export const DETERMINISTIC_DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

/** The salt of the factory; another version of its code gets another address without a new salt. */
export const FACTORY_SALT = keccakText('kassa.factory.v1')

/** Tells where the factory stands on every EVM chain, deployed there or not. */
export function factoryKey(): Uint8Array {
  const initHash = keccak(fromHex(kassaFactory.bytecode))
  const deployer = fromHex(DETERMINISTIC_DEPLOYER)
  return create2Address({ prefix: CREATE2_PREFIX.evm, deployer, salt: FACTORY_SALT, initHash })
}
