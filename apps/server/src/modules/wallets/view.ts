import type { ProjectWallet, Wallet } from '@kassa/contract/wallets/schemas.ts'
import { usd, usdOf } from '@kassa/primitives/money/usd.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { FAMILIES } from '@kassa/primitives/chains/families.ts'

import type { ColdRow } from './cold/service.ts'
import type { FunctionRow, HotKeyRow } from './hot/service.ts'
import { functionView } from './hot/view.ts'
import { maskXpub } from './rules.ts'
import type { AddressSource, XpubRow } from './sources/store.ts'
import type { LinkRow, PendingLinkRow } from './linking/store.ts'
import type { ContractRow } from './store.ts'
import type { WalletRow } from './wallet/store.ts'

type KeyRow = XpubRow & { readonly firstAddresses: string[] }

/** What is shown of a wallet besides its row. */
export type WalletFacts = {
  readonly keys: readonly KeyRow[]
  readonly vaults: readonly Extract<AddressSource, { kind: 'create2' }>[]
  /** Lists of addresses that operators uploaded. */
  readonly lists: readonly Extract<AddressSource, { kind: 'list' }>[]
  /** By blockchain. */
  readonly contracts: readonly ContractRow[]
  readonly links: readonly LinkRow[]
  /** Projects that it is linked to later. */
  readonly pending: readonly PendingLinkRow[]
  readonly count: { readonly assigned: number; readonly open: number }
  readonly hot: HotKeyRow | undefined
  readonly functions: readonly FunctionRow[]
  /** When the key of a hot wallet signed last. */
  readonly signedAt: Date | undefined
  readonly cold: ColdRow | undefined
  readonly isDefault: boolean
  /** The value by the ledger, in micro-dollars; of hot wallets only. */
  readonly float: bigint
  readonly hasBookings: boolean
}

/** A wallet as the contract shows it: keys masked, links by project. */
export function walletView(row: WalletRow, facts: WalletFacts): Wallet {
  const { keys, links, count, hot, cold, contracts } = facts
  const [vault] = facts.vaults
  const familyId =
    keys[0]?.family_id ?? vault?.family_id ?? facts.lists[0]?.family_id ?? hot?.family_id ?? cold?.family_id ?? 0
  return {
    id: row.id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    name: row.name,
    family: familyName(familyId),
    blockchainFamilyID: familyId,
    secretType: row.secret_type,
    walletType: row.wallet_type,
    walletSubType: row.wallet_sub_type,
    memberID: row.created_by,
    status: row.status,
    default: facts.isDefault,
    canDelete: isDeletable(row, facts),
    abi: null,
    bytecode: null,
    salt: vault?.salt ?? null,
    masterAddress: vault?.creator ?? null,
    fund_sweeper_address: vault?.vault ?? null,
    publicKey: null,
    address: hot?.address ?? cold?.address ?? null,
    balance: usd(facts.float),
    externalPlatformWallets: [
      ...coldLinks(row, cold),
      ...links.map((link) => ({
        externalPlatformID: link.project_id,
        walletName: row.name,
        family: familyName(link.family_id),
        walletID: row.id,
        blockchainFamilyID: link.family_id,
        changeOrDeleteRisky: count.assigned > 0,
      })),
    ],
    pendingLinks: facts.pending.map(pendingLinkView),
    walletScws: contracts.map((one) => contractView(row.id, familyId, one)),
    walletxpubs: keys.map((key) => ({
      family: familyName(key.family_id),
      fingerprint: key.fingerprint,
      path: key.path,
      xpubMasked: maskXpub(key.xpub),
      firstAddresses: key.firstAddresses,
    })),
    walletFunctions: facts.functions.map((one) => functionView(one, familyId)),
    floatLimitInUSD: hot ? usd(usdOf(hot.float_limit_usd)) : null,
    blockchainCode: cold ? (findBlockchain(cold.blockchain_id)?.code ?? null) : null,
    usableAt: cold?.usable_at ?? null,
    lastUsedAt: facts.signedAt ?? null,
    addressCount: count.assigned,
    poolSize: count.open,
  }
}

function pendingLinkView(link: PendingLinkRow): Wallet['pendingLinks'][number] {
  return {
    externalPlatformID: link.project_id,
    family: familyName(link.family_id),
    blockchainFamilyID: link.family_id,
    effectiveAt: link.effective_at,
  }
}

function contractView(walletID: number, familyId: number, row: ContractRow): Wallet['walletScws'][number] {
  return {
    id: row.id,
    family: familyName(familyId),
    blockchainCode: findBlockchain(row.blockchain_id)?.code ?? '',
    blockchainID: row.blockchain_id,
    walletID,
    blockchainFamilyID: familyId,
    fundSweeperAddress: row.address,
    fundCollectorAddress: row.collector,
    collectorOnChain: row.collector_on_chain,
    ownerAddress: row.owner,
    pendingCollectorAddress: row.pending_collector,
    pendingCollectorReadyAt: row.collector_ready_at,
    transactionHash: row.tx_id,
  }
}

/**
 * Whether no payer was ever asked to pay to it; never true for a hot wallet, because only its key can move what may still
 * arrive.
 */
function isDeletable({ wallet_type: type }: WalletRow, { count, links, pending, hasBookings }: WalletFacts): boolean {
  if (type === 'hot_wallet' || hasBookings) return false
  return type === 'cold_wallet' || (count.assigned === 0 && links.length + pending.length === 0)
}

/** The project that a cold wallet was added for. */
function coldLinks(row: WalletRow, cold: ColdRow | undefined): Wallet['externalPlatformWallets'] {
  if (!cold?.project_id) return []
  const place = { family: familyName(cold.family_id), blockchainFamilyID: cold.family_id }
  return [
    {
      externalPlatformID: cold.project_id,
      walletName: row.name,
      ...place,
      walletID: row.id,
      changeOrDeleteRisky: true,
    },
  ]
}

/** A project's wallet of one family, and the one that takes its place later. */
export function projectWalletView(
  link: LinkRow,
  wallet: Wallet,
  next: (PendingLinkRow & { readonly name: string }) | undefined,
): ProjectWallet {
  const family = familyName(link.family_id)
  return {
    id: link.id,
    walletID: link.wallet_id,
    externalPlatformID: link.project_id,
    blockchainFamily: family,
    family,
    blockchainFamilyID: link.family_id,
    walletName: wallet.name,
    changeOrDeleteRisky: wallet.addressCount > 0,
    replacedBy: next ? { walletID: next.wallet_id, walletName: next.name, effectiveAt: next.effective_at } : null,
    wallet,
  }
}

function familyName(id: number): string {
  return FAMILIES.find((family) => family.id === id)?.family ?? ''
}
