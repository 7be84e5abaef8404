import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Check } from 'lucide-react'

import { Button } from '../../ui/actions/Button.tsx'
import { Card } from '../../ui/places/Card.tsx'
import { GuideLoading } from './GuideLoading.tsx'
import { SetupLine } from './SetupLine.tsx'
import type { SetupProgress } from './useSetupSteps.ts'
import { TestPaymentButton } from './TestPaymentButton.tsx'

export type SetupGuideProps = {
  readonly projectId: string
  readonly progress: SetupProgress
  readonly onHide: () => void
}

/** From an empty project to a first real payment: what is there, and what is next. */
export function SetupGuide({ projectId, progress: { steps }, onHide }: SetupGuideProps) {
  if (steps === undefined) return <GuideLoading />
  // The project itself is the first step, and always done.
  const all = steps.length + 1
  const done = steps.filter(({ isDone }) => isDone).length + 1
  if (done === all) return <Ready onClose={onHide} />
  const next = steps.find(({ isDone, blockedBy }) => !isDone && blockedBy === undefined)
  return (
    <Card
      title={t`Setup guide`}
      text={t`${done} of ${all} done`}
      actions={
        <Button kind="quiet" size="small" onClick={onHide}>
          <Trans>Hide for now</Trans>
        </Button>
      }
    >
      <ol className="-my-1 divide-y divide-border">
        <SetupLine title={t`Create a project`} fact={t`It takes payments under its own name.`} isDone />
        {steps.map((step) => (
          <SetupLine key={step.id} {...step} isNext={step === next}>
            {step.id === 'test' && <TestPaymentButton projectId={projectId} step={step} isNext={step === next} />}
          </SetupLine>
        ))}
      </ol>
    </Card>
  )
}

/** A finished guide: one line, until it is closed for good. */
function Ready({ onClose }: { onClose: () => void }) {
  return (
    <section
      aria-label={t`Setup guide`}
      className="flex flex-wrap items-center gap-x-3 rounded-card border border-border bg-surface py-1.5 ps-4 pe-2 text-body shadow-card sm:ps-5"
    >
      <Check aria-hidden size={16} strokeWidth={2.5} className="shrink-0 text-success-text" />
      <p className="min-w-0 flex-1 basis-40">
        <Trans>Setup guide: everything is done. You’re ready.</Trans>
      </p>
      <Button kind="quiet" size="small" onClick={onClose}>
        <Trans>Close</Trans>
      </Button>
    </section>
  )
}
