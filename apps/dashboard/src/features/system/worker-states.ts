import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'

import { networkName } from '../../lib/network-name.ts'
import type { Tone } from '../../ui/tones.ts'

const STATES: Readonly<Record<string, { readonly tone: Tone; readonly word: MessageDescriptor }>> = {
  RUNNING: { tone: 'success', word: msg`OK` },
  STOPPED: { tone: 'neutral', word: msg`Stopped` },
  BACKOFF: { tone: 'warning', word: msg`Catching up` },
  FATAL: { tone: 'danger', word: msg`Stopped by a fault` },
}

const TASKS: Readonly<Record<string, MessageDescriptor>> = {
  'webhook-processor': msg`Sends webhooks`,
  'account-processor': msg`Runs everything else in the background`,
}

/** Returns a worker's state as a word with its tone; one we do not know keeps its own name. */
export function workerState(wire: string): { readonly tone: Tone; readonly word: string } {
  const state = STATES[wire]
  return state === undefined ? { tone: 'neutral', word: wire } : { tone: state.tone, word: t(state.word) }
}

/** Returns what a worker does, in words; absent for one we do not know. */
export function workerTask(name: string): string | undefined {
  const code = /^(\w+)-listener$/.exec(name)?.[1]
  if (code !== undefined) {
    const network = networkName(code.toUpperCase())
    return t`Reads ${network}`
  }
  const task = TASKS[name]
  return task === undefined ? undefined : t(task)
}
