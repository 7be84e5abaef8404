import { guarded } from './colors.ts'
import { MOST_SERIES, OTHER } from './series.ts'

/** Returns the CSS colour of a series: the server's where it is one, else the palette's at its place. */
export function colorOf({ key, color }: { readonly key: string; readonly color?: string | undefined }, place: number) {
  if (key === OTHER) return 'var(--chart-other)'
  const themed = color === undefined ? undefined : guarded(color)
  if (themed === undefined) return `var(--chart-${(place % MOST_SERIES) + 1})`
  return `light-dark(${themed.light}, ${themed.dark})`
}
