import type { ProjectWallet, Wallet } from '@kassa/contract/wallets/schemas.ts'
import { usd, usdOf } from '@kassa/primitives/money/usd.ts'
import { FAMILIES } from '@kassa/primitives/chains/families.ts'

import type { FunctionRow, HotKeyRow } from './hot/service.ts'
import { functionView } from './hot/view.ts'
import { maskXpub } from './rules.ts'
import type { LinkRow, XpubRow } from './store.ts'
import type { WalletRow } from './wallet/store.ts'

type KeyRow = XpubRow & { readonly firstAddresses: string[] }

/** What is known of a wallet beside its row. */
export type WalletFacts = {
  readonly keys: readonly KeyRow[]
  readonly links: readonly LinkRow[]
  readonly count: { readonly assigned: number; readonly open: number }
  readonly hot: HotKeyRow | undefined
  readonly functions: readonly FunctionRow[]
  readonly isDefault: boolean
}

/** A wallet as the contract shows it: keys masked, links by project. */
export function walletView(row: WalletRow, facts: WalletFacts): Wallet {
  const { keys, links, count, hot } = facts
  const familyId = keys[0]?.family_id ?? hot?.family_id ?? 0
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
    canDelete: row.wallet_type === 'deposit_wallet' && count.assigned === 0 && links.length === 0,
    abi: null,
    bytecode: null,
    salt: null,
    masterAddress: null,
    fund_sweeper_address: null,
    publicKey: null,
    address: hot?.address ?? null,
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
    walletFunctions: facts.functions.map((one) => functionView(one, familyId)),
    floatLimitInUSD: hot ? usd(usdOf(hot.float_limit_usd)) : null,
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
