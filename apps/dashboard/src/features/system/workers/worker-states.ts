import type { Worker } from '@kassa/contract/workers/schemas.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'

import { networkName } from '../../../labels/networks/network-name.ts'
import type { Tone } from '../../../ui/feedback/tones.ts'

const STATES: Readonly<Record<Worker['status'], { readonly tone: Tone; readonly word: MessageDescriptor }>> = {
  RUNNING: { tone: 'success', word: msg`OK` },
  STOPPED: { tone: 'neutral', word: msg`Stopped` },
  BACKOFF: { tone: 'warning', word: msg`Catching up` },
  FATAL: { tone: 'danger', word: msg`Stopped by a fault` },
}

/** The name of what reads a blockchain, around the blockchain's code. */
const LISTENER = /^(\w+)-listener$/

const TASKS: Readonly<Record<string, MessageDescriptor>> = {
  'deposit-processor': msg`Looks again at deposits, lets payments expire`,
  'account-processor': msg`Fills address pools, checks the books, tidies up`,
  'webhook-processor': msg`Sends webhooks`,
  'email-processor': msg`Sends e-mails`,
  'rate-processor': msg`Asks for prices`,
  'node-processor': msg`Monitors nodes`,
  'payout-processor': msg`Signs and broadcasts payouts`,
}

/** Returns a worker's state as a word with its tone. What reads a blockchain catches up; what failed is held up. */
export function workerState({ name, status }: Worker): { readonly tone: Tone; readonly word: string } {
  const { tone, word } = STATES[status]
  return { tone, word: status === 'BACKOFF' && !LISTENER.test(name) ? t`Delayed` : t(word) }
}

/** Returns what a worker does, in words; its name for one we do not know. */
export function workerTask(name: string): string {
  const code = LISTENER.exec(name)?.[1]
  if (code !== undefined) {
    const network = networkName(code.toUpperCase())
    return t`Reads ${network}`
  }
  const task = TASKS[name]
  return task === undefined ? name : t(task)
}

/** Whether beginning again can help: not where no process would, nor where a person has to decide. */
export function canBeginAgain({ status }: Worker): boolean {
  return status === 'RUNNING' || status === 'BACKOFF'
}
