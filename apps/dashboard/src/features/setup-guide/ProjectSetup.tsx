import type { ReactNode } from 'react'

import { useStored, writeStored } from '../../lib/stored.ts'
import { Button } from '../../ui/Button.tsx'
import { SetupGuide } from './SetupGuide.tsx'
import { useSetupSteps } from './useSetupSteps.ts'

export type ProjectSetupProps = {
  readonly projectId: string
  /** What stands below; told whether the guide is on screen. */
  readonly children: (isGuiding: boolean) => ReactNode
}

/** The guide of a project until it is hidden, or done and closed; a quiet press brings a hidden one back. */
export function ProjectSetup({ projectId, children }: ProjectSetupProps) {
  const progress = useSetupSteps(projectId)
  const name = `setupGuide:${projectId}`
  const stored = useStored(name)
  const isReady = progress.steps?.every(({ isDone }) => isDone) === true
  // A guide that was done and closed comes back only when it is asked for.
  const isOpen = stored === undefined && !(progress.isFailed && progress.steps === undefined)
  return (
    <>
      {isOpen && (
        <SetupGuide
          projectId={projectId}
          progress={progress}
          onHide={() => writeStored(name, isReady ? 'done' : 'hidden')}
        />
      )}
      {children(isOpen && !isReady)}
      {stored === 'hidden' && (
        <div>
          <Button kind="quiet" size="small" onClick={() => writeStored(name, undefined)}>
            Show the setup guide
          </Button>
        </div>
      )}
    </>
  )
}
