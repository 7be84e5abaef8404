import type { Alarm } from '@kassa/contract/alarms/schemas.ts'
import type { Wallet, WalletBalance } from '@kassa/contract/wallets/schemas.ts'
import { t } from '@lingui/core/macro'
import { usd, usdOf } from '@kassa/primitives/money/usd.ts'

/** The families whose keys the server can hold, as people call them. */
const FAMILIES: Readonly<Record<string, string>> = { ETH_Family: 'EVM', TRX_Family: 'TRON' }

/** Returns the chain family of a wallet, as people call it. */
export function familyText({ family }: Pick<Wallet, 'family'>): string {
  return FAMILIES[family] ?? family
}

/** Returns the families of these networks that a hot wallet can be made for. */
export function hotFamilies(networks: readonly { readonly family: string }[]): string[] {
  return Object.keys(FAMILIES).filter((one) => networks.some(({ family }) => family === one))
}

/** What a hot wallet is for. */
export function purposeText({ walletFunctions }: Pick<Wallet, 'walletFunctions'>): string {
  const isGas = walletFunctions.some(({ activityType }) => activityType.endsWith('_gas_wallet'))
  const isPayout = walletFunctions.some(({ activityType }) => !activityType.endsWith('_gas_wallet'))
  if (isGas && isPayout) return t`Gas and payouts`
  return isGas ? t`Gas` : t`Payouts`
}

/** The balance of a wallet in US dollars, beside its limit. */
export type Float = {
  readonly now: string
  readonly held: string
  /** How much it is over its limit; null when it is not. */
  readonly excess: string | null
  /** How full it is, from 0 to 1. */
  readonly share: number
  /** A node has not answered: what is shown is older, or the ledger's. */
  readonly isStale: boolean
}

const FULL = 1000n

/** Adds up what a wallet holds; undefined while that is not known. */
export function floatOf(
  { id, floatLimitInUSD }: Wallet,
  balances: readonly WalletBalance[] | undefined,
): Float | undefined {
  if (balances === undefined) return undefined
  const own = balances.filter(({ walletID }) => walletID === id)
  const now = own.reduce((sum, { inUSD }) => sum + usdOf(inUSD ?? '0'), 0n)
  const held = own.reduce((sum, balance) => sum + heldUsd(balance), 0n)
  const limit = usdOf(floatLimitInUSD ?? '0')
  const permille = limit === 0n ? 0n : (now * FULL) / limit
  return {
    now: usd(now),
    held: usd(held),
    excess: now > limit ? usd(now - limit) : null,
    share: Number(permille > FULL ? FULL : permille) / Number(FULL),
    isStale: own.some(({ stale }) => stale),
  }
}

/** The coin of which a wallet has most, and how much of it is more than the limit lets lie there. */
export type Excess = { readonly blockchainCode: string; readonly currencyCode: string; readonly amount: string }

/** Chooses what to move of a wallet that is over its limit; undefined where it is not, or all of it is reserved. */
export function excessOf(wallet: Wallet, balances: readonly WalletBalance[] | undefined): Excess | undefined {
  const excess = usdOf(floatOf(wallet, balances)?.excess ?? '0')
  const [most] = (balances ?? [])
    .filter(({ walletID }) => walletID === wallet.id)
    .toSorted((one, other) => Number(usdOf(other.inUSD ?? '0') - usdOf(one.inUSD ?? '0')))
  if (!most || excess === 0n) return undefined
  const value = usdOf(most.inUSD ?? '0')
  const all = scaled(most.onChain ?? most.ledger)
  const wanted = value > excess ? (all * excess) / value : all
  const free = all - scaled(most.held)
  const units = wanted < free ? wanted : free
  const { blockchainCode, currencyCode } = most
  return units > 0n ? { blockchainCode, currencyCode, amount: printed(units) } : undefined
}

/** How much of its coin a wallet lacks on a network, so that what it shall send waits. */
export type Lack = {
  readonly wallet: Wallet
  readonly blockchainCode: string
  readonly currencyCode: string
  readonly amount: string
}

/** Returns what must arrive in which of these wallets before they send again, by the alarms about them. */
export function lacksOf(wallets: readonly Wallet[], alarms: readonly Alarm[]): Lack[] {
  return alarms.flatMap(({ kind, params }) => {
    if (kind !== 'hot_wallet_low' || params === null) return []
    const { walletID, needed, held, ...coin } = params as LowParams
    const wallet = wallets.find(({ id }) => id === walletID)
    const missing = scaled(needed) - scaled(held)
    return wallet && missing > 0n ? [{ ...coin, wallet, amount: printed(missing) }] : []
  })
}

/** What the alarm holds; the schema of it would be most of what this page weighs. */
type LowParams = {
  readonly walletID: number
  readonly blockchainCode: string
  readonly currencyCode: string
  readonly needed: string
  readonly held: string
}

/** The reserved part of what a wallet holds, at the price that its whole is valued at. */
function heldUsd({ held, onChain, ledger, inUSD }: WalletBalance): bigint {
  const all = scaled(onChain ?? ledger)
  return all === 0n ? 0n : (usdOf(inUSD ?? '0') * scaled(held)) / all
}

/** As many decimals as any coin has, and as few as every one takes. */
const SCALE = 18
const SHOWN = 6

function scaled(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.slice(0, SCALE).padEnd(SCALE, '0'))
}

function printed(units: bigint): string {
  const digits = units.toString().padStart(SCALE + 1, '0')
  const fraction = digits.slice(-SCALE).slice(0, SHOWN).replace(/0+$/, '')
  return fraction === '' ? digits.slice(0, -SCALE) : `${digits.slice(0, -SCALE)}.${fraction}`
}
