import { shareWorld } from './template.ts'

/**
 * Runs before the simulations: one image of the world for all of their files.
 * @public vitest calls it by its name.
 */
export function setup(): Promise<() => Promise<void>> {
  return shareWorld()
}
