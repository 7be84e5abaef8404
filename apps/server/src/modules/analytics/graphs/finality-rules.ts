/** Durations are counted in buckets of a logarithmic scale; `finality_bucket` of the migration assigns them. */
export const BUCKET_RATIO = 1.02

/** The seconds below which this share of the durations lies, as the middle of its bucket: at most 1 % off. */
export function quantile(
  counts: readonly { readonly bucket: number; readonly count: number }[],
  share: number,
): number {
  const wanted = counts.reduce((sum, { count }) => sum + count, 0) * share
  let passed = 0
  for (const { bucket, count } of counts) {
    passed += count
    if (passed >= wanted) return Math.round(BUCKET_RATIO ** (bucket + 0.5))
  }
  return 0
}
