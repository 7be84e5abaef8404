import { MOST_BULK_ROWS } from '@kassa/contract/bulk-jobs/schemas.ts'
import type { PaymentRow } from '@kassa/contract/payments/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, Download, Send, X } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useCan } from '../../../api/me.ts'
import type { PaymentFilter } from '../../../api/payments.ts'
import { projectsQuery } from '../../../api/projects.ts'
import { ALL_PROJECTS } from '../../../lib/navigation/current-project.ts'
import { count } from '../../../lib/text/format.ts'
import { useIsNarrow } from '../../../lib/device/media.ts'
import { saveFile } from '../../../lib/device/save-file.ts'
import { useSearchState } from '../../../lib/navigation/search.ts'
import { utcIso } from '../../../lib/time/time.ts'
import { BulkBar } from '../../../ui/list/BulkBar.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { lazyLayer } from '../../../ui/overlays/lazy-load.ts'
import type { Selection } from '../../../ui/list/useSelection.ts'
import type { ExportColumn } from '../columns/export-columns.ts'
import { RecentJobs } from '../bulk-jobs/RecentJobs.tsx'
import { narrowingOf } from '../views/payment-filter.ts'
import { useExport } from '../export/useExport.ts'
import { SelectAllDialog } from './SelectAllDialog.tsx'
import { selectedFile } from '../export/selected-file.ts'
import { JOB_ACTIONS, jobTitle, taskOf, whyIdle, wholeTaskOf } from './bulk-actions.ts'
import type { BulkTask, Job, Whole } from './bulk-actions.ts'

const BulkActionDialog = lazyLayer(async () => ({
  default: (await import('./BulkActionDialog.tsx')).BulkActionDialog,
}))

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

const MAY = { resend: 'webhook:resend', mark_resolved: 'payment:resolve', cancel: 'payment:cancel' } as const

/** What may be done to several payments at once, or to all that match; absent while none is picked. */
export function SelectedPayments({ projectId, rows, selection, list, columns }: SelectedPaymentsProps) {
  const can = useCan()
  const [search] = useSearchState()
  const isNarrow = useIsNarrow()
  const [countedJob, setCountedJob] = useState<Job>()
  const [task, setTask] = useState<BulkTask>()
  const { isRunning, failure, start } = useExport(projectId)
  const { isWhole } = selection
  const { data: projects } = useQuery({ ...projectsQuery, enabled: isWhole && projectId === ALL_PROJECTS })
  const mayRow = (job: Job) => (row: PaymentRow) => can(MAY[job], row.externalPlatformID)
  const taskOfPage = (job: Job) => taskOf(job, rows, mayRow(job))
  /** All that match, in each project that the list is of and in which the operator may do it. */
  const wholeOf = (job: Job): Whole => {
    const filter = onlyFor(job, narrowingOf(search))
    const { externalPlatformIds: named } = filter
    const listed = projects?.map(({ id }) => String(id)).filter((id) => named?.includes(id) ?? true) ?? []
    return { filter, projectIds: projectId === ALL_PROJECTS ? listed.filter((id) => can(MAY[job], id)) : [projectId] }
  }
  const begin = (job: Job) => (isWhole ? setCountedJob(job) : setTask(taskOfPage(job)))
  /** Why a job is not done to all that match: a count among no project would be one among all. */
  const whyBarred = (job: Job) => {
    if (wholeOf(job).projectIds.length > 0) return undefined
    return projects === undefined ? t`Loading projects…` : t`You may not do this in these projects.`
  }
  const idleReason = (job: Job) => (isWhole ? whyBarred(job) : whyIdle(taskOfPage(job)))
  const idle = {
    resend: idleReason('resend'),
    mark_resolved: idleReason('mark_resolved'),
    cancel: idleReason('cancel'),
  }
  const save = () =>
    isWhole
      ? void start({ ...narrowingOf(search), columns: [...columns] }, 'csv')
      : saveFile(selectedFile(rows, columns), `payments-${projectId}-selected-${utcIso(new Date()).slice(0, 10)}.csv`)
  return (
    <>
      <RecentJobs projectId={projectId} label={t`Under way`} actions={JOB_ACTIONS} isLive />
      {rows.length > 0 && (
        <BulkBar
          count={rows.length}
          text={isWhole ? wholeText(list) : undefined}
          more={moreOf(selection, list, isNarrow)}
          note={isWhole && list.total > MOST_BULK_ROWS ? limitNote() : undefined}
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
              disabled={idle.mark_resolved !== undefined}
              title={idle.mark_resolved}
              onClick={() => begin('mark_resolved')}
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
      {countedJob !== undefined && (
        <SelectAllDialog
          title={jobTitle(countedJob)}
          projectId={projectId}
          filter={inProjects(wholeOf(countedJob), projectId)}
          onCounted={(matches) => {
            setCountedJob(undefined)
            setTask(wholeTaskOf(countedJob, matches, wholeOf(countedJob)))
          }}
          onClose={() => setCountedJob(undefined)}
        />
      )}
      <Suspense>{task !== undefined && <BulkActionDialog task={task} onClose={() => setTask(undefined)} />}</Suspense>
    </>
  )
}

/** The filter as it is counted where the page covers all projects. */
function inProjects({ filter, projectIds }: Whole, page: string): PaymentFilter {
  return page === ALL_PROJECTS ? { ...filter, externalPlatformIds: [...projectIds] } : filter
}

/** Of a list of every state only those are read that a job can do something to. */
function onlyFor(job: Job, filter: ReturnType<typeof narrowingOf>): ReturnType<typeof narrowingOf> {
  if (job === 'resend' || filter.paymentStatus !== undefined) return filter
  return { ...filter, paymentStatus: [job === 'cancel' ? 'OPEN' : 'NEEDS_ATTENTION'] }
}

/** First all of the page, where no head offers it, then all that match. */
function moreOf({ count: picked, isWhole, pickAll, pickWhole }: Selection, list: ListFacts, isNarrow: boolean) {
  const { shown, total, isEstimate } = list
  if (picked < shown) return isNarrow ? { label: t`Select all ${shown} on this page`, onPick: pickAll } : undefined
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
  const most = count(MOST_BULK_ROWS)
  return t`Resending, resolving and cancelling take at most ${most} at once.`
}
