import { Resolution } from '@kassa/contract/payments/resolution.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useId, useRef } from 'react'
import { fieldErrors } from '../../../lib/forms/field-errors.ts'
import { useForm } from '../../../lib/forms/form.ts'
import { count } from '../../../lib/text/format.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { DiscardDialog } from '../../../ui/forms/DiscardDialog.tsx'
import { TextArea } from '../../../ui/fields/TextArea.tsx'
import { useFormChanges } from '../../../ui/forms/useFormChanges.ts'
import type { BulkTask } from './bulk-actions.ts'
import { usePaymentsJob } from './use-payments-job.ts'
import type { PaymentLine, PaymentsJob } from './use-payments-job.ts'

/** Of more than these only the refused ones are listed. */
const MOST_LISTED = 200

/** Asks, then has the server do it to one payment after another, and says of each what became of it. */
export function BulkActionDialog({ task, onClose }: { task: BulkTask; onClose: () => void }) {
  const { title, sentences, needsNote = false } = task
  const run = usePaymentsJob(task)
  const formId = useId()
  const safe = useRef<HTMLButtonElement>(null)
  const form = useForm({
    initial: { note: '' },
    validate: ({ note }) => (needsNote ? fieldErrors(Resolution, { action: 'mark_resolved', note }) : {}),
    submit: ({ note }) => run.start(note.trim()),
  })
  const { counts, lines, isRunning, isNew, halted } = run
  const { fields, onChange, leave, question } = useFormChanges({ isSafe: !isNew, onClose })
  return (
    <>
      <Dialog
        title={title}
        initialFocus={needsNote ? undefined : safe}
        onClose={leave}
        foot={
          <Foot
            task={task}
            run={run}
            formId={formId}
            safe={safe}
            onContinue={() => void run.start(form.values.note.trim())}
            onClose={onClose}
          />
        }
      >
        {isNew ? (
          <form
            ref={fields}
            id={formId}
            noValidate
            onChange={onChange}
            onSubmit={form.onSubmit}
            className="flex flex-col gap-4"
          >
            <div className="flex flex-col gap-2">
              {sentences.map((sentence) => (
                <p key={sentence}>{sentence}</p>
              ))}
            </div>
            {needsNote && (
              <TextArea
                {...form.field('note')}
                label={t`Note`}
                isRequired
                hint={t`The reason, shown in the timeline. Ctrl+Enter sends.`}
                rows={2}
              />
            )}
          </form>
        ) : (
          <div className="flex flex-col gap-4">
            <div className="flex flex-col gap-2">
              <p role="status" className="font-medium tabular-nums">
                {progressText(run)}
              </p>
              <progress
                aria-label={title}
                value={counts.done + counts.refused}
                max={Math.max(1, counts.total)}
                className="block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent-text [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent-text"
              />
            </div>
            {isRunning && (
              <p className="text-dense text-muted">
                <Trans>The server does it. You may close this; it goes on.</Trans>
              </p>
            )}
            {halted !== undefined && <Banner tone="danger">{halted}</Banner>}
            <Results lines={lines} isWhole={task.whole !== undefined} />
          </div>
        )}
      </Dialog>
      <DiscardDialog {...question} />
    </>
  )
}

type FootProps = {
  readonly task: BulkTask
  readonly run: PaymentsJob
  /** The form that begins it. */
  readonly formId: string
  readonly safe: { current: HTMLButtonElement | null }
  /** Goes through those that are left. */
  readonly onContinue: () => void
  readonly onClose: () => void
}

function Foot({ task, run, formId, safe, onContinue, onClose }: FootProps) {
  const { isRunning, isNew, left, stop } = run
  if (isRunning)
    return (
      <Button onClick={stop}>
        <Trans>Stop</Trans>
      </Button>
    )
  return (
    <>
      <Button ref={safe} kind={left === 0 ? 'primary' : 'secondary'} onClick={onClose}>
        {isNew && left > 0 ? t`Leave them` : t`Close`}
      </Button>
      {left > 0 && (
        <Button
          kind={task.danger ? 'danger' : 'primary'}
          {...(isNew ? { type: 'submit', form: formId } : { onClick: onContinue })}
        >
          {isNew ? task.action : t`Go on with ${count(left)}`}
        </Button>
      )}
    </>
  )
}

function progressText({ counts, isRunning, left }: PaymentsJob): string {
  const [done, refused, total] = [count(counts.done), count(counts.refused), count(counts.total)]
  const isClean = counts.refused === 0
  if (isRunning) return isClean ? t`${done} done of ${total}` : t`${done} done, ${refused} refused of ${total}`
  if (left === 0) return isClean ? t`${done} done` : t`${done} done, ${refused} refused`
  return isClean ? t`Stopped: ${done} done of ${total}` : t`Stopped: ${done} done, ${refused} refused of ${total}`
}

function Results({ lines, isWhole }: { lines: readonly PaymentLine[]; isWhole: boolean }) {
  const isLong = isWhole || lines.length > MOST_LISTED
  const isRefused = ({ outcome }: PaymentLine) => outcome !== undefined && 'refusal' in outcome
  const listed = isLong ? lines.filter(isRefused).slice(0, MOST_LISTED) : lines
  return (
    <>
      {isLong && (
        <p className="text-dense text-muted">
          <Trans>Only refused ones are listed, because there are many.</Trans>
        </p>
      )}
      {listed.length > 0 && (
        <ul aria-label={t`Results`} className="divide-y divide-border rounded-card border border-border">
          {listed.map((line) => (
            <Line key={line.reference} {...line} />
          ))}
        </ul>
      )}
    </>
  )
}

function Line({ title, outcome }: PaymentLine) {
  return (
    <li className="flex flex-wrap justify-between gap-x-3 px-4 py-2.5 text-dense">
      <span className="min-w-0 truncate font-medium">{title}</span>
      {outcome === undefined && (
        <span className="text-muted">
          <Trans>Waiting</Trans>
        </span>
      )}
      {outcome !== undefined && 'done' in outcome && <span className="text-success-text">{outcome.done}</span>}
      {outcome !== undefined && 'refusal' in outcome && <span className="text-danger-text">{outcome.refusal}</span>}
    </li>
  )
}
