import type { PayoutConfig } from '@kassa/contract/payout-policy/schemas.ts'
import type { PayoutBalance } from '@kassa/contract/withdrawals/schemas.ts'
import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'

import { payoutMetricsQuery, payoutQuoteQuery, payoutRulesQuery, type QuotedRows } from '../../../api/payouts.ts'
import { unaskedUpTo } from '../../../labels/policy-labels.ts'
import { useDebounced } from '../../../lib/forms/useDebounced.ts'
import { assetAmount, usd } from '../../../lib/text/format.ts'
import { KeyValue, type KeyValueRow } from '../../../ui/facts/KeyValue.tsx'
import { isAmount, isMore, minus } from './amounts.ts'
import { QuoteFacts } from './QuoteFacts.tsx'

export type WhatHappensProps = {
  readonly projectId: string
  readonly recipientID: number
  readonly amount: string
  readonly balance: PayoutBalance
}

/**
 * What the policy, the network and the hot wallet mean for a payout before it is requested: the server's answer once the amount
 * stands still, and until then the rules themselves.
 */
export function WhatHappens({ projectId, recipientID, amount: typed, balance }: WhatHappensProps) {
  const amount = typed.trim()
  const isReady = useDebounced(amount) && isAmount(amount) && /[1-9]/.test(amount)
  const rows: QuotedRows = isReady ? [{ recipientID, currencyCode: balance.currencyCode, amount }] : []
  const quote = useQuery(payoutQuoteQuery(projectId, rows))
  const isShown = isReady && (quote.data !== undefined || quote.error !== null)
  return (
    <section
      aria-label={t`What happens`}
      aria-busy={isReady && quote.isFetching}
      className="rounded-card border border-border bg-sunken px-4 py-2"
    >
      {isShown ? (
        <QuoteFacts quote={quote} />
      ) : (
        <RuleFacts projectId={projectId} amount={amount} balance={balance} isAsking={isReady} />
      )}
    </section>
  )
}

type RuleFactsProps = Pick<WhatHappensProps, 'projectId' | 'amount' | 'balance'> & { readonly isAsking: boolean }

/** The rules, the limit of the day and the float, before the server has been asked about an amount. */
function RuleFacts({ projectId, amount, balance, isAsking }: RuleFactsProps) {
  const { data: rules } = useQuery(payoutRulesQuery(projectId))
  const { data: metrics } = useQuery(payoutMetricsQuery(projectId))
  const limits = metrics?.limits
  const rows: KeyValueRow[] = [
    ...(rules ? [{ label: t`Policy`, value: policyText(rules.payoutConfig) }] : []),
    ...(limits ? [{ label: t`Today`, value: t`${usd(limits.dayUsed)} of ${usd(limits.dayLimit)}` }] : []),
    { label: t`From`, value: floatText(amount, balance) },
    ...(isAsking ? [{ label: t`Network fee`, value: t`Estimating…` }] : []),
  ]
  return <KeyValue rows={rows} />
}

/** Returns how many approvals a payout needs, as far as the screen knows: the server decides by the current price. */
export function policyText(config: PayoutConfig): string {
  if (config.paused || config.installPausedAt !== null) return t`Sending is paused: the payout will wait.`
  const limit = unaskedUpTo(config)
  const needed = neededAbove(limit, config)
  const people = approvals(needed)
  const others = config.fourEyesInForce ? t`${people}, not yours` : people
  const auto = usd(limit)
  const first = /[1-9]/.test(limit)
    ? t`Up to ${auto} needs no approval; above, ${others}`
    : t`Every payout needs ${others}`
  return [first, ...stepTexts(config, needed)].join('; ')
}

/** How many approvals an amount needs that is just above a limit: a step that begins there may ask for more than the others need. */
function neededAbove(limit: string, { quorum, quorumRules }: PayoutConfig): number {
  const reached = quorumRules.filter(({ aboveUSD }) => Number(aboveUSD) <= Number(limit))
  return Math.max(quorum, ...reached.map((step) => step.approvals))
}

function approvals(count: number): string {
  return plural(count, { one: '# approval', other: '# approvals' })
}

/** Amounts above which more approvals are needed, as on the page of the policy. */
function stepTexts({ quorumRules }: PayoutConfig, needed: number): string[] {
  return quorumRules
    .filter((step) => step.approvals > needed)
    .toSorted((one, other) => Number(one.aboveUSD) - Number(other.aboveUSD))
    .map((step) => {
      const [amount, people] = [usd(step.aboveUSD), approvals(step.approvals)]
      return t`over ${amount}, ${people}`
    })
}

function floatText(amount: string, { available, currencyCode }: PayoutBalance): string {
  const free = assetAmount(available, currencyCode)
  if (!isAmount(amount)) return t`Hot wallet, ${free} free`
  if (isMore(amount, available)) return t`Only ${free} is available; the payout will wait.`
  const rest = assetAmount(minus(available, amount), currencyCode)
  return t`Hot wallet, ${free} free; after it ${rest}`
}
