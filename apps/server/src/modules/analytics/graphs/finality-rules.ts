/** Durations are kept in buckets of a logarithmic scale; the migration's `finality_bucket` puts them there. */
export const BUCKET_RATIO = 1.02

/** The seconds below which a share of the durations lies, in the middle of its bucket: at most 1 % off. */
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
