import type { ReleasedContract } from '@kassa/chains/sweep-vaults.ts'
import {
  CONTRACT_TYPES,
  type Contract,
  type ContractAddress,
  type ContractType,
} from '@kassa/contract/sweep-contracts/schemas.ts'

import type { BlockchainRow } from '../blockchains/chains/service.ts'
import type { CustomRow, VaultRow } from './store.ts'

/** The version of the sources in packages/solidity; other bytecode is another version. */
const VERSION = 1

/** Ids reserved for each blockchain: more than it will ever have types. */
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

/** Shows a contract that did not come with the release. */
export function showCustomContract(row: CustomRow, { code }: BlockchainRow): Contract {
  return {
    id: row.id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    blockchainCode: code,
    blockchain_id: row.blockchain_id,
    contractType: row.contract_type,
    abi: row.abi,
    bytecode: row.bytecode,
    address: row.address,
    description: row.description,
    status: row.status,
    currencyStandard: 'ERC20',
    codeHash: row.code_hash,
    version: VERSION,
    source: 'custom',
  }
}

/** Shows a sweep contract of this install, as its chain said last. */
export function showVault(row: VaultRow, { code }: BlockchainRow): ContractAddress {
  // Only the owner can propose, so the owner did.
  const pending = (address: string | null, readyAt: Date | null) =>
    address === null || readyAt === null ? null : { address, by: row.owner, readyAt }
  return {
    id: row.id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    name: row.name,
    blockchainCode: code,
    contractID: contractId(row.blockchain_id, row.contract_type),
    contractType: row.contract_type,
    address: row.address,
    fundCollectorAddress: row.collector,
    collectorOnChain: row.collector_on_chain,
    ownerAddress: row.owner,
    pendingCollector: pending(row.pending_collector, row.collector_ready_at),
    pendingOwner: pending(row.pending_owner, row.owner_ready_at),
    isFrozen: row.is_frozen,
    transactionHash: row.tx_id,
    status: row.status,
    codeHash: row.code_hash,
    walletID: row.wallet_id,
    readAt: row.read_at,
  }
}
