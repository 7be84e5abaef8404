import type { ContractType, VaultType } from '@kassa/contract/sweep-contracts/schemas.ts'

import type { SerialId } from '../../db/columns.ts'

export type SweepContractTables = {
  contract_addresses: {
    id: SerialId
    blockchain_id: number
    family_id: number
    contract_type: VaultType
    name: string
    address: string
    tx_id: string
    /** The contract wallet whose deposits it commands; null where deposit addresses approve it. */
    wallet_id: number | null
    code_hash: string
    /** As operators confirmed it; the MAC covers it. */
    collector: string
    mac: Buffer
    owner: string
    owner_key: Buffer
    collector_on_chain: string
    pending_collector: string | null
    collector_ready_at: Date | null
    pending_owner: string | null
    owner_ready_at: Date | null
    is_frozen: boolean
    read_at: Date
    status: 'active' | 'inactive'
    created_at: Date
    updated_at: Date
  }
  custom_contracts: {
    id: SerialId
    blockchain_id: number
    contract_type: ContractType
    abi: string
    bytecode: string
    address: string | null
    description: string
    code_hash: string
    status: 'active' | 'inactive'
    created_at: Date
    updated_at: Date
  }
}
