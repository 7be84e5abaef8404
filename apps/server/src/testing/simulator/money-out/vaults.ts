/** The contracts of a world that sweep, and the shops whose addresses they sweep. */
import { createHash } from 'node:crypto'

import { chainIn } from '@kassa/chains/chain.ts'
import { evmVaults } from '@kassa/chains/evm/vaults/vaults.ts'
import { addressText } from '@kassa/chains/tron/addresses/addresses.ts'
import { tronVaults } from '@kassa/chains/tron/vaults/vaults.ts'
import { chainOf } from '@kassa/chains/testing/anvil-chain.ts'
import type { FakeVault } from '@kassa/chains/testing/fake-chain/vault.ts'
import { checksumAddress } from '@kassa/keys/address-text.ts'
import { trx } from '@kassa/primitives/chains/definitions/trx.ts'
import { type ChainFamily, findFamily } from '@kassa/primitives/chains/families.ts'

import { type Context, inTransaction } from '../../../context.ts'
import { findBlockchain } from '../../../modules/blockchains/chains/service.ts'
import { registerApprovalContract, registerContractWallet } from '../../../modules/sweep-contracts/register.ts'
import { addColdWallet } from '../../../modules/wallets/cold/service.ts'
import { deriveMore } from '../../../modules/wallets/pool.ts'
import { linkWallets } from '../../../modules/wallets/linking/service.ts'
import { BITCOIN_COLD } from './bitcoin-keys.ts'

/** The shop whose addresses belong to a contract, and the one whose addresses have keys of their own. */
const CONTRACT_SHOP = 1
export const KEY_SHOP = { projectId: 2, name: 'Many' } as const

const EVM_CODES = ['ETH', 'BASE'] as const
/** Addresses derived ahead: customers of a world are few. */
const POOL = 16

const SALT = `0x${'00'.repeat(31)}07`
const [OWNER, COLLECTOR] = ['owner', 'cold wallet'].map(named) as [string, string]

/** The one vault of every world, at the same address on all of its chains of Ethereum's kind. */
const VAULT: FakeVault = {
  address: evmVaults.vault(chainOf('ETH', 'sandbox'), { owner: OWNER, salt: SALT }),
  owner: OWNER,
  collector: COLLECTOR,
}

const TRON_OWNERS = { owner: tronOf(OWNER), collector: tronOf(COLLECTOR) }

/** The one on TRON. */
const TRON_VAULT: FakeVault = {
  ...TRON_OWNERS,
  address: tronVaults.vault(chainIn('sandbox', trx), { owner: TRON_OWNERS.owner, salt: SALT }),
}

/** Where everything that is swept on chains of a family ends. */
export function collectorOf(family: ChainFamily): string {
  return family === 'BTC_Family' ? BITCOIN_COLD : vaultOf(family).collector
}

/** The vault on chains of a family. */
export function vaultOf(family: ChainFamily): FakeVault {
  return family === 'TRX_Family' ? TRON_VAULT : VAULT
}

function tronOf(address: string): string {
  return addressText(Buffer.from(address.slice(2), 'hex'))
}

function named(name: string): string {
  return checksumAddress(createHash('sha256').update(name).digest().subarray(0, 20))
}

/** Registers the vaults: one shop's customers get deposit contracts of them, the other's addresses may approve them. */
export async function openVaults(ctx: Context, codes: readonly string[]): Promise<void> {
  await openVault(ctx, { family: 'ETH_Family', codes: EVM_CODES, isApproved: true })
  // Beside Ethereum, addresses of TRON with keys of their own are left alone: a run has time for one of them.
  const isApproved = !codes.includes('ETH')
  if (codes.includes('TRX')) await openVault(ctx, { family: 'TRX_Family', codes: ['TRX'], isApproved })
  if (codes.includes('BTC')) await addColdWallet(ctx, { name: 'Bitcoin', address: BITCOIN_COLD, blockchain: 'BTC' })
}

type NewVault = { readonly family: ChainFamily; readonly codes: readonly string[]; readonly isApproved: boolean }

async function openVault(ctx: Context, { family, codes, isApproved }: NewVault): Promise<void> {
  const vault = vaultOf(family)
  const { owner, collector } = vault
  let walletID: number | undefined
  for (const code of codes) {
    const blockchain = await findBlockchain(ctx, code)
    if (!blockchain) throw new Error(`There is no ${code}`)
    const digits = createHash('sha256').update(`vault on ${code}`).digest('hex')
    const created = {
      ...({ state: 'created', height: 1, vault: vault.address, salt: SALT, creator: owner, blockchain } as const),
      txId: family === 'ETH_Family' ? `0x${digits}` : digits,
      now: { owner, collector, proposed: null, proposedOwner: null, isFrozen: false },
    }
    walletID = (
      await inTransaction(ctx, (tx) =>
        registerContractWallet(tx, created, {
          name: `Contract of ${family}`,
          walletID,
          transactionHash: created.txId,
          projectId: CONTRACT_SHOP,
        }),
      )
    ).id
    if (!isApproved) continue
    const claim = { address: vault.address, fundCollectorAddress: collector, name: 'Approvals' }
    await inTransaction(ctx, (tx) => registerApprovalContract(tx, created, claim))
  }
  const walletId = walletID ?? 0
  const familyId = findFamily(family)?.id ?? 0
  await linkWallets(ctx, CONTRACT_SHOP, { wallets: [{ walletID: walletId, blockchainFamily: family }] })
  await inTransaction(ctx, (tx) => deriveMore(tx, { walletId, familyId }, POOL))
}
