import * as z from 'zod/mini'

import { id, int, ts } from '../kit/codecs.ts'

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
