import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import type { SyntheticEvent, ReactNode } from 'react'

import { CENTS } from '../../lib/text/amount-text.ts'
import { dateSpanOptions, isDateSpan } from '../../lib/time/date-spans.ts'
import { AmountField } from '../fields/AmountField.tsx'
import { Button } from '../actions/Button.tsx'
import { Checkbox } from '../fields/Checkbox.tsx'
import { Select } from '../fields/Select.tsx'
import { TextField } from '../fields/TextField.tsx'
import { isSet, rangeText, readAmounts, readChoice, readDays } from './filter-fields.ts'
import type { ChoiceField, FilterField, Range } from './filter-fields.ts'

export type FilterEditorProps = {
  readonly field: FilterField
  readonly value: string | undefined
  /** Told the address text; `undefined` takes the filter out. */
  readonly onApply: (value: string | undefined) => void
}

/** Changes one filter; nothing happens to the list before "Apply". */
export function FilterEditor({ field, value, onApply }: FilterEditorProps) {
  const [draft, setDraft] = useState(value)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector<HTMLElement>('input, select')?.focus(), [])
  const apply = (event: SyntheticEvent) => {
    event.preventDefault()
    // What cannot be read is not left out: the list would be another than the one meant.
    const isUnread = field.kind === 'amount' && Boolean(draft) && !isSet(field, draft)
    const refused = form.current?.querySelector<HTMLElement>(isUnread ? 'input' : '[aria-invalid="true"]')
    if (refused) return refused.focus()
    onApply(isSet(field, draft) ? draft : undefined)
  }
  return (
    <form ref={form} onSubmit={apply} className="flex flex-col gap-4">
      <Fields field={field} draft={draft} onDraft={setDraft} />
      <div className="flex justify-end gap-2">
        {isSet(field, value) && (
          <Button kind="quiet" size="small" onClick={() => onApply(undefined)}>
            <Trans>Remove</Trans>
          </Button>
        )}
        <Button kind="primary" size="small" type="submit">
          <Trans>Apply</Trans>
        </Button>
      </div>
    </form>
  )
}

type DraftProps<Field> = {
  readonly field: Field
  readonly draft: string | undefined
  readonly onDraft: (draft: string | undefined) => void
}

function Fields({ field, ...rest }: DraftProps<FilterField>): ReactNode {
  if (field.kind === 'choice') return <Choices field={field} {...rest} />
  return field.kind === 'amount' ? <Amounts field={field} {...rest} /> : <Days field={field} {...rest} />
}

function Choices({ field, draft, onDraft }: DraftProps<ChoiceField>) {
  const { label } = field
  const chosen = readChoice(field, draft)
  const toggle = (value: string, isOn: boolean) =>
    onDraft([...chosen.filter((one) => one !== value), ...(isOn ? [value] : [])].join(','))
  return (
    <fieldset>
      <legend className="mb-1 text-body font-medium">
        <Trans>{label} is any of</Trans>
      </legend>
      {field.options.map(({ value, label: option }) => (
        <Checkbox
          key={value}
          label={option}
          checked={chosen.includes(value)}
          onChange={(isOn) => toggle(value, isOn)}
        />
      ))}
    </fieldset>
  )
}

const NO_RANGE: Range = { from: '', to: '' }

function Amounts({ field: { label }, draft, onDraft }: DraftProps<FilterField>) {
  // What is typed is no range yet while it ends in a point: it stays as it is until it is applied.
  const [typed, setTyped] = useState(readAmounts(draft) ?? NO_RANGE)
  const change = (patch: Partial<Range>) => {
    const next = { ...typed, ...patch }
    setTyped(next)
    onDraft(rangeText({ from: whole(next.from), to: whole(next.to) }))
  }
  return (
    <>
      <AmountField
        label={t`${label} at least`}
        value={typed.from}
        onChange={(from) => change({ from })}
        currency="USD"
        decimals={CENTS}
      />
      <AmountField
        label={t`${label} at most`}
        value={typed.to}
        onChange={(to) => change({ to })}
        currency="USD"
        decimals={CENTS}
        hint={t`Leave one empty for no limit.`}
      />
    </>
  )
}

/** "49." and ".5" as the address holds them. */
function whole(typed: string): string {
  return typed.replace(/\.$/, '').replace(/^\./, '0.')
}

/** The choice under which two days are named. */
const OWN_DAYS = 'days'

function Days({ field, draft, onDraft }: DraftProps<FilterField>) {
  const [typed, setTyped] = useState(readDays(draft) ?? NO_RANGE)
  const span = isDateSpan(draft ?? '') ? (draft ?? '') : OWN_DAYS
  const change = (patch: Partial<Range>) => {
    const next = { ...typed, ...patch }
    setTyped(next)
    onDraft(rangeText(inOrder(next)))
  }
  return (
    <>
      <Select
        label={field.label}
        value={span}
        options={[...dateSpanOptions(), { value: OWN_DAYS, label: t`Between two days` }]}
        onChange={(value) => onDraft(value === OWN_DAYS ? rangeText(inOrder(typed)) : value)}
      />
      {span === OWN_DAYS && (
        <>
          <TextField label={t`First day`} type="date" value={typed.from} onChange={(from) => change({ from })} />
          <TextField
            label={t`Last day`}
            type="date"
            value={typed.to}
            onChange={(to) => change({ to })}
            hint={
              isBackwards(typed) ? t`End is before start; the dates will be swapped.` : t`Leave one empty for no limit.`
            }
          />
        </>
      )}
    </>
  )
}

function isBackwards({ from, to }: Range): boolean {
  return from !== '' && to !== '' && to < from
}

function inOrder(range: Range): Range {
  return isBackwards(range) ? { from: range.to, to: range.from } : range
}
