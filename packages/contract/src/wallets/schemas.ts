import * as z from 'zod/mini'

import { dec, id, int, ts, usd } from '../kit/codecs.ts'
import { clearableText, positiveUsd, text, wholeNumber } from '../kit/fields.ts'
import { alternatives, pageInput } from '../kit/paging.ts'
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

/** A project whose next customers get addresses of a wallet from `effectiveAt` on, unless the change is withdrawn. */
export const PendingLink = z.object({
  externalPlatformID: int,
  family: z.string(),
  blockchainFamilyID: int,
  effectiveAt: ts,
})

export const WalletXpub = z.object({
  family: z.string(),
  fingerprint: z.string(),
  path: z.string(),
  xpubMasked: z.string(),
  /** The first addresses, to compare with one's own wallet before customers are shown any. */
  firstAddresses: z.array(z.string()),
})

/** The sweep contract of a contract wallet on one blockchain. */
export const WalletContract = z.object({
  id,
  family: z.string(),
  blockchainCode: z.string(),
  blockchainID: int,
  walletID: int,
  blockchainFamilyID: int,
  fundSweeperAddress: z.string(),
  /** Where swept money goes, as the operators confirmed it last. */
  fundCollectorAddress: z.string(),
  /** Where it goes by the chain; sweeping stops while the two differ. */
  collectorOnChain: z.string(),
  ownerAddress: z.string(),
  /** Another collector that was proposed on chain, and from when it can be accepted. */
  pendingCollectorAddress: nullableText,
  pendingCollectorReadyAt: z.nullable(ts),
  transactionHash: z.string(),
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
  /** The default where no wallet is named; of a hot wallet for its purposes. */
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
  pendingLinks: z.array(PendingLink),
  walletScws: z.array(WalletContract),
  walletxpubs: z.array(WalletXpub),
  walletFunctions: z.array(WalletFunction),
  floatLimitInUSD: z.nullable(usd),
  /** Of a cold wallet: its blockchain, and from when money may be sent there. */
  blockchainCode: nullableText,
  usableAt: z.nullable(ts),
  /** Of a hot wallet: when its key signed last. */
  lastUsedAt: z.nullable(ts),
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
  /** The wallet that takes its place, and when. */
  replacedBy: z.nullable(z.object({ walletID: int, walletName: z.string(), effectiveAt: ts })),
  wallet: Wallet,
})

export type ProjectWallet = z.output<typeof ProjectWallet>

/** `path` is the account's derivation path; the usual one of the family when absent. */
export const NewXpub = z.object({
  family: text('Family', { max: 20 }),
  xpub: text('Extended public key', { max: 200 }),
  path: z.optional(z.string().check(z.regex(/^m(\/\d+'?)*$/, { error: "Use a path like m/44'/60'/0'" }))),
})

/** Addresses that their owner made one by one; each key signs `kassa-deposit:<index>` (base58, 64 bytes). */
export const NewAddressList = z.object({
  family: text('Family', { max: 20 }),
  addresses: z
    .array(
      z.object({
        index: z.int().check(z.minimum(0), z.maximum(2_147_483_647)),
        address: text('Address', { max: 100 }),
        signature: text('Signature', { max: 200 }),
      }),
      { error: 'Addresses are required' },
    )
    .check(
      z.minLength(1, { error: 'Addresses are required' }),
      z.maxLength(1_000, { error: 'Send 1,000 addresses at most; add more afterwards' }),
    ),
})

export type NewAddressList = z.output<typeof NewAddressList>

export const NewDepositWallet = z.object({
  name: text('Name', { max: 100 }),
  projectID: z.optional(z.int({ error: 'Project must be a number' })),
  xpubs: z
    .array(NewXpub, { error: 'Extended public key is required' })
    .check(z.maxLength(4, { error: 'One key per family' })),
  /** In families that derive no address from a public key. */
  lists: z.optional(z.array(NewAddressList).check(z.maxLength(1, { error: 'One list per family' }))),
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

/** What may be changed of a wallet; the limit of a hot one only. */
export const WalletChange = z.object({
  name: z.optional(text('Name', { max: 100 })),
  floatLimitInUSD: z.optional(positiveUsd('Limit')),
})

export type WalletChange = z.output<typeof WalletChange>

/** A wallet that more families have: for which one it becomes the default. */
export const DefaultChoice = z.object({ family: z.optional(text('Family', { max: 20 })) })

export const BalanceQuery = z.object({
  walletIDs: alternatives(z.int({ error: 'Wallets must be numbers' })),
  walletType: z.optional(z.enum(WALLET_TYPES, { error: 'Unknown wallet type' })),
  blockchainCode: z.optional(z.string()),
  currencyCode: z.optional(z.string()),
})

export type BalanceQuery = z.output<typeof BalanceQuery>

/**
 * What a wallet holds of one asset: on the blockchain, by the ledger, and of that reserved. `onChain` is null where nobody has
 * read it yet, and of deposit wallets, whose addresses are compared elsewhere; `stale` says that it was read before `asOf`.
 */
export const WalletBalance = z.object({
  walletID: int,
  walletName: z.string(),
  walletType: z.enum(WALLET_TYPES),
  address: nullableText,
  blockchainCode: z.string(),
  currencyCode: z.string(),
  onChain: z.nullable(dec),
  ledger: dec,
  held: dec,
  inUSD: z.nullable(usd),
  asOf: ts,
  stale: z.boolean(),
})

export type WalletBalance = z.output<typeof WalletBalance>

export const WalletAddressQuery = z.object({
  ...pageInput,
  family: z.optional(z.string()),
  status: z.optional(z.enum(['open', 'assigned'], { error: 'Status must be one of: open, assigned' })),
  /** The first characters of an address. */
  query: z.optional(z.string()),
})

export type WalletAddressQuery = z.output<typeof WalletAddressQuery>

/** `withheld`: it may belong to a customer whom a restored database does not know. */
export const WalletAddress = z.object({
  id,
  address: z.string(),
  path: nullableText,
  family: z.string(),
  status: z.enum(['open', 'assigned', 'withheld']),
  memberID: z.nullable(int),
  externalPlatformID: z.nullable(int),
  assignedAt: z.nullable(ts),
})

export type WalletAddress = z.output<typeof WalletAddress>
