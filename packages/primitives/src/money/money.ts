/** An exact amount of one asset: whole smallest units and the asset's id (see `chains/assets.ts`). */
export type Money = { readonly units: bigint; readonly asset: number }

/**
 * Adds two amounts of the same asset.
 * @throws TypeError when the assets differ
 */
export function addMoney(a: Money, b: Money): Money {
  requireSameAsset(a, b)
  return { units: a.units + b.units, asset: a.asset }
}

/**
 * Takes `b` from `a`, both of the same asset; the result may be negative.
 * @throws TypeError when the assets differ
 */
export function subtractMoney(a: Money, b: Money): Money {
  requireSameAsset(a, b)
  return { units: a.units - b.units, asset: a.asset }
}

/**
 * Orders two amounts of the same asset: −1 when `a` is less, 0 when equal, 1 when more.
 * @throws TypeError when the assets differ
 */
export function compareMoney(a: Money, b: Money): -1 | 0 | 1 {
  requireSameAsset(a, b)
  if (a.units === b.units) return 0
  return a.units < b.units ? -1 : 1
}

function requireSameAsset(a: Money, b: Money): void {
  if (a.asset !== b.asset) {
    throw new TypeError(`Amounts of different assets (${a.asset} and ${b.asset}) cannot be combined`)
  }
}
