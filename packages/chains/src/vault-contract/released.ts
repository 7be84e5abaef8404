import { depositInit } from '@kassa/keys/evm/deposit-contracts.ts'
import { kassaFactory } from '@kassa/solidity/generated/kassa-factory.ts'
import { kassaVault } from '@kassa/solidity/generated/kassa-vault.ts'
import { RELEASED_CODE_HASHES } from './code.ts'
import { toHex } from './hex.ts'

const VAULT = {
  abi: JSON.stringify(kassaVault.abi),
  bytecode: kassaVault.bytecode,
  address: null,
  codeHash: RELEASED_CODE_HASHES.vault,
}

/**
 * The contracts of this release, with where the factory stands on a chain, null where it does not. The vault's address stands
 * in the deposit contract: zero where no vault is meant.
 */
export function releasedContracts(factory: string | null) {
  return {
    factory_contract: {
      abi: JSON.stringify(kassaFactory.abi),
      bytecode: kassaFactory.bytecode,
      address: factory,
      codeHash: RELEASED_CODE_HASHES.factory,
    },
    fund_sweeper: VAULT,
    sweep_approval: VAULT,
    deposit_wallet: {
      abi: '[]',
      bytecode: toHex(depositInit(new Uint8Array(20))),
      address: null,
      codeHash: RELEASED_CODE_HASHES.deposit,
    },
  }
}
