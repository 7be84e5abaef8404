import { chainIn } from '@kassa/chains/chain.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { Contract, ContractChange, NewContract } from '@kassa/contract/sweep-contracts/schemas.ts'

import type { Context } from '../../context.ts'
import type { BlockchainRow } from '../blockchains/chains/service.ts'
import { parseAddress } from './chain/addresses.ts'
import { readCodeHash, vaultsOf } from './chain/read-chain.ts'
import { type CustomRow, insertCustomContract, listCustomContracts, updateCustomContract } from './store.ts'
import { blockchainOf } from './vaults.ts'
import { showCustomContract } from './view.ts'

/** Facts of a contract that were checked against its chain, ready to be stored. */
export type CheckedContract = {
  readonly blockchain: BlockchainRow
  readonly address: string | null
  readonly codeHash: string
}

/**
 * Checks a contract that is not part of the release: where an address is given, its code must be that of its type. Call it
 * outside of transactions.
 * @throws FAMILY_UNSUPPORTED, ADDRESS_INVALID, CONTRACT_MISMATCH, NODE_UNREACHABLE
 */
export async function checkContract(
  ctx: Context,
  blockchain: BlockchainRow,
  { contractType, address: text }: Pick<NewContract, 'contractType' | 'address'>,
): Promise<CheckedContract> {
  const { codeHash } = vaultsOf(blockchain).released(chainIn(ctx.config.network, blockchain.definition))[contractType]
  if (text === undefined) return { blockchain, address: null, codeHash }
  const address = parseAddress(ctx, blockchain, text)
  const found = await readCodeHash(ctx, blockchain, address)
  if (found !== codeHash) {
    fail('CONTRACT_MISMATCH', { details: found === null ? 'There is no contract at this address.' : undefined })
  }
  return { blockchain, address, codeHash }
}

/** Stores a contract that was checked. @throws CONTRACT_EXISTS */
export async function addContract(tx: Context, input: NewContract, checked: CheckedContract): Promise<Contract> {
  const { blockchain, address, codeHash } = checked
  const { contractType, abi, bytecode = '', description = '' } = input
  const row = await insertCustomContract(tx, {
    ...{ blockchain_id: blockchain.id, contract_type: contractType, abi, bytecode, address, description },
    code_hash: codeHash,
  })
  if (!row) return fail('CONTRACT_EXISTS')
  tx.change(null, { contractID: row.id, blockchain: blockchain.code, contractType, address, description })
  return showCustomContract(row, blockchain)
}

/**
 * Changes the facts of a contract; `checked` where it gets another address.
 * @throws CONTRACT_NOT_FOUND, CONTRACT_FROM_RELEASE
 */
export async function changeContract(
  tx: Context,
  row: CustomRow,
  { description, status }: ContractChange,
  checked: CheckedContract | null,
): Promise<Contract> {
  const change = {
    description: description ?? row.description,
    status: status ?? row.status,
    address: checked?.address ?? row.address,
  }
  await updateCustomContract(tx, row.id, change)
  const { description: text, status: former, address } = row
  tx.change({ contractID: row.id, description: text, status: former, address }, { contractID: row.id, ...change })
  return showCustomContract({ ...row, ...change, updated_at: tx.now() }, await blockchainOf(tx, row))
}

/** Finds a contract by its id that is not part of the release. */
export async function findCustomContract(ctx: Context, id: number): Promise<CustomRow | undefined> {
  return (await listCustomContracts(ctx)).find((row) => row.id === id)
}
