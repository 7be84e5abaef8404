import { chainIn } from '@kassa/chains/chain.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { NewContractAddress, VaultType } from '@kassa/contract/sweep-contracts/schemas.ts'
import type { NewContractWallet } from '@kassa/contract/wallets/contract-routes.ts'
import { type Family, findFamily } from '@kassa/primitives/chains/families.ts'

import type { Context } from '../../context.ts'
import { addColdWallet, findCollector } from '../wallets/cold/service.ts'
import { addOwnAddress } from '../wallets/own-addresses/service.ts'
import { requireNotOurs } from '../wallets/ownership/service.ts'
import { addContractWallet } from '../wallets/service.ts'
import { keyOf } from './chain/addresses.ts'
import { noteState } from './note-state.ts'
import { type Created, vaultsOf } from './chain/read-chain.ts'
import { factsOf } from './rules.ts'
import { findRegistered, insertVaultRow, type VaultRow } from './store.ts'
import { requireGenuineVault, vaultMac } from './vaults.ts'

/**
 * Registers the contract that a transaction created as the contract of a deposit wallet: of a new wallet, or on one more
 * blockchain of an existing one. A repeat returns the same wallet. On test networks its collector becomes a cold wallet if it
 * is none.
 * @throws TRANSACTION_USED, CONTRACT_MISMATCH, COLLECTOR_IS_MASTER, COLLECTOR_NOT_COLD_WALLET, ADDRESS_IS_OURS,
 * WALLET_NOT_FOUND
 */
export async function registerContractWallet(
  tx: Context,
  created: Created,
  { name, walletID, projectId }: NewContractWallet & { readonly projectId?: number | undefined },
): Promise<{ readonly id: number }> {
  const { blockchain, vault, creator, salt } = created
  const family = await takeVault(tx, created)
  const known = await findRegistered(tx, placeOf(created, 'fund_sweeper'))
  const isOther = known && walletID !== undefined && walletID !== known.wallet_id
  if (isOther) fail('TRANSACTION_USED', { details: 'Another wallet has this contract.' })
  const title = name || `Sweep contract ${vault.slice(0, 6)}…${vault.slice(-4)}`
  if (known) await requireGenuineVault(tx, known)
  else await requireCollector(tx, created, { coldName: `Cold wallet of ${title}` })
  const source = { familyId: family.id, vault, creator, salt }
  const wallet = await addContractWallet(tx, source, { name: title, walletId: walletID ?? undefined, projectId })
  if (!known) await insertVault(tx, created, { family, type: 'fund_sweeper', name: wallet.name, walletId: wallet.id })
  const facts = { blockchain: blockchain.code, contract: vault, collector: created.now.collector }
  tx.change(null, { walletID: wallet.id, name: wallet.name, ...facts, transactionHash: created.txId })
  return { id: wallet.id }
}

/**
 * Registers the contract that a transaction created for deposit addresses to approve. The caller's statements about it must
 * match the chain.
 * @throws TRANSACTION_USED, CONTRACT_MISMATCH, COLLECTOR_IS_MASTER, COLLECTOR_NOT_COLD_WALLET, ADDRESS_IS_OURS
 */
export async function registerApprovalContract(
  tx: Context,
  created: Created,
  claim: Pick<NewContractAddress, 'address' | 'fundCollectorAddress' | 'name'>,
): Promise<VaultRow> {
  const { blockchain, vault, now } = created
  if (claim.address !== vault) {
    fail('CONTRACT_MISMATCH', { details: `The transaction created ${vault}, not ${claim.address}.` })
  }
  if (claim.fundCollectorAddress !== now.collector) {
    fail('CONTRACT_MISMATCH', { details: `The contract sends money to ${now.collector}.` })
  }
  const family = await takeVault(tx, created)
  if (await findRegistered(tx, placeOf(created, 'sweep_approval'))) fail('TRANSACTION_USED')
  await requireCollector(tx, created, { coldName: null })
  const name = claim.name || `Sweep contract of ${blockchain.name}`
  const row = await insertVault(tx, created, { family, type: 'sweep_approval', name, walletId: null })
  const facts = { blockchain: blockchain.code, contract: vault, collector: now.collector }
  tx.change(null, { contractAddressID: row.id, name, ...facts, transactionHash: created.txId })
  await tx.events.emit(tx, { type: 'wallet.changed', projectId: null, payload: { contract_address_id: row.id } })
  return row
}

function placeOf({ blockchain, vault, txId }: Created, type: VaultType) {
  return { blockchainId: blockchain.id, type, txId, address: vault }
}

/** Makes sure that the contract has no other role in this install, and keeps others from taking it meanwhile. */
async function takeVault(tx: Context, { blockchain, vault }: Created): Promise<Family> {
  const family = findFamily(blockchain.definition.family) ?? fail('FAMILY_UNSUPPORTED')
  await requireNotOurs(tx, family, keyOf(tx, blockchain, vault), { sharedAs: 'vault' })
  return family
}

/**
 * Makes sure that what the contract gathers goes to a cold wallet. On test networks it adds one with `coldName` where there is
 * none; on mainnet an operator must have added it, with step-up and a delay.
 */
async function requireCollector(
  tx: Context,
  { blockchain, vault, now: { owner, collector } }: Created,
  { coldName }: { readonly coldName: string | null },
): Promise<void> {
  const isMainnet = tx.config.network === 'mainnet'
  if (owner === collector) {
    if (isMainnet) fail('COLLECTOR_IS_MASTER')
    tx.log.warn({ vault, owner }, 'the owner of a sweep contract is its collector: one stolen key takes both')
  }
  const cold = await findCollector(tx, blockchain.id, collector)
  if (cold?.isUsable) return
  if (cold || isMainnet || coldName === null) {
    const why = cold ? 'is inactive, or not usable yet' : 'is none of your cold wallets'
    fail('COLLECTOR_NOT_COLD_WALLET', { details: `${collector} ${why}.` })
  }
  await addColdWallet(tx, { name: coldName, address: collector, blockchain: blockchain.code })
}

type NewVault = {
  readonly family: Family
  readonly type: VaultType
  readonly name: string
  readonly walletId: number | null
}

async function insertVault(
  tx: Context,
  created: Created,
  { family, type, name, walletId }: NewVault,
): Promise<VaultRow> {
  const { blockchain, vault, txId, now } = created
  const vaults = vaultsOf(blockchain)
  const chain = chainIn(tx.config.network, blockchain.definition)
  const place = { blockchain_id: blockchain.id, contract_type: type, address: vault, tx_id: txId, wallet_id: walletId }
  const row = { ...place, collector: now.collector }
  const code_hash = vaults.released(chain)[type].codeHash
  const facts = factsOf(now, keyOf(tx, blockchain, now.owner))
  const values = { ...row, ...facts, mac: vaultMac(tx, row), family_id: family.id, name, code_hash, read_at: tx.now() }
  const inserted = (await insertVaultRow(tx, values)) ?? fail('TRANSACTION_USED')
  await addOwnAddress(tx, { blockchainId: blockchain.id, address: vault, role: 'vault', walletId: null })
  await addOwnAddress(tx, {
    blockchainId: blockchain.id,
    address: vaults.factory(chain),
    role: 'factory',
    walletId: null,
  })
  await noteState(tx, { ...inserted, ...NOTHING_PENDING }, now)
  return inserted
}

/** A contract may have a proposal already when it is registered; comparing with this state notices it. */
const NOTHING_PENDING = { pending_collector: null, collector_ready_at: null, pending_owner: null, owner_ready_at: null }
