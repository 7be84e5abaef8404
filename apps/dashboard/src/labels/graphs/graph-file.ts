import type { GraphData } from '@kassa/contract/analytics/schemas.ts'

import { csvLine } from '../../lib/csv.ts'
import { utcIso } from '../../lib/time/time.ts'
import type { ChartRows } from '../../ui/charts/ChartTable.tsx'

/** Returns a table as CSV, in which no cell can become a formula. */
export function csvOf({ head, rows }: ChartRows): string {
  return [head, ...rows].map(csvLine).join('')
}

/** Returns the name of a card's file: screen, project, range. */
export function fileName(name: string, projectId: string, { asOf, span }: Pick<GraphData, 'asOf' | 'span'>): string {
  const day = (at: Date) => utcIso(at).slice(0, 10)
  const from = span === null || span.from === null ? 'start' : day(span.from)
  const until = day(span?.until ?? asOf)
  return `${name} ${projectId} ${from} ${until}.csv`.replaceAll(/[^\p{L}\p{N}.]+/gu, '-').toLowerCase()
}
