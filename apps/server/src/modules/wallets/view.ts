import type { ProjectWallet, Wallet } from '@kassa/contract/wallets/schemas.ts'
import { FAMILIES } from '@kassa/primitives/chains/families.ts'

import { maskXpub } from './rules.ts'
import type { LinkRow, WalletRow, XpubRow } from './store.ts'

type KeyRow = XpubRow & { readonly firstAddresses: string[] }

/** A wallet as the contract shows it: keys masked, links by project. */
export function walletView(
  row: WalletRow,
  keys: readonly KeyRow[],
  links: readonly LinkRow[],
  count: { readonly assigned: number; readonly open: number },
): Wallet {
  const familyId = keys[0]?.family_id ?? 0
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
    default: false,
    canDelete: count.assigned === 0 && links.length === 0,
    abi: null,
    bytecode: null,
    salt: null,
    masterAddress: null,
    fund_sweeper_address: null,
    publicKey: null,
    address: null,
    balance: '0',
    externalPlatformWallets: links.map((link) => ({
      externalPlatformID: link.project_id,
      walletName: row.name,
      family: familyName(link.family_id),
      walletID: row.id,
      blockchainFamilyID: link.family_id,
      changeOrDeleteRisky: count.assigned > 0,
    })),
    walletScws: [],
    walletxpubs: keys.map((key) => ({
      family: familyName(key.family_id),
      fingerprint: key.fingerprint,
      path: key.path,
      xpubMasked: maskXpub(key.xpub),
      firstAddresses: key.firstAddresses,
    })),
    walletFunctions: [],
    floatLimitInUSD: null,
    addressCount: count.assigned,
    poolSize: count.open,
  }
}

/** A project's wallet of one family. */
export function projectWalletView(link: LinkRow, wallet: Wallet): ProjectWallet {
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
    wallet,
  }
}

function familyName(id: number): string {
  return FAMILIES.find((family) => family.id === id)?.family ?? ''
}
