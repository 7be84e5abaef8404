import { msg, t } from '@lingui/core/macro'
import { networkName } from '../../lib/network-name.ts'
import type { Tone } from '../../ui/tones.ts'

const STATES: Readonly<Record<string, { readonly tone: Tone; readonly word: string }>> = {
  RUNNING: { tone: 'success', word: 'OK' },
  STOPPED: { tone: 'neutral', word: msg`Stopped` },
  BACKOFF: { tone: 'warning', word: msg`Catching up` },
  FATAL: { tone: 'danger', word: msg`Stopped by a fault` },
}

const TASKS: Readonly<Record<string, string>> = {
  'webhook-processor': msg`Sends webhooks`,
  'account-processor': msg`Runs everything else in the background`,
}

/** Returns a worker's state as a word with its tone; one we do not know keeps its own name. */
export function workerState(wire: string): { readonly tone: Tone; readonly word: string } {
  return STATES[wire] ?? { tone: 'neutral', word: wire }
}

/** Returns what a worker does, in words. */
export function workerTask(name: string): string {
  const code = /^(\w+)-listener$/.exec(name)?.[1]
  if (code !== undefined) return t`Reads ${networkName(code.toUpperCase())}`
  return TASKS[name] ?? ''
}
