import * as z from 'zod/mini'

import { id, int, ts, usd } from '../kit/codecs.ts'
import { clearableText, text, wholeNumber } from '../kit/fields.ts'
import { walletMachine } from './machine.ts'

export const WALLET_TYPES = ['deposit_wallet', 'hot_wallet', 'cold_wallet'] as const

const nullableText = z.nullable(z.string())

export const WalletLink = z.object({
  externalPlatformID: int,
  walletName: z.string(),
  family: z.string(),
  walletID: int,
  blockchainFamilyID: int,
  changeOrDeleteRisky: z.boolean(),
})

export const WalletXpub = z.object({
  family: z.string(),
  fingerprint: z.string(),
  path: z.string(),
  xpubMasked: z.string(),
  /** The first addresses, to compare with one's own wallet before customers are shown any. */
  firstAddresses: z.array(z.string()),
})

/** What a hot wallet is for, in the words of existing clients. */
export const WalletFunction = z.object({
  id,
  /** Such as `eth_gas_wallet` and `eth_hot_wallet`. */
  activityType: z.string(),
  displayName: z.string(),
  description: z.string(),
  walletID: int,
})

export const Wallet = z.object({
  id,
  createdAt: ts,
  updatedAt: ts,
  name: z.string(),
  family: z.string(),
  blockchainFamilyID: int,
  secretType: z.enum(['create2', 'xpub', 'private_key', 'none']),
  walletType: z.enum(WALLET_TYPES),
  walletSubType: z.enum(['scw', 'eoa']),
  memberID: z.nullable(int),
  status: z.enum(walletMachine.states),
  /** Serves when nobody names a wallet; of a hot wallet, for what it is for. */
  default: z.boolean(),
  canDelete: z.boolean(),
  abi: nullableText,
  bytecode: z.null(),
  salt: nullableText,
  masterAddress: nullableText,
  fund_sweeper_address: nullableText,
  publicKey: nullableText,
  address: nullableText,
  balance: usd,
  externalPlatformWallets: z.array(WalletLink),
  walletScws: z.array(z.object({})),
  walletxpubs: z.array(WalletXpub),
  walletFunctions: z.array(WalletFunction),
  floatLimitInUSD: z.nullable(usd),
  /** Addresses assigned to customers, and those derived ahead. */
  addressCount: int,
  poolSize: int,
})

export type Wallet = z.output<typeof Wallet>

/** A project's wallet of one chain family. */
export const ProjectWallet = z.object({
  id,
  walletID: int,
  externalPlatformID: int,
  blockchainFamily: z.string(),
  family: z.string(),
  blockchainFamilyID: int,
  walletName: z.string(),
  changeOrDeleteRisky: z.boolean(),
  wallet: Wallet,
})

export type ProjectWallet = z.output<typeof ProjectWallet>

/** `path` is the account's derivation path; the usual one of the family when absent. */
export const NewXpub = z.object({
  family: text('Family', { max: 20 }),
  xpub: text('Extended public key', { max: 200 }),
  path: z.optional(z.string().check(z.regex(/^m(\/\d+'?)*$/, { error: "Use a path like m/44'/60'/0'" }))),
})

export const NewDepositWallet = z.object({
  name: text('Name', { max: 100 }),
  projectID: z.optional(z.int({ error: 'Project must be a number' })),
  xpubs: z
    .array(NewXpub, { error: 'Extended public key is required' })
    .check(
      z.minLength(1, { error: 'Extended public key is required' }),
      z.maxLength(4, { error: 'One key per family' }),
    ),
})

export type NewDepositWallet = z.output<typeof NewDepositWallet>

/** What older installers send: the family is in the path. */
export const NewFamilyXpub = z.object({
  xpub: text('Extended public key', { max: 200 }),
  name: clearableText('Name', { max: 100 }),
})

export const PoolGrowth = z.object({ count: wholeNumber('Count', 1, 100_000) })

export const LinkWallets = z.object({
  wallets: z
    .array(
      z.object({ walletID: z.int({ error: 'Wallet is required' }), blockchainFamily: text('Family', { max: 20 }) }),
      { error: 'Wallets are required' },
    )
    .check(z.minLength(1, { error: 'Wallets are required' })),
})

export type LinkWallets = z.output<typeof LinkWallets>
