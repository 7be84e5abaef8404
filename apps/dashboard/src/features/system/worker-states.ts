import { networkName } from '../../lib/network-name.ts'
import type { Tone } from '../../ui/tones.ts'

const STATES: Readonly<Record<string, { readonly tone: Tone; readonly word: string }>> = {
  RUNNING: { tone: 'success', word: 'OK' },
  STOPPED: { tone: 'neutral', word: 'Stopped' },
  BACKOFF: { tone: 'warning', word: 'Catching up' },
  FATAL: { tone: 'danger', word: 'Stopped by a fault' },
}

const TASKS: Readonly<Record<string, string>> = {
  'webhook-processor': 'Sends webhooks',
  'account-processor': 'Runs everything else in the background',
}

/** Returns a worker's state as a word with its tone; one we do not know keeps its own name. */
export function workerState(wire: string): { readonly tone: Tone; readonly word: string } {
  return STATES[wire] ?? { tone: 'neutral', word: wire }
}

/** Returns what a worker does, in words. */
export function workerTask(name: string): string {
  const code = /^(\w+)-listener$/.exec(name)?.[1]
  if (code !== undefined) return `Reads ${networkName(code.toUpperCase())}`
  return TASKS[name] ?? ''
}
