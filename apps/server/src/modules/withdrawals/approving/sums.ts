/** What payouts pay together, by asset. */

export type AssetSum = { readonly assetId: number; readonly units: bigint; readonly count: number }

/** Sums units by asset, in the order in which the assets first occur. */
export function sumsOf(rows: readonly { readonly asset_id: number; readonly units: string }[]): AssetSum[] {
  const sums = new Map<number, AssetSum>()
  for (const { asset_id: assetId, units } of rows) {
    const before = sums.get(assetId) ?? { assetId, units: 0n, count: 0 }
    sums.set(assetId, { assetId, units: before.units + BigInt(units), count: before.count + 1 })
  }
  return [...sums.values()]
}
