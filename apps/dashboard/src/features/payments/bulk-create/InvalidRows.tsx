import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { SubmitEvent } from 'react'

import { Button } from '../../../ui/actions/Button.tsx'
import { Card } from '../../../ui/places/Card.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { COLUMNS, isNeeded } from './link-rows.ts'
import type { ColumnName, LinkRow, LinkRules, LinkValues } from './link-rows.ts'

/** When there are more, they are corrected in the file. */
const MOST_SHOWN = 25

const LABELS: Readonly<Record<ColumnName, MessageDescriptor>> = {
  amountInUSD: msg`Amount in USD`,
  customerEmail: msg`Customer e-mail`,
  customerID: msg`Customer ID`,
  invoiceID: msg`Invoice ID`,
  description: msg`Description`,
  expiresInMinutes: msg`Expires in minutes`,
}

export type InvalidRowsProps = {
  readonly rows: readonly LinkRow[]
  readonly rules: LinkRules
  /** Called with each edit of a line, before it is checked. */
  readonly onType: (line: number, values: LinkValues) => void
  readonly onCorrect: (line: number, values: LinkValues) => void
}

/** The lines with errors, which can be corrected here; the other lines do not wait for them. */
export function InvalidRows({ rows, rules, onType, onCorrect }: InvalidRowsProps) {
  const more = rows.length - MOST_SHOWN
  return (
    <Card
      title={t`Lines with errors`}
      text={t`Correct them here, or leave them out: the others can be made without them.`}
    >
      <ul className="flex flex-col divide-y divide-border">
        {rows.slice(0, MOST_SHOWN).map((row) => (
          <li key={row.line} className="py-4 first:pt-0 last:pb-0">
            <RowForm row={row} rules={rules} onType={onType} onCorrect={onCorrect} />
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p className="mt-4 text-dense text-muted">
          <Trans>
            And <Plural value={more} one="# more line" other="# more lines" />. So many are corrected faster in the
            file: choose it again then.
          </Trans>
        </p>
      )}
    </Card>
  )
}

/** The invalid fields of a line, and the values that identify it. */
function RowForm({ row, rules, onType, onCorrect }: { row: LinkRow } & Omit<InvalidRowsProps, 'rows'>) {
  const [values, setValues] = useState(row.values)
  const wrong = COLUMNS.filter((name) => row.errors[name] !== undefined)
  const known = [row.values.customerEmail || row.values.customerID, row.values.amountInUSD, row.values.invoiceID]
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    onCorrect(row.line, values)
  }
  return (
    <form noValidate onSubmit={submit} aria-label={t`Line ${row.line}`} className="flex flex-col gap-3">
      <p className="text-dense text-muted">
        <span className="font-medium text-ink">
          <Trans>Line {row.line}</Trans>
        </span>{' '}
        {known.filter((text) => text !== '').join(' · ')}
      </p>
      <div className="flex flex-wrap items-start gap-3 [&>div]:max-w-sm [&>div]:min-w-52 [&>div]:flex-1">
        {wrong.map((name) => (
          <TextField
            key={name}
            label={t(LABELS[name])}
            name={name}
            value={values[name]}
            isRequired={isNeeded(name, values, rules)}
            error={values[name] === row.values[name] ? row.errors[name] : undefined}
            onChange={(value) => {
              const typed = { ...values, [name]: value }
              setValues(typed)
              onType(row.line, typed)
            }}
          />
        ))}
        <span className="sm:pt-[26px]">
          <Button type="submit">
            <Trans>Check line {row.line}</Trans>
          </Button>
        </span>
      </div>
    </form>
  )
}
