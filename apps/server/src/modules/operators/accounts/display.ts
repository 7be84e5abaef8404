import type { ChangeDisplay, Display } from '@kassa/contract/operators/display.ts'

import type { OperatorRow } from './tables.ts'

/** Returns the columns of the display settings that a change names. */
export function displayColumns({ theme, timeZone, density, singleKeys, setupGuide }: ChangeDisplay) {
  return {
    ...(theme !== undefined && { theme }),
    ...(timeZone !== undefined && { time_zone: timeZone }),
    ...(density !== undefined && { density }),
    ...(singleKeys !== undefined && { single_keys: singleKeys }),
    ...(setupGuide !== undefined && { setup_guide: setupGuide }),
  }
}

/** Returns the display settings of an account. */
export function displayOf(row: OperatorRow): Display {
  return {
    theme: row.theme,
    timeZone: row.time_zone,
    density: row.density,
    singleKeys: row.single_keys,
    setupGuide: row.setup_guide,
  }
}
