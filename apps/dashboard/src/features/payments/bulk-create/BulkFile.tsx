import { plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { Card } from '../../../ui/places/Card.tsx'
import { LeaveGuard } from '../../../ui/forms/LeaveGuard.tsx'
import { TextLink } from '../../../ui/actions/TextLink.tsx'
import { listText } from '../../../lib/list-text.ts'
import { ROWS_PER_SECOND } from '../../../api/run-many.ts'
import { AnotherFile, mendedText } from './ChooseFile.tsx'
import { BulkProgress } from './BulkProgress.tsx'
import { checkedRow, COLUMNS, repeatedCustomers } from './link-rows.ts'
import type { LinkRow, LinkRules, LinkValues } from './link-rows.ts'
import type { LinkFile } from './read-csv.ts'
import { ValidRows } from './ValidRows.tsx'
import { CreatedLinks } from './CreatedLinks.tsx'
import { InvalidRows } from './InvalidRows.tsx'
import { useBulkRun } from './useBulkRun.ts'

export type BulkFileProps = {
  readonly projectId: string
  readonly sheet: LinkFile
  readonly rules: LinkRules
  /** A newer link ends the customer's older one. */
  readonly replaces: boolean
  readonly onAnother: () => void
}

/** A file that was read: what is wrong with it comes first, then what will be made, then how far that is. */
export function BulkFile({ projectId, sheet, rules, replaces, onAnother }: BulkFileProps) {
  const [rows, setRows] = useState<readonly LinkRow[]>(sheet.rows)
  const [mended, setMended] = useState<ReadonlySet<number>>(new Set())
  const run = useBulkRun(projectId, sheet.digest)
  const wrong = rows.filter(({ errors }) => Object.keys(errors).length > 0)
  const isCreated = ({ line }: LinkRow) => run.outcomes.has(line)
  const waiting = rows.filter((row) => Object.keys(row.errors).length === 0 && !isCreated(row))
  const ignored = listText(sheet.ignored)
  const hasStarted = run.isRunning || run.outcomes.size > 0 || run.halted !== undefined
  const repeated = replaces ? repeatedCustomers(rows) : 0
  const created = rows.flatMap((row) => {
    const outcome = run.outcomes.get(row.line)
    return outcome !== undefined && 'link' in outcome
      ? [{ row, url: outcome.link.url, reference: outcome.link.reference_id }]
      : []
  })
  const createdLines = new Set(created.map(({ row }) => row.line))
  const isLost = [...mended].some((line) => !createdLines.has(line))
  const correct = (line: number, values: LinkRow['values']) =>
    setRows((before) => before.map((row) => (row.line === line ? checkedRow(line, values, rules) : row)))

  return (
    <div className="flex flex-col gap-4">
      <Card
        title={sheet.fileName}
        {...(waiting.length + wrong.length > 0 && {
          text: runStateText({
            created: created.length,
            refused: run.outcomes.size - created.length,
            ready: waiting.length,
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
                project keeps one open link per customer, so each later line ends the one before. Go on, or allow more
                in <TextLink href={`/settings/account/${projectId}?tabId=checkout`}>the project’s settings</TextLink>.
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
      {!run.isRunning && created.length > 0 && <CreatedLinks projectId={projectId} rows={created} />}
      {wrong.length > 0 && (
        <InvalidRows
          rows={wrong}
          rules={rules}
          onType={(line, values) => setMended((before) => withLine(before, line, isInFile(sheet, line, values)))}
          onMend={correct}
        />
      )}
      {!hasStarted && waiting.length > 0 && <ValidRows rows={waiting} />}
      <LeaveFileGuard isRunning={run.isRunning} isLost={isLost} />
    </div>
  )
}

/** Asks before links still to be made, or lines mended by hand, are left. */
function LeaveFileGuard({ isRunning, isLost }: { isRunning: boolean; isLost: boolean }) {
  if (isLost && !isRunning) return <LeaveGuard isDirty title={t`Leave the corrected lines?`} text={mendedText()} />
  return (
    <LeaveGuard
      isDirty={isRunning}
      title={t`Leave while links are made?`}
      text={t`The rest is not made. Choose the same file again to go on: what was made is not made twice.`}
    />
  )
}

/** Whether a line holds what the file does: what was typed was taken back. */
function isInFile({ rows }: LinkFile, line: number, values: LinkValues): boolean {
  const read = rows.find((row) => row.line === line)?.values
  return COLUMNS.every((name) => read?.[name] === values[name])
}

function withLine(mended: ReadonlySet<number>, line: number, isAsRead: boolean): ReadonlySet<number> {
  const next = new Set(mended).add(line)
  if (isAsRead) next.delete(line)
  return next
}

type RunState = { readonly created: number; readonly refused: number; readonly ready: number; readonly faulty: number }

/** How the lines stand now: "4 created · 6 with errors". */
function runStateText({ created, refused, ready, faulty }: RunState): string {
  if (created + refused === 0) {
    return t`${plural(ready, { other: '# ready' })} · ${plural(faulty, { other: '# with errors' })}`
  }
  return t`${plural(created, { other: '# created' })}${plural(refused, { 0: '', other: ' · # failed' })}${plural(ready, { 0: '', other: ' · # ready' })}${plural(faulty, { 0: '', other: ' · # with errors' })}`
}

const SECONDS_PER_MINUTE = 60

function durationText(rows: number): string {
  const minutes = Math.round(rows / ROWS_PER_SECOND / SECONDS_PER_MINUTE)
  if (minutes < 1) return t`Takes less than a minute.`
  return t`Takes about ${plural(minutes, { one: '# minute', other: '# minutes' })}.`
}
