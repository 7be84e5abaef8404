// Balances of wallets, from two sources: the blockchain, as a node reports it, and the ledger, as it was booked.
import { fail } from '@kassa/contract/kit/api-error.ts'
import { CUSTODY_KEYS, type CustodyKey, type CustodyKeyName } from '@kassa/contract/wallets/custody.ts'
import type { BalanceQuery, Wallet, WalletBalance } from '@kassa/contract/wallets/schemas.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { type Price, usdForUnits } from '@kassa/primitives/money/rate.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import { usd, usdOf } from '@kassa/primitives/money/usd.ts'
import type { Context, ProjectScope } from '../../../context.ts'
import { type Asset, type BlockchainRow, listAssets, listBlockchains } from '../../blockchains/chains/service.ts'
import { balancesOfWallets, type WalletBalance as Booked } from '../../ledger/service.ts'
import { currentPrices } from '../../prices/service.ts'
import { readChain } from './read-chain.ts'

/** One asset of a wallet, and where to read its balance. */
type Place = { readonly wallet: Wallet; readonly asset: Asset; readonly blockchain: BlockchainRow }

/** What these wallets hold of each asset that they can hold. Reads nodes, so call it outside of transactions. */
export async function listWalletBalances(
  ctx: Context,
  wallets: readonly Wallet[],
  projectIds: ProjectScope['projectIds'],
  query: BalanceQuery,
): Promise<WalletBalance[]> {
  const wanted = chosen(wallets, query)
  const booked = await balancesOfWallets(ctx, projectIds)
  const places = await placesOf(ctx, wanted, booked, query)
  const prices = await currentPrices(ctx)
  const rows: WalletBalance[] = []
  for (const blockchain of new Set(places.map((place) => place.blockchain))) {
    const here = places.filter((place) => place.blockchain === blockchain)
    const readable = here.filter(({ wallet }) => wallet.address !== null)
    const asks = readable.map(({ wallet, asset }) => ({ assetId: asset.id, address: wallet.address ?? '' }))
    const { found, isStale } = await readChain(ctx, blockchain, asks)
    for (const place of here) {
      const reading = found[readable.indexOf(place)]
      rows.push(view(place, { booked, price: prices.get(place.asset.id), reading, isStale, now: ctx.now() }))
    }
  }
  return rows.toSorted((a, b) => a.walletID - b.walletID)
}

/** Every key of the install, with what the hot wallets of that key hold. */
export function listCustody(wallets: readonly Wallet[]): CustodyKey[] {
  const hot = wallets.filter(({ walletType }) => walletType === 'hot_wallet')
  const sum = (isOpened: (wallet: Wallet) => boolean) =>
    usd(hot.filter(isOpened).reduce((total, { balance }) => total + usdOf(balance), 0n))
  const serves = (purpose: string) => (wallet: Wallet) =>
    wallet.walletFunctions.some(({ activityType }) => activityType.endsWith(`_${purpose}_wallet`))
  const opened: Partial<Record<CustodyKeyName, string>> = {
    gas_key: sum(serves('gas')),
    payout_key: sum(serves('hot')),
    master_key: sum(() => true),
    whole_server: sum(() => true),
  }
  return Object.entries(CUSTODY_KEYS).map(([name, { holder, where, canSign, worstCase }]) => {
    const key = name as CustodyKeyName
    return { key, holder, where, canSign: [...canSign], worstCase, floatInUSD: opened[key] ?? null }
  })
}

/** The value of each wallet by the ledger, in micro-dollars at current prices; wallets without bookings are absent. */
export async function valuesOf(
  ctx: Context,
  projectIds: ProjectScope['projectIds'],
): Promise<ReadonlyMap<number, bigint>> {
  const booked = await balancesOfWallets(ctx, projectIds)
  if (booked.length === 0) return new Map()
  const prices = await currentPrices(ctx)
  const values = new Map<number, bigint>()
  for (const { walletId, unit, units } of booked) {
    const price = unit.assetId === null ? undefined : prices.get(unit.assetId)
    const value = price === undefined ? 0n : usdForUnits({ units, price, decimals: unit.decimals, rounding: 'down' })
    values.set(walletId, (values.get(walletId) ?? 0n) + value)
  }
  return values
}

/** @throws WALLET_NOT_FOUND */
function chosen(wallets: readonly Wallet[], { walletIDs, walletType }: BalanceQuery): Wallet[] {
  const isMissing = walletIDs?.some((id) => !wallets.some((wallet) => wallet.id === id))
  if (isMissing) fail('WALLET_NOT_FOUND')
  return wallets.filter(
    (wallet) =>
      (walletIDs?.includes(wallet.id) ?? true) && (walletType === undefined || wallet.walletType === walletType),
  )
}

/**
 * Hot wallets exist on every active blockchain of their family, cold ones on their own; deposit wallets on every blockchain where they hold
 * money.
 */
async function placesOf(
  ctx: Context,
  wallets: readonly Wallet[],
  booked: readonly Booked[],
  { blockchainCode, currencyCode }: BalanceQuery,
): Promise<Place[]> {
  const code = blockchainCode === undefined ? undefined : (findBlockchain(blockchainCode)?.code ?? '')
  const blockchains = (await listBlockchains(ctx)).filter((one) => code === undefined || one.code === code)
  const assets = (await listAssets(ctx)).filter(
    (one) => currencyCode === undefined || one.currencyCode === currencyCode.toUpperCase(),
  )
  const holds = (wallet: Wallet, asset: Asset) =>
    booked.some(({ walletId, unit }) => walletId === wallet.id && unit.assetId === asset.id)
  return wallets.flatMap((wallet) =>
    blockchains.flatMap((blockchain) =>
      assets
        .filter((asset) => asset.blockchainId === blockchain.id)
        .filter((asset) => holds(wallet, asset) || couldHold(wallet, blockchain))
        .map((asset) => ({ wallet, asset, blockchain })),
    ),
  )
}

function couldHold(
  { walletType, family, blockchainCode }: Wallet,
  { status, definition, code }: BlockchainRow,
): boolean {
  if (status !== 'active') return false
  return walletType === 'hot_wallet' ? family === definition.family : blockchainCode === code
}

type Facts = {
  readonly booked: readonly Booked[]
  readonly price: Price | undefined
  readonly reading: { readonly units: bigint; readonly at: Date } | undefined
  readonly isStale: boolean
  readonly now: Date
}

function view({ wallet, asset }: Place, { booked, price, reading, isStale, now }: Facts): WalletBalance {
  const own = booked.filter(({ walletId, unit }) => walletId === wallet.id && unit.assetId === asset.id)
  const sum = (rows: readonly Booked[]) => rows.reduce((total, { units }) => total + units, 0n)
  const held = sum(own.filter(({ account }) => account === 'chain:hot-held'))
  const value = reading?.units ?? sum(own)
  const { decimals } = asset
  return {
    walletID: wallet.id,
    walletName: wallet.name,
    walletType: wallet.walletType,
    address: wallet.address,
    blockchainCode: asset.blockchainCode,
    currencyCode: asset.currencyCode,
    onChain: reading ? formatUnits(reading.units, decimals) : null,
    ledger: formatUnits(sum(own), decimals),
    held: formatUnits(held, decimals),
    inUSD: price === undefined ? null : usd(usdForUnits({ units: value, price, decimals, rounding: 'down' })),
    asOf: reading?.at ?? now,
    stale: wallet.address !== null && isStale,
  }
}
