import { csvLine } from '../../../lib/csv.ts'
import { COLUMNS } from './link-rows.ts'
import type { LinkRow } from './link-rows.ts'
import type { Outcomes } from './useBulkRun.ts'

/** An example of a file. It is shown beside the template and is not part of it: a line left there would become a link. */
export const EXAMPLE = [COLUMNS, ['49.00', 'ann@example.com', '1001', 'A-77', 'Two bags of coffee', '1440']]
  .map((line) => line.join(','))
  .join('\n')

/** Returns the file to fill in. */
export function templateFile(): Blob {
  return csvFile([COLUMNS])
}

/** Returns the lines unchanged, each with its link or the reason why there is none. */
export function resultFile(rows: readonly LinkRow[], outcomes: Outcomes): Blob {
  const head = ['line', ...COLUMNS, 'result', 'referenceID', 'url', 'error']
  const lines = rows.map(({ line, values, errors }) => {
    const outcome = outcomes.get(line)
    const made = outcome !== undefined && 'link' in outcome ? outcome.link : undefined
    const refusal = outcome !== undefined && 'refusal' in outcome ? outcome.refusal : Object.values(errors).join('; ')
    const result = made === undefined ? (refusal === '' ? 'not made' : 'failed') : 'created'
    const cells = [result, made?.reference ?? '', made?.url ?? '', made === undefined ? refusal : '']
    return [String(line), ...COLUMNS.map((name) => values[name]), ...cells]
  })
  return csvFile([head, ...lines])
}

/** Returns only these lines, unchanged: to be corrected and chosen as a file of their own. */
export function linesFile(rows: readonly LinkRow[]): Blob {
  return csvFile([COLUMNS, ...rows.map(({ values }) => COLUMNS.map((name) => values[name]))])
}

/** Spreadsheets recognise UTF-8 by the byte order mark at the start. */
function csvFile(lines: readonly (readonly string[])[]): Blob {
  return new Blob(['\uFEFF', ...lines.map(csvLine)], { type: 'text/csv' })
}
