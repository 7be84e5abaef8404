import { wallClock } from './time-zone.ts'

/** Returns what the operator's clock shows at a moment, to the minute: 14:02. */
export function clockMinute(at: Date): string {
  return hoursMinutes(wallClock(at))
}

/** Returns hour and minute of what a clock shows. */
export function hoursMinutes(wall: Date): string {
  return wall.toISOString().slice(11, 16)
}
