import { guarded } from './colors.ts'
import { MOST_SERIES, OTHER } from './series.ts'

type Colored = { readonly key: string; readonly color?: string | undefined }

/**
 * Returns the CSS colours of series: the server's where it is one that no series before has, else the palette's at its
 * place.
 */
export function paintsOf(series: readonly Colored[]): readonly string[] {
  const taken = new Set<string>()
  return series.map(({ key, color }, place) => {
    if (key === OTHER) return 'var(--chart-other)'
    const themed = color === undefined || taken.has(color) ? undefined : guarded(color)
    if (themed === undefined) return `var(--chart-${(place % MOST_SERIES) + 1})`
    taken.add(color ?? '')
    return `light-dark(${themed.light}, ${themed.dark})`
  })
}
