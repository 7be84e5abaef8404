import type { AccountBalance } from '@kassa/contract/ledger/schemas.ts'
import { type Price, usdForUnits } from '@kassa/primitives/money/rate.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import type { Context, ProjectScope } from '../../context.ts'
import { type Balance, listBalances, listBalancesAt } from './balances-store.ts'

/** Fractions of a dollar that are shown. */
const CENT_DECIMALS = 2
const MICRO_PER_CENT = 10_000n

/** What each account of the projects holds: as of a time, or now with its value at the prices of now, by asset. */
export async function showBalances(
  ctx: Context,
  projectIds: ProjectScope['projectIds'],
  at: { readonly asOf: Date } | { readonly prices: ReadonlyMap<number, Price> },
): Promise<AccountBalance[]> {
  const isPast = 'asOf' in at
  const balances = isPast ? await listBalancesAt(ctx, projectIds, at.asOf) : await listBalances(ctx, projectIds)
  return balances.map((balance) => {
    const { account, unit, units } = balance
    const { blockchainCode, currencyCode, decimals } = unit
    const inUSD = isPast ? null : usdValueOf(balance, at.prices)
    return { account, blockchainCode, currencyCode, balance: formatUnits(units, decimals), inUSD }
  })
}

function usdValueOf({ unit, units }: Balance, prices: ReadonlyMap<number, Price>): string | null {
  const price = unit.assetId === null ? undefined : prices.get(unit.assetId)
  if (price === undefined) return null
  const micro = usdForUnits({ units, price, decimals: unit.decimals, rounding: 'down' })
  return formatUnits(micro / MICRO_PER_CENT, CENT_DECIMALS)
}
