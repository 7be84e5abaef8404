import type { PayoutConfig } from '@kassa/contract/payout-policy/schemas.ts'
import { plural, t } from '@lingui/core/macro'

import { unaskedUpTo } from '../../labels/policy-labels.ts'
import { usd } from '../../lib/text/format.ts'
import { addressesOf, type PolicyValues } from './policy-values.ts'

type Facts = Pick<PayoutConfig, 'paused' | 'approvers'>

/** What the policy means, rule by rule in the order in which they are asked. */
export function policySentences(values: PolicyValues, { paused, approvers }: Facts): string[] {
  const { hourlyLimitInUSD: hourly, dailyLimitInUSD: daily } = values
  const auto = unaskedUpTo(values)
  const hours = Number(values.recipientDelayHours)
  const listed = addressesOf(values.allowList).length
  return [
    ...(paused ? [t`Sending is paused: nothing leaves.`] : []),
    listed === 0
      ? t`Any address may be paid, except our own, contracts of tokens and blocked ones.`
      : plural(listed, {
          one: 'Only # address may be paid: everything else is refused.',
          other: 'Only # addresses may be paid: everything else is refused.',
        }),
    hours > 0
      ? plural(hours, {
          one: 'An address that is known for less than # hour waits.',
          other: 'An address that is known for less than # hours waits.',
        })
      : t`A new address can be paid at once.`,
    Number(auto) > 0
      ? t`Up to ${dollars(auto)} each: no approval, while hour and day stay within their limits.`
      : t`Nothing leaves without an approval.`,
    t`Over ${dollars(hourly)} within an hour or ${dollars(daily)} within 24 hours: needs approval, however small.`,
    ...approvalSentences(values),
    eyesSentence(values, approvers),
  ]
}

function approvalSentences({ quorum, quorumRules }: PolicyValues): string[] {
  const needed = Number(quorum)
  const first = plural(needed, { one: 'Otherwise # person approves.', other: 'Otherwise # people approve.' })
  const steps = quorumRules
    .filter(({ approvals }) => Number(approvals) > needed)
    .map(({ aboveUSD, approvals }) => {
      const people = plural(Number(approvals), { one: '# person approves', other: '# people approve' })
      return t`Over ${dollars(aboveUSD)}: ${people}.`
    })
  return [first, ...steps]
}

function eyesSentence({ fourEyes, quorum }: PolicyValues, approvers: number): string {
  if (fourEyes === 'always') return t`Never the one who requested the payout.`
  if (fourEyes === 'off') return t`The member who requested a payout may approve it, too.`
  return approvers > Number(quorum)
    ? t`Never the one who requested the payout, while another member can approve.`
    : t`The member who requested a payout may approve it: there is nobody else yet.`
}

/** An unfinished amount is shown as typed. */
function dollars(text: string): string {
  return /^\d+(\.\d+)?$/.test(text) ? usd(text) : `$${text}`
}
