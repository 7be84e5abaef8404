/** How states of the referral programme are drawn, for its own screens and for messages about it. */
import type { EventLogStatus, RewardStatus } from '@kassa/contract/referral/machine.ts'
import { msg } from '@lingui/core/macro'

import { type Badge, type Look, badgeOf } from '../payment-labels.ts'

/** How states of event logs are drawn. */
export const EVENT_LOG_STATES: Readonly<Record<EventLogStatus, Look>> = {
  pending: { tone: 'progress', word: msg({ message: 'Queued', context: 'an event' }) },
  waiting: { tone: 'info', word: msg`Waits for the payment` },
  processed: { tone: 'success', word: msg({ message: 'Counted', context: 'an event' }) },
  failed: { tone: 'danger', word: msg({ message: 'Not counted', context: 'an event' }) },
}

/** Returns the badge of an event log. */
export function eventLogBadge(status: EventLogStatus): Badge {
  return badgeOf(EVENT_LOG_STATES[status], status)
}

/** How states of rewards are drawn. */
export const REWARD_STATES: Readonly<Record<RewardStatus, Look>> = {
  pending: { tone: 'info', word: msg({ message: 'Owed', context: 'a reward' }) },
  held: { tone: 'progress', word: msg({ message: 'Being paid', context: 'a reward' }) },
  processed: { tone: 'success', word: msg({ message: 'Paid', context: 'a reward' }) },
  reversed: { tone: 'neutral', word: msg({ message: 'Reversed', context: 'a reward' }) },
}

/** Returns the badge of a reward. */
export function rewardBadge(status: RewardStatus): Badge {
  return badgeOf(REWARD_STATES[status], status)
}
