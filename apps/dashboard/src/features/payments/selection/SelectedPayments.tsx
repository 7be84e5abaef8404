import type { PaymentRow } from '@kassa/contract/payments/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { CircleCheck, Download, Send, X } from 'lucide-react'
import { useState } from 'react'
import { useCan } from '../../../api/me.ts'
import { MOST_COLLECTED } from '../../../api/payments.ts'
import { count } from '../../../lib/format.ts'
import { useIsNarrow } from '../../../lib/media.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { useSearchState } from '../../../lib/search.ts'
import { utcIso } from '../../../lib/time.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { BulkBar } from '../../../ui/list/BulkBar.tsx'
import type { Selection } from '../../../ui/list/useSelection.ts'
import type { ExportColumn } from '../columns/export-columns.ts'
import { selectedFile } from '../export/selected-file.ts'
import { useExport } from '../export/useExport.ts'
import { listOf, narrowingOf } from '../views/payment-filter.ts'
import { BulkActionDialog } from './BulkActionDialog.tsx'
import { SelectAllDialog } from './SelectAllDialog.tsx'
import { jobTitle, bulkActionOf, whyIdle } from './bulk-actions.ts'
import type { BulkAction, Job } from './bulk-actions.ts'

/** How many payments the page shows, and how many match. */
type ListFacts = { readonly shown: number; readonly total: number; readonly isEstimate: boolean }

export type SelectedPaymentsProps = {
  readonly projectId: string
  /** Those of the page that are picked. */
  readonly rows: readonly PaymentRow[]
  readonly selection: Selection
  readonly list: ListFacts
  /** The columns a file has. */
  readonly columns: readonly ExportColumn[]
}

const MAY = { resend: 'webhook:resend', settle: 'payment:resolve', cancel: 'payment:cancel' } as const

/** What may be done to several payments at once, or to all that match; absent while none is picked. */
export function SelectedPayments({ projectId, rows, selection, list, columns }: SelectedPaymentsProps) {
  const can = useCan()
  const [search] = useSearchState()
  const isNarrow = useIsNarrow()
  const [gathered, setGathered] = useState<Job>()
  const [task, setTask] = useState<BulkAction>()
  const { isRunning, failure, start } = useExport(projectId)
  const { isWhole } = selection
  const mayRow = (job: Job) => (row: PaymentRow) => can(MAY[job], row.externalPlatformID)
  const bulkActionOfPage = (job: Job) => bulkActionOf(job, { rows, isAll: true, isWhole: false }, mayRow(job))
  const begin = (job: Job) => (isWhole ? setGathered(job) : setTask(bulkActionOfPage(job)))
  /** Why a job does nothing to those of the page; of all that match nobody knows before they are read. */
  const idleReason = (job: Job) => (isWhole ? undefined : whyIdle(bulkActionOfPage(job)))
  const idle = { resend: idleReason('resend'), settle: idleReason('settle'), cancel: idleReason('cancel') }
  const save = () =>
    isWhole
      ? void start({ ...narrowingOf(search), columns: [...columns] }, 'csv')
      : saveFile(selectedFile(rows, columns), `payments-${projectId}-selected-${utcIso(new Date()).slice(0, 10)}.csv`)
  return (
    <>
      {rows.length > 0 && (
        <BulkBar
          count={rows.length}
          text={isWhole ? wholeText(list) : undefined}
          more={moreOf(selection, list, isNarrow)}
          note={isWhole && list.total > MOST_COLLECTED ? limitNote() : undefined}
          onClear={selection.clear}
        >
          {can('webhook:resend', projectId) && (
            <Button
              size="small"
              icon={<Send strokeWidth={1.75} />}
              disabled={idle.resend !== undefined}
              title={idle.resend}
              onClick={() => begin('resend')}
            >
              <Trans>Resend webhooks</Trans>
            </Button>
          )}
          {can('payment:resolve', projectId) && (
            <Button
              size="small"
              icon={<CircleCheck strokeWidth={1.75} />}
              disabled={idle.settle !== undefined}
              title={idle.settle}
              onClick={() => begin('settle')}
            >
              <Trans>Mark as resolved</Trans>
            </Button>
          )}
          {can('payment:cancel', projectId) && (
            <Button
              size="small"
              icon={<X strokeWidth={1.75} />}
              disabled={idle.cancel !== undefined}
              title={idle.cancel}
              onClick={() => begin('cancel')}
            >
              <Trans>Cancel open</Trans>
            </Button>
          )}
          {can('payment:export', projectId) && (
            <Button size="small" icon={<Download strokeWidth={1.75} />} loading={isRunning} onClick={save}>
              <Trans>Export</Trans>
            </Button>
          )}
          {failure !== undefined && (
            <p role="alert" className="basis-full text-dense text-danger-text">
              {failure}
            </p>
          )}
        </BulkBar>
      )}
      {gathered !== undefined && (
        <SelectAllDialog
          title={jobTitle(gathered)}
          projectId={projectId}
          filter={onlyFor(gathered, listOf(search))}
          onGathered={(found) => {
            setGathered(undefined)
            setTask(bulkActionOf(gathered, { ...found, isWhole: true }, mayRow(gathered)))
          }}
          onClose={() => setGathered(undefined)}
        />
      )}
      {task !== undefined && <BulkActionDialog bulkAction={task} onClose={() => setTask(undefined)} />}
    </>
  )
}

/** Of a list of every state only those are read that a job can do something to. */
function onlyFor(job: Job, filter: ReturnType<typeof listOf>): ReturnType<typeof listOf> {
  if (job === 'resend' || filter.paymentStatus !== undefined) return filter
  return { ...filter, paymentStatus: [job === 'cancel' ? 'OPEN' : 'NEEDS_ATTENTION'] }
}

/** First all of the page, where no head offers it, then all that match. */
function moreOf({ count: selected, isWhole, pickAll, pickWhole }: Selection, list: ListFacts, isNarrow: boolean) {
  const { shown, total, isEstimate } = list
  if (selected < shown) return isNarrow ? { label: t`Select all ${shown} on this page`, onPick: pickAll } : undefined
  if (isWhole || total <= shown) return undefined
  const all = count(total)
  const label = isEstimate ? t`Select all that match, about ${all}` : t`Select all ${all} that match`
  return { label, onPick: pickWhole }
}

function wholeText({ total, isEstimate }: ListFacts): string {
  const all = count(total)
  return isEstimate ? t`All that match are selected, about ${all}` : t`All ${all} that match are selected`
}

function limitNote(): string {
  const most = count(MOST_COLLECTED)
  return t`Resending, settling and cancelling take at most ${most} at once.`
}
