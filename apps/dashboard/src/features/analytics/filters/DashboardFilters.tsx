import { CURRENCIES } from '@kassa/primitives/chains/currencies.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type SyntheticEvent, useState } from 'react'

import { useSearchState } from '../../../lib/navigation/search.ts'
import { dateSpanOptions } from '../../../lib/time/date-spans.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Checkbox } from '../../../ui/fields/Checkbox.tsx'
import { InlineSelect } from '../../../ui/fields/InlineSelect.tsx'
import type { SelectOption } from '../../../ui/fields/Select.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { rangeText, readDays } from '../../../ui/filters/filter-fields.ts'
import { ASSET, COMPARE, customDays, DATE, DEFAULT_SPAN, filterOf, FOREVER } from './dashboard-filter.ts'
import { FiguresAge } from './FiguresAge.tsx'

/** The choice under which two days are named. */
const OWN_DAYS = 'custom'

/** What all figures of the page are of: days, an asset, and whether the period before stands behind them. */
export function DashboardFilters() {
  const [search, setSearch] = useSearchState()
  const [isNaming, setIsNaming] = useState(false)
  const { span, asset, isComparing } = filterOf(search)
  const isCustom = isNaming || readDays(span) !== undefined
  const chooseSpan = (value: string) => {
    setIsNaming(value === OWN_DAYS)
    if (value !== OWN_DAYS) setSearch({ [DATE]: value === DEFAULT_SPAN ? undefined : value })
  }
  const isOther = span !== DEFAULT_SPAN || asset !== undefined || isComparing
  return (
    <div role="group" aria-label={t`Figures of`} className="-mt-2 mb-5 flex flex-wrap items-end gap-2">
      <InlineSelect
        label={t`Date range`}
        value={isCustom ? OWN_DAYS : span}
        options={[
          ...dateSpanOptions(),
          { value: FOREVER, label: t`All time` },
          { value: OWN_DAYS, label: t`Between two days` },
        ]}
        onChange={chooseSpan}
      />
      <InlineSelect
        label={t`Asset`}
        value={asset ?? ''}
        options={[{ value: '', label: t`All assets` }, ...assetOptions(asset)]}
        onChange={(value) => setSearch({ [ASSET]: value || undefined })}
      />
      <Checkbox
        label={t`Compare with the period before`}
        checked={isComparing}
        onChange={(isOn) => setSearch({ [COMPARE]: isOn ? 'previous' : undefined })}
      />
      {isOther && (
        <Button
          size="small"
          kind="quiet"
          onClick={() => {
            setIsNaming(false)
            setSearch({ [DATE]: undefined, [ASSET]: undefined, [COMPARE]: undefined })
          }}
        >
          <Trans>Reset</Trans>
        </Button>
      )}
      <FiguresAge />
      {isCustom && (
        <OwnDays key={span} span={span} onDays={(days) => (setIsNaming(false), setSearch({ [DATE]: days }))} />
      )}
    </div>
  )
}

/** Two days and a press: figures of half a choice would be none that anybody asked for. */
function OwnDays({ span, onDays }: { span: string; onDays: (days: string) => void }) {
  const [days, setDays] = useState(readDays(span) ?? { from: '', to: '' })
  const [isRefused, setIsRefused] = useState(false)
  const apply = (event: SyntheticEvent) => {
    event.preventDefault()
    const inOrder = days.to < days.from ? { from: days.to, to: days.from } : days
    const isWhole = inOrder.from !== '' && customDays(`${inOrder.from}..${inOrder.to}`) !== undefined
    setIsRefused(!isWhole)
    if (isWhole) onDays(rangeText(inOrder))
  }
  return (
    <form onSubmit={apply} className="flex basis-full flex-wrap items-end gap-2">
      <TextField label={t`First day`} type="date" value={days.from} onChange={(from) => setDays({ ...days, from })} />
      <TextField label={t`Last day`} type="date" value={days.to} onChange={(to) => setDays({ ...days, to })} />
      <Button type="submit">
        <Trans>Apply</Trans>
      </Button>
      {isRefused && (
        <p role="alert" className="basis-full text-dense text-danger-text">
          <Trans>Name two days that are at most five years apart.</Trans>
        </p>
      )}
    </form>
  )
}

/** What an address names stays named, whatever is offered now. */
function assetOptions(chosen: string | undefined): readonly SelectOption[] {
  const offered = CURRENCIES.map(({ code }) => ({ value: code, label: code }))
  const isOffered = chosen === undefined || offered.some(({ value }) => value === chosen)
  return isOffered ? offered : [...offered, { value: chosen, label: chosen }]
}
