import * as z from 'zod/mini'

import { id, int, ts } from '../kit/codecs.ts'
import { clearableText, text } from '../kit/fields.ts'

/**
 * What a contract is for. `fund_sweeper` and `sweep_approval` are one contract, the sweep contract of a merchant: the
 * second name is what older clients call it where deposit addresses approve it.
 */
export const CONTRACT_TYPES = ['factory_contract', 'fund_sweeper', 'sweep_approval', 'deposit_wallet'] as const

export type ContractType = (typeof CONTRACT_TYPES)[number]

/** A contract that Kassa ships: what a wallet or a script needs to deploy, call and check it. */
export const Contract = z.object({
  id,
  createdAt: ts,
  updatedAt: ts,
  blockchainCode: z.string(),
  blockchain_id: id,
  contractType: z.enum(CONTRACT_TYPES),
  abi: z.string(),
  bytecode: z.string(),
  /** Where it stands; null for what every merchant has their own of. */
  address: z.nullable(z.string()),
  description: z.string(),
  status: z.enum(['active', 'inactive']),
  currencyStandard: z.string(),
  /** Keccak-256 of the code on chain, with what its installation fills in left empty. */
  codeHash: z.string(),
  version: int,
  source: z.enum(['release', 'custom']),
})
export type Contract = z.output<typeof Contract>

/** An ABI with every function of a large contract has some tens of kilobytes. */
const LONGEST_ABI = 100_000
/** EIP-170 and EIP-3860 allow 49,152 bytes of code that creates a contract, in hex. */
const LONGEST_BYTECODE = 98_306

const status = z.enum(['active', 'inactive'], { error: 'Status must be one of: active, inactive' })

/** Facts of a contract that did not come with the release. */
export const NewContract = z.object({
  contractType: z.enum(CONTRACT_TYPES, { error: `Type must be one of: ${CONTRACT_TYPES.join(', ')}` }),
  abi: text('ABI', { max: LONGEST_ABI }),
  bytecode: z.optional(text('Bytecode', { max: LONGEST_BYTECODE })),
  address: z.optional(text('Address', { max: 100 })),
  description: clearableText('Description', { max: 255 }),
})
export type NewContract = z.output<typeof NewContract>

export const ContractChange = z.object({
  description: clearableText('Description', { max: 255 }),
  status: z.optional(status),
  address: z.optional(text('Address', { max: 100 })),
})
export type ContractChange = z.output<typeof ContractChange>

/** The types under which the sweep contract of a merchant is registered. */
export const VAULT_TYPES = ['fund_sweeper', 'sweep_approval'] as const
export type VaultType = (typeof VAULT_TYPES)[number]

/** Another collector or owner that was proposed on chain: who did it, and from when it can be accepted. */
export const PendingChange = z.object({ address: z.string(), by: z.string(), readyAt: ts })

/** A sweep contract of this install on one blockchain, as its chain last reported it. */
export const ContractAddress = z.object({
  id,
  createdAt: ts,
  updatedAt: ts,
  name: z.string(),
  blockchainCode: z.string(),
  contractID: id,
  contractType: z.enum(VAULT_TYPES),
  address: z.string(),
  /** The collector that operators last confirmed; sweeping stops while the chain has another one. */
  fundCollectorAddress: z.string(),
  /** The collector on chain. */
  collectorOnChain: z.string(),
  ownerAddress: z.string(),
  pendingCollector: z.nullable(PendingChange),
  pendingOwner: z.nullable(PendingChange),
  /** The collector can never change again. */
  isFrozen: z.boolean(),
  transactionHash: z.string(),
  status,
  codeHash: z.string(),
  /** The contract wallet whose deposits it commands; null where deposit addresses approve it. */
  walletID: z.nullable(id),
  readAt: ts,
})
export type ContractAddress = z.output<typeof ContractAddress>

/** What a browser wallet has deployed, as the caller claims; only the hash is used, and the rest must match the chain. */
export const NewContractAddress = z.object({
  address: text('Address', { max: 100 }),
  transactionHash: text('Transaction hash', { max: 100 }),
  fundCollectorAddress: text('Collector', { max: 100 }),
  name: clearableText('Name', { max: 100 }),
})
export type NewContractAddress = z.output<typeof NewContractAddress>

export const ContractAddressChange = z.object({
  name: z.optional(text('Name', { max: 100 })),
  status: z.optional(status),
})
export type ContractAddressChange = z.output<typeof ContractAddressChange>

/** The factory of a blockchain, and the sweep contract that deposit addresses approve there. */
export const FactoryWithContract = z.object({
  blockchainCode: z.string(),
  factory: Contract,
  sweepContract: z.nullable(ContractAddress),
})
