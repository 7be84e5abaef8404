import { readOfAccount, useOfAccount, useStored, writeStored } from '../device/stored.ts'
import { chooseDisplay } from './display.ts'

/** Whether the setup guide is shown at all; each project's can be put away on a device besides. */
const SWITCH = 'setupGuide'

const entryOf = (projectId: string) => `${SWITCH}:${projectId}`

/** How a project's guide was put away: for now, or for good once it was done. */
export type GuideState = 'hidden' | 'done' | undefined

/** Returns whether guides are shown. */
export function useGuidesAreOn(): boolean {
  return useOfAccount(SWITCH) !== 'off'
}

/** Returns how a project's guide was put away. */
export function useGuideState(projectId: string): GuideState {
  const stored = useStored(entryOf(projectId))
  return stored === 'hidden' || stored === 'done' ? stored : undefined
}

/** Puts a project's guide away. */
export function putGuideAway(projectId: string, state: NonNullable<GuideState>): void {
  writeStored(entryOf(projectId), state)
}

/** Brings a project's guide back, whatever had hidden it. */
export function bringGuideBack(projectId: string): void {
  if (readOfAccount(SWITCH) === 'off') chooseDisplay({ setupGuide: true })
  writeStored(entryOf(projectId), undefined)
}
