import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Download } from 'lucide-react'

import { count } from '../../../lib/text/format.ts'
import { saveFile } from '../../../lib/device/save-file.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import type { LinkRow } from './link-rows.ts'
import { linesFile, resultFile } from './result-file.ts'
import type { BulkRun } from './useBulkRun.ts'

/** Refused lines shown here; all of them are in the result. */
const MOST_SHOWN = 20

export type BulkProgressProps = {
  readonly rows: readonly LinkRow[]
  /** Lines that are ready and were not tried yet. */
  readonly waiting: readonly LinkRow[]
  readonly run: BulkRun
}

/** Progress of creating links: pause, continue, retry, download the result. */
export function BulkProgress({ rows, waiting, run }: BulkProgressProps) {
  const { outcomes, isRunning, progress, halted, start, stop } = run
  const refused = rows.flatMap((row) => {
    const outcome = outcomes.get(row.line)
    return outcome !== undefined && 'refusal' in outcome ? [{ row, ...outcome }] : []
  })
  const withOpenLink = refused.filter(({ hasOpenLink }) => hasOpenLink)
  const made = outcomes.size - refused.length + progress.done
  const failed = refused.length + progress.refused
  const total = outcomes.size + waiting.length
  const isOver = !isRunning && waiting.length === 0
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-col gap-2">
        <p role="status" className="text-body font-medium tabular-nums">
          {isOver ? resultText(made, failed) : progressText(isRunning, made, failed, total)}
        </p>
        <progress
          aria-label={t`Links`}
          value={made + failed}
          max={Math.max(1, total)}
          className="block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent-text [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent-text"
        />
      </div>
      {halted !== undefined && (
        <Banner tone="danger">
          <Trans>{halted} Nothing is lost; continue when it is corrected.</Trans>
        </Banner>
      )}
      {isRunning && (
        <p className="text-dense text-muted">
          <Trans>The server makes them. You may leave this page; it goes on.</Trans>
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {isRunning && (
          <Button onClick={stop}>
            <Trans>Pause</Trans>
          </Button>
        )}
        {!isRunning && waiting.length > 0 && (
          <Button kind="primary" onClick={() => void start(waiting)}>
            {outcomes.size === 0 ? t`Create ${count(waiting.length)}` : t`Continue with ${count(waiting.length)}`}
          </Button>
        )}
        {!isRunning && refused.length > 0 && (
          <Button onClick={() => void start(refused.map(({ row }) => row))}>
            <Trans>Retry {count(refused.length)}</Trans>
          </Button>
        )}
        {!isRunning && withOpenLink.length > 0 && (
          <Button
            onClick={() =>
              void start(
                withOpenLink.map(({ row }) => row),
                { mayReplace: true },
              )
            }
          >
            <Trans>Create {count(withOpenLink.length)} anyway</Trans>
          </Button>
        )}
        {!isRunning && refused.length > 0 && (
          <Button
            icon={<Download strokeWidth={1.75} />}
            onClick={() => saveFile(linesFile(refused.map(({ row }) => row)), 'payment-links-failed.csv')}
          >
            <Trans>Failed lines</Trans>
          </Button>
        )}
        {!isRunning && outcomes.size > 0 && (
          <Button
            kind={isOver ? 'primary' : 'secondary'}
            icon={<Download strokeWidth={1.75} />}
            onClick={() => saveFile(resultFile(rows, outcomes), 'payment-links-result.csv')}
          >
            <Trans>Result CSV</Trans>
          </Button>
        )}
      </div>
      {!isRunning && withOpenLink.length > 0 && (
        <p className="text-dense text-muted">
          <Trans>“Create anyway” cancels the open links of these customers, also those made from this file.</Trans>
        </p>
      )}
      {!isRunning && refused.length > 0 && (
        <p className="text-dense text-muted">
          <Trans>
            To change failed lines, save them as a file of their own: uploading the whole file again, changed, would
            create every link again.
          </Trans>
        </p>
      )}
      {refused.length > 0 && (
        <ul aria-label={t`Failed lines`} className="divide-y divide-border rounded-card border border-border">
          {refused.slice(0, MOST_SHOWN).map(({ row, refusal }) => (
            <li key={row.line} className="flex flex-wrap gap-x-3 px-4 py-2.5 text-dense">
              <span className="font-medium">
                <Trans>Line {row.line}</Trans>
              </span>
              <span className="text-muted">{row.values.customerEmail || row.values.customerID}</span>
              <span className="text-danger-text">{refusal}</span>
            </li>
          ))}
          {refused.length > MOST_SHOWN && (
            <li className="px-4 py-2.5 text-dense text-muted">
              <Trans>And {count(refused.length - MOST_SHOWN)} more, all in the result.</Trans>
            </li>
          )}
        </ul>
      )}
    </div>
  )
}

function resultText(madeLinks: number, failedLinks: number): string {
  const made = count(madeLinks)
  const failed = count(failedLinks)
  return failedLinks === 0 ? t`${made} created` : t`${made} created, ${failed} failed`
}

function progressText(isRunning: boolean, madeLinks: number, failedLinks: number, allLinks: number): string {
  const made = count(madeLinks)
  const failed = count(failedLinks)
  const total = count(allLinks)
  if (failedLinks === 0) {
    return isRunning ? t`Creating: ${made} created of ${total}` : t`Paused: ${made} created of ${total}`
  }
  return isRunning
    ? t`Creating: ${made} created, ${failed} failed of ${total}`
    : t`Paused: ${made} created, ${failed} failed of ${total}`
}
