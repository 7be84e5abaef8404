import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'

import { type AnyPath, paths } from '../../lib/paths.ts'

/** What each screen that does not exist yet will hold. */
const PLANNED: readonly (readonly [AnyPath, MessageDescriptor])[] = [
  [
    paths.referral,
    msg`This page will show a promoter the code and link to share, what they earned, and how to withdraw it.`,
  ],
  [
    paths.growth,
    msg`This page will show what referrals bring in: referred customers, their payments and the rewards owed.`,
  ],
  [
    paths.campaigns,
    msg`This page will hold the referral campaigns of this project, their events, rewards and promoters.`,
  ],
  [paths.referralPayouts, msg`This page will list the rewards promoters have asked to be paid, for you to approve.`],
]

/** Returns what a planned screen will hold. */
export function plannedText(pathname: string): string {
  const [, text = msg`This page has no content yet.`] = PLANNED.find(([path]) => path.matches(pathname)) ?? []
  return t(text)
}
