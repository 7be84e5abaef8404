import type { ReleasedContract } from '@kassa/chains/sweep-vaults.ts'
import { CONTRACT_TYPES, type Contract, type ContractType } from '@kassa/contract/sweep-contracts/schemas.ts'

import type { BlockchainRow } from '../blockchains/chains/service.ts'

/** Of the sources in packages/solidity; a change of their bytecode is another version. */
const VERSION = 1

/** More types than there will ever be on a blockchain. */
const IDS_OF_BLOCKCHAIN = 10

const DESCRIPTIONS = {
  factory_contract: 'Creates sweep contracts; it has no owner and no right over them.',
  fund_sweeper: 'The sweep contract of a merchant: passes what its deposit addresses hold to its collector.',
  sweep_approval: 'The sweep contract of a merchant, as the one that deposit addresses approve.',
  deposit_wallet: 'A deposit address of a sweep contract, which it alone commands.',
} as const satisfies Record<ContractType, string>

/** Gives the id of a contract of the release: the same on every install. */
export function contractId(blockchainId: number, type: ContractType): number {
  return blockchainId * IDS_OF_BLOCKCHAIN + CONTRACT_TYPES.indexOf(type) + 1
}

/** Shows a contract of the release on one blockchain. */
export function showContract(
  id: number,
  { id: blockchainId, code, createdAt, updatedAt }: BlockchainRow,
  contractType: ContractType,
  { abi, bytecode, address, codeHash }: ReleasedContract,
): Contract {
  return {
    id,
    createdAt,
    updatedAt,
    blockchainCode: code,
    blockchain_id: blockchainId,
    contractType,
    abi,
    bytecode,
    address,
    description: DESCRIPTIONS[contractType],
    status: 'active',
    currencyStandard: 'ERC20',
    codeHash,
    version: VERSION,
    source: 'release',
  }
}
