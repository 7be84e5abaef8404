import { plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { paths } from '../../../lib/paths.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { Card } from '../../../ui/places/Card.tsx'
import { LeaveGuard } from '../../../ui/forms/LeaveGuard.tsx'
import { TextLink } from '../../../ui/actions/TextLink.tsx'
import { listText } from '../../../lib/text/list-text.ts'
import { AnotherFile, correctedText } from './ChooseFile.tsx'
import { BulkProgress } from './BulkProgress.tsx'
import { checkedRow, COLUMNS, repeatedCustomers } from './link-rows.ts'
import type { LinkRow, LinkRules, LinkValues } from './link-rows.ts'
import type { LinkFile } from './read-csv.ts'
import { ValidRows } from './ValidRows.tsx'
import { CreatedLinks } from './CreatedLinks.tsx'
import { InvalidRows } from './InvalidRows.tsx'
import { useBulkRun } from './useBulkRun.ts'

export type BulkSheetProps = {
  readonly projectId: string
  readonly sheet: LinkFile
  readonly rules: LinkRules
  /** A customer has one open link at a time. */
  readonly isOnlyOne: boolean
  readonly onAnother: () => void
}

/** A file that was read: first its errors, then the links to create, then the progress. */
export function BulkFile({ projectId, sheet, rules, isOnlyOne, onAnother }: BulkSheetProps) {
  const [rows, setRows] = useState<readonly LinkRow[]>(sheet.rows)
  const [corrected, setCorrected] = useState<ReadonlySet<number>>(new Set())
  const run = useBulkRun(projectId, sheet.digest)
  const wrong = rows.filter(({ errors }) => Object.keys(errors).length > 0)
  const isMade = ({ line }: LinkRow) => run.outcomes.has(line)
  const waiting = rows.filter((row) => Object.keys(row.errors).length === 0 && !isMade(row))
  const ignored = listText(sheet.ignored)
  const hasStarted = run.isRunning || run.outcomes.size > 0 || run.halted !== undefined
  const repeated = isOnlyOne ? repeatedCustomers(rows) : 0
  const made = rows.flatMap((row) => {
    const outcome = run.outcomes.get(row.line)
    return outcome !== undefined && 'link' in outcome ? [{ row, ...outcome.link }] : []
  })
  const madeLines = new Set(made.map(({ row }) => row.line))
  const isLost = [...corrected].some((line) => !madeLines.has(line))
  const correct = (line: number, values: LinkRow['values']) =>
    setRows((before) => before.map((row) => (row.line === line ? checkedRow(line, values, rules) : row)))

  return (
    <div className="flex flex-col gap-4">
      <Card
        title={sheet.fileName}
        {...(waiting.length + wrong.length > 0 && {
          text: standText({
            made: made.length + run.progress.done,
            refused: run.outcomes.size - made.length + run.progress.refused,
            ready: waiting.length - run.progress.done - run.progress.refused,
            faulty: wrong.length,
          }),
        })}
        actions={<AnotherFile isLost={isLost} disabled={run.isRunning} onAnother={onAnother} />}
      >
        <div className="flex flex-col gap-4">
          {sheet.ignored.length > 0 && (
            <Banner tone="info">
              <Trans>These columns mean nothing here and are left out: {ignored}.</Trans>
            </Banner>
          )}
          {repeated > 0 && !hasStarted && (
            <Banner tone="warning">
              <Trans>
                <Plural value={repeated} one="# customer has" other="# customers have" /> more than one line. This
                project keeps one open link per customer, so each later line waits for your decision. Go on, or allow
                more in{' '}
                <TextLink href={paths.projectSettings({ projectId }, { tab: 'checkout' })}>
                  the project’s settings
                </TextLink>
                .
              </Trans>
            </Banner>
          )}
          {hasStarted ? (
            <BulkProgress rows={rows} waiting={waiting} run={run} />
          ) : (
            <div className="flex flex-wrap items-center gap-3">
              <Button
                kind="primary"
                disabled={waiting.length === 0}
                title={waiting.length === 0 ? t`No line is ready. Correct one first.` : undefined}
                onClick={() => void run.start(waiting)}
              >
                <Trans>
                  Create <Plural value={waiting.length} one="# link" other="# links" />
                </Trans>
              </Button>
              <span className="text-dense text-muted">{durationText(waiting.length)}</span>
            </div>
          )}
        </div>
      </Card>
      {!run.isRunning && made.length > 0 && <CreatedLinks projectId={projectId} rows={made} />}
      {wrong.length > 0 && (
        <InvalidRows
          rows={wrong}
          rules={rules}
          onType={(line, values) => setCorrected((before) => withLine(before, line, isInFile(sheet, line, values)))}
          onCorrect={correct}
        />
      )}
      {!hasStarted && waiting.length > 0 && <ValidRows rows={waiting} />}
      <LeaveGuard isDirty={isLost && !run.isRunning} title={t`Leave the corrected lines?`} text={correctedText()} />
    </div>
  )
}

/** Whether a line is as in the file: its edits were undone. */
function isInFile({ rows }: LinkFile, line: number, values: LinkValues): boolean {
  const read = rows.find((row) => row.line === line)?.values
  return COLUMNS.every((name) => read?.[name] === values[name])
}

function withLine(corrected: ReadonlySet<number>, line: number, isAsRead: boolean): ReadonlySet<number> {
  const next = new Set(corrected).add(line)
  if (isAsRead) next.delete(line)
  return next
}

type Stand = { readonly made: number; readonly refused: number; readonly ready: number; readonly faulty: number }

/** How the lines stand now: "4 created · 6 with errors". */
function standText({ made, refused, ready, faulty }: Stand): string {
  if (made + refused === 0) {
    return t`${plural(ready, { other: '# ready' })} · ${plural(faulty, { other: '# with errors' })}`
  }
  return t`${plural(made, { other: '# created' })}${plural(refused, { 0: '', other: ' · # failed' })}${plural(ready, { 0: '', other: ' · # ready' })}${plural(faulty, { 0: '', other: ' · # with errors' })}`
}

const SECONDS_PER_MINUTE = 60

/** The number of links that a small server creates per second besides its other work. */
const LINKS_PER_SECOND = 50

function durationText(rows: number): string {
  const minutes = Math.round(rows / LINKS_PER_SECOND / SECONDS_PER_MINUTE)
  if (minutes < 1) return t`Takes less than a minute.`
  return t`Takes about ${plural(minutes, { one: '# minute', other: '# minutes' })}.`
}
