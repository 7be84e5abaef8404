/** What happened to a payout, in the words of the screen. */
import type { WithdrawalDetail } from '@kassa/contract/withdrawals/schemas.ts'
import { t } from '@lingui/core/macro'

import { PAYOUT_STATES } from '../../../labels/payout-labels.ts'
import type { TimelineEvent } from '../../../ui/facts/Timeline.tsx'

type Step = WithdrawalDetail['timeline'][number]

/** Returns the events of a payout, newest first. */
export function timelineOf({ timeline, approvals }: WithdrawalDetail): TimelineEvent[] {
  const people = new Map(approvals.given.map((one) => [one.memberID, one.email]))
  return timeline.map((step, at) => ({ ...eventOf(step, people), id: String(at), at: step.at })).toReversed()
}

function eventOf({ event, data }: Step, people: ReadonlyMap<number, string>): Omit<TimelineEvent, 'id' | 'at'> {
  if (event === 'payout.approved') {
    const who = people.get(Number(data.memberID)) ?? t`An operator`
    return { title: t`${who} approved`, text: methodText(String(data.method)), tone: 'success' }
  }
  if (event === 'payout.pending-approval' && Number(data.sequence ?? 1) > 1) {
    return { title: t`Needs approval again`, text: t`The policy or its approvals changed.`, tone: 'warning' }
  }
  const state = event.slice('payout.'.length)
  const look = state in PAYOUT_STATES ? PAYOUT_STATES[state as keyof typeof PAYOUT_STATES] : undefined
  if (look === undefined) return { title: event }
  const reason = typeof data.failure_reason === 'string' ? data.failure_reason : undefined
  return { title: t(look.word), tone: look.tone, ...(reason !== undefined && { text: reason }) }
}

/** Returns the method of an approval. */
export function methodText(method: string): string {
  if (method === 'passkey') return t`with a passkey`
  if (method === 'totp') return t`with a code of an app`
  if (method === 'backup') return t`with a backup code`
  if (method === 'password') return t`with the password`
  return t`in a session that had been confirmed`
}
