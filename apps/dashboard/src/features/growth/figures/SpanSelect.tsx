import type { DatePreset } from '@kassa/contract/analytics/groups.ts'
import { t } from '@lingui/core/macro'

import { useSearchState } from '../../../lib/navigation/search.ts'
import { DATE_SPANS, dateSpanOptions } from '../../../lib/time/date-spans.ts'
import { InlineSelect } from '../../../ui/fields/InlineSelect.tsx'

const DEFAULT_SPAN = 'last_30_days'
const FOREVER = 'forever'

/** The span that the address names; else the last 30 days. */
export function spanOf(search: Readonly<Record<string, string | undefined>>): DatePreset {
  const { date = DEFAULT_SPAN } = search
  return Object.hasOwn(DATE_SPANS, date) || date === FOREVER ? (date as DatePreset) : DEFAULT_SPAN
}

/** Which days a chart is of; it stands in the address. */
export function SpanSelect() {
  const [search, setSearch] = useSearchState()
  return (
    <InlineSelect
      label={t`Date range`}
      value={spanOf(search)}
      options={[...dateSpanOptions(), { value: FOREVER, label: t`All time` }]}
      onChange={(date) => setSearch({ date: date === DEFAULT_SPAN ? undefined : date })}
    />
  )
}
