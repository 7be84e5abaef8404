import { Trans } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import { useState } from 'react'

import { csvLine } from '../../lib/csv.ts'
import { saveFile } from '../../lib/device/save-file.ts'
import { Button } from '../actions/Button.tsx'
import { toast } from '../feedback/toast.ts'

/** The columns of a file, in their order; programs read their names, so they are not translated. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => string>>

type Props<Row> = {
  /** The file is called `name-2026-11-20.csv`. */
  readonly name: string
  readonly columns: CsvColumns<Row>
  readonly read: () => Promise<readonly Row[]>
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
      const lines = (await read()).map((row) => csvLine(cellsOf(row)))
      const file = new Blob([csvLine(Object.keys(columns)), ...lines], { type: 'text/csv' })
      saveFile(file, `${name}-${new Date().toISOString().slice(0, 10)}.csv`)
      toast.success(saved)
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
