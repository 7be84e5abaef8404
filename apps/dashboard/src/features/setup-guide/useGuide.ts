import { ALL_PROJECTS } from '../../lib/navigation/current-project.ts'
import { bringGuideBack, putGuideAway, useGuidesAreOn, useGuideState } from '../../lib/display/setup-guide.ts'
import { useSetupSteps } from './useSetupSteps.ts'
import type { SetupProgress } from './useSetupSteps.ts'

export type Guide = {
  readonly progress: SetupProgress
  readonly isOpen: boolean
  /** Steps are left to take. */
  readonly isGuiding: boolean
  /** It was put away before it was done, and can be brought back. */
  readonly isHidden: boolean
  readonly hide: () => void
  readonly show: () => void
}

/** Returns the setup guide of a project: open until it is hidden, or done and closed for good. */
export function useGuide(projectId: string): Guide {
  const progress = useSetupSteps(projectId)
  const state = useGuideState(projectId)
  const areOn = useGuidesAreOn()
  const isReady = progress.steps?.every(({ isDone }) => isDone) === true
  const isReadable = projectId !== ALL_PROJECTS && !(progress.isFailed && progress.steps === undefined)
  const isOpen = areOn && state === undefined && isReadable
  return {
    progress,
    isOpen,
    isGuiding: isOpen && !isReady,
    isHidden: areOn && state === 'hidden' && isReadable,
    hide: () => putGuideAway(projectId, isReady ? 'done' : 'hidden'),
    show: () => bringGuideBack(projectId),
  }
}
