import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'

/** What each screen that does not exist yet will hold, by its lower-cased path without the project or the token. */
const PLANNED: Readonly<Record<string, MessageDescriptor>> = {
  referral: msg`This page will show a promoter the code and link to share, what they earned, and how to withdraw it.`,
  'growth/analytics': msg`This page will show what referrals bring in: referred customers, their payments and the rewards owed.`,
  'growth/campaigns': msg`This page will hold the referral campaigns of this project, their events, rewards and promoters.`,
  'managewallet/hot-wallet': msg`This page will hold the wallets that pay gas and payouts, with their balances and float limits.`,
  'managewallet/sweepcontract/deploy': msg`This page will walk through deploying the contract that sweeps deposits to your cold wallet.`,
  sweepin: msg`This page will move confirmed deposits to your cold wallet and keep the history of every sweep.`,
  'withdraw/referral-payouts': msg`This page will list the rewards promoters have asked to be paid, for you to approve.`,
  'withdraw/payouts': msg`This page will hold the payouts of your projects, from request to confirmation on chain.`,
  'withdraw/approvals': msg`This page will gather the payouts that wait for your approval.`,
  'withdraw/recipients': msg`This page will be the address book of verified recipients for payouts.`,
}

/** Returns what a planned screen will hold. */
export function plannedText(pathname: string): string {
  const path = pathname
    .toLowerCase()
    .replace(/^\/project\/[^/]+\//, '')
    .replace(/^\/referral\/.*/, 'referral')
    .replace(/^\/|\/$/g, '')
  return t(PLANNED[path] ?? msg`This page has no content yet.`)
}
