import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import { useState } from 'react'

import { csvLine } from '../../lib/csv.ts'
import { saveFile } from '../../lib/device/save-file.ts'
import { count } from '../../lib/text/format.ts'
import { Button } from '../actions/Button.tsx'
import { toast } from '../feedback/toast.ts'

/** The columns of a file, in their order; programs read their names, so they are not translated. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => string>>

type Props<Row> = {
  /** The file is called `name-2026-11-20.csv`. */
  readonly name: string
  readonly columns: CsvColumns<Row>
  /** `isCut`: there are more rows than were read, which is said. */
  readonly read: () => Promise<{ readonly rows: readonly Row[]; readonly isCut: boolean }>
  /** What is said once it is saved. */
  readonly saved: string
  readonly failureText: (thrown: unknown) => string
}

/** Saves all that a list shows, every page of it, as CSV. */
export function CsvButton<Row>({ name, columns, read, saved, failureText }: Props<Row>) {
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const cellsOf = (row: Row) => Object.values(columns).map((cell) => cell(row))
      const { rows, isCut } = await read()
      const lines = rows.map((row) => csvLine(cellsOf(row)))
      const file = new Blob([csvLine(Object.keys(columns)), ...lines], { type: 'text/csv' })
      saveFile(file, `${name}-${new Date().toISOString().slice(0, 10)}.csv`)
      if (isCut)
        toast.error(t`Only the first ${count(rows.length)} rows are in the file. Filter the list for the others.`)
      else toast.success(saved)
    } catch (thrown) {
      toast.error(failureText(thrown))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button icon={<Download aria-hidden strokeWidth={1.75} />} loading={isBusy} onClick={() => void save()}>
      <Trans>Export CSV</Trans>
    </Button>
  )
}
