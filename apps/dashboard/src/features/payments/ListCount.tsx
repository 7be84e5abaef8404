import { plural, t } from '@lingui/core/macro'

import { count } from '../../lib/format.ts'

/** How many payments the list holds, as narrowed as it is. */
export function ListCount({ total, isEstimate }: { total: number | undefined; isEstimate: boolean }) {
  if (total === undefined) return null
  return <span className="text-dense whitespace-nowrap text-muted tabular-nums">{totalText(total, isEstimate)}</span>
}

function totalText(total: number, isEstimate: boolean): string {
  const all = count(total)
  if (isEstimate) return t`about ${all} payments`
  return t`${plural(total, { one: '# payment', other: '# payments' })}`
}
