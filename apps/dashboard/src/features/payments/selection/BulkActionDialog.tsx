import { Resolution } from '@kassa/contract/payments/resolution.ts'
import type { PaymentRow } from '@kassa/contract/payments/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useId, useRef } from 'react'
import { fieldErrors } from '../../../lib/field-errors.ts'
import { useForm } from '../../../lib/form.ts'
import { count } from '../../../lib/format.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { DiscardDialog } from '../../../ui/forms/DiscardDialog.tsx'
import { TextArea } from '../../../ui/fields/TextArea.tsx'
import { useFormChanges } from '../../../ui/forms/useFormChanges.ts'
import { rowTitle } from '../payment/row-actions.ts'
import { type Outcome, useRunEach, type EachRun } from './useRunEach.ts'
import type { BulkAction } from './bulk-actions.ts'

/** Of more than these only the refused ones are listed. */
const MOST_LISTED = 200

/** Asks, then does it to one payment after another, and says of each what became of it. */
export function BulkActionDialog({ bulkAction, onClose }: { bulkAction: BulkAction; onClose: () => void }) {
  const { title, sentences, rows, needsNote = false } = bulkAction
  const run = useRunEach(bulkAction.act)
  const formId = useId()
  const safe = useRef<HTMLButtonElement>(null)
  const form = useForm({
    initial: { note: '' },
    validate: ({ note }) => (needsNote ? fieldErrors(Resolution, { action: 'settle', note }) : {}),
    submit: ({ note }) => run.start(rows, note.trim()),
  })
  const { outcomes, isRunning, halted } = run
  const isAsking = !isRunning && outcomes.size === 0 && halted === undefined
  const { fields, onChange, leave, question } = useFormChanges({ isSafe: isRunning || outcomes.size > 0, onClose })
  return (
    <>
      <Dialog
        title={title}
        locked={isRunning}
        initialFocus={needsNote ? undefined : safe}
        onClose={leave}
        foot={
          <Foot
            bulkAction={bulkAction}
            run={run}
            formId={formId}
            safe={safe}
            onContinue={() => void run.start(rows, form.values.note.trim())}
            onClose={onClose}
          />
        }
      >
        {isAsking ? (
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
                hint={t`Why, for whoever reads the timeline. Ctrl+Enter sends.`}
                rows={2}
              />
            )}
          </form>
        ) : (
          <div className="flex flex-col gap-4">
            <div className="flex flex-col gap-2">
              <p role="status" className="font-medium tabular-nums">
                {progressText(run, rows.length)}
              </p>
              <progress
                aria-label={title}
                value={outcomes.size}
                max={rows.length}
                className="block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent-text [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent-text"
              />
            </div>
            {halted !== undefined && <Banner tone="danger">{halted}</Banner>}
            <Results rows={rows} outcomes={outcomes} />
          </div>
        )}
      </Dialog>
      <DiscardDialog {...question} />
    </>
  )
}

type FootProps = {
  readonly bulkAction: BulkAction
  readonly run: EachRun
  /** The form that begins it. */
  readonly formId: string
  readonly safe: { current: HTMLButtonElement | null }
  /** Goes through those that are left. */
  readonly onContinue: () => void
  readonly onClose: () => void
}

function Foot({ bulkAction, run, formId, safe, onContinue, onClose }: FootProps) {
  const { outcomes, isRunning, halted, stop } = run
  const isNew = outcomes.size === 0 && halted === undefined
  const left = bulkAction.rows.length - outcomes.size
  if (isRunning)
    return (
      <Button onClick={stop}>
        <Trans>Stop</Trans>
      </Button>
    )
  return (
    <>
      <Button ref={safe} kind={left === 0 ? 'primary' : 'secondary'} onClick={onClose}>
        {outcomes.size === 0 && left > 0 ? t`Leave them` : t`Close`}
      </Button>
      {left > 0 && (
        <Button
          kind={bulkAction.danger ? 'danger' : 'primary'}
          {...(isNew ? { type: 'submit', form: formId } : { onClick: onContinue })}
        >
          {outcomes.size === 0 ? bulkAction.action : t`Go on with ${count(left)}`}
        </Button>
      )}
    </>
  )
}

function progressText({ outcomes, isRunning }: EachRun, rows: number): string {
  const refusals = [...outcomes.values()].filter((outcome) => 'refusal' in outcome).length
  const done = count(outcomes.size - refusals)
  const refused = count(refusals)
  const total = count(rows)
  const isClean = refusals === 0
  if (outcomes.size === rows) return isClean ? t`${done} done` : t`${done} done, ${refused} refused`
  if (isRunning) return isClean ? t`${done} done of ${total}` : t`${done} done, ${refused} refused of ${total}`
  return isClean ? t`Stopped: ${done} done of ${total}` : t`Stopped: ${done} done, ${refused} refused of ${total}`
}

function Results({ rows, outcomes }: { rows: readonly PaymentRow[]; outcomes: EachRun['outcomes'] }) {
  const isRefused = ({ referenceId }: PaymentRow) => 'refusal' in (outcomes.get(referenceId) ?? {})
  const isLong = rows.length > MOST_LISTED
  const listed = isLong ? rows.filter(isRefused).slice(0, MOST_LISTED) : rows
  return (
    <>
      {isLong && (
        <p className="text-dense text-muted">
          <Trans>Of so many only those that are refused are listed.</Trans>
        </p>
      )}
      {listed.length > 0 && (
        <ul aria-label={t`Results`} className="divide-y divide-border rounded-card border border-border">
          {listed.map((row) => (
            <Line key={row.referenceId} row={row} outcome={outcomes.get(row.referenceId)} />
          ))}
        </ul>
      )}
    </>
  )
}

function Line({ row, outcome }: { row: PaymentRow; outcome: Outcome | undefined }) {
  return (
    <li className="flex flex-wrap justify-between gap-x-3 px-4 py-2.5 text-dense">
      <span className="min-w-0 truncate font-medium">{rowTitle(row)}</span>
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
