import { t } from '@lingui/core/macro'

import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
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
  const isReady = done === all
  const next = steps.find(({ isDone, blockedBy }) => !isDone && blockedBy === undefined)
  return (
    <Card
      title={t`Setup guide`}
      text={isReady ? t`You’re ready.` : t`${done} of ${all} done`}
      actions={
        <Button kind="quiet" size="small" onClick={onHide}>
          {isReady ? t`Close` : t`Hide for now`}
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
