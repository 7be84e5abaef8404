/** The value below which a share of the samples lies: 0.5 is the median. NaN without samples. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** The middle one of the samples. */
export function median(samples: readonly number[]): number {
  return quantile(samples, 0.5)
}
