import { useStored, writeStored } from './stored.ts'

/** Rows of 44 or of 36 pixels, in every table that is not set otherwise. */
export type Density = 'comfortable' | 'compact'

const ENTRY = 'density'

/** Returns the density chosen on this device. */
export function useDensity(): Density {
  return useStored(ENTRY) === 'compact' ? 'compact' : 'comfortable'
}

/** Chooses how dense tables are on this device. */
export function chooseDensity(density: Density): void {
  writeStored(ENTRY, density === 'compact' ? density : undefined)
}
