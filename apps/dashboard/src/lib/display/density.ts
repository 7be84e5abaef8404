import { useOfAccount } from '../device/stored.ts'

/** Rows of 44 or of 36 pixels, in every table that is not set otherwise. */
export type Density = 'comfortable' | 'compact'

/** Returns the chosen density. */
export function useDensity(): Density {
  return useOfAccount('density') === 'compact' ? 'compact' : 'comfortable'
}
