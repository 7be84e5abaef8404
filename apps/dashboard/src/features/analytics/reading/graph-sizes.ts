/** The first chart of a group is its main one; those below it are read along the same axis. */
const FIRST_PX = 220
const FURTHER_PX = 160

/** How high the marks of a chart are by its place in its group. */
export function chartHeight(place: number): number {
  return place === 0 ? FIRST_PX : FURTHER_PX
}
