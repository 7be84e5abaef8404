import type { BalanceRow, SweepMetrics, SweepPlan } from '@kassa/contract/sweeps/schemas.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'

import { shortWait, sweepWait } from '../../../labels/sweep-labels.ts'
import { shortAddress, usd } from '../../../lib/text/format.ts'
import { listText } from '../../../lib/text/list-text.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { LoadingText, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { Card } from '../../../ui/places/Card.tsx'
import { type PlanSums, type Staying, sumPlans, sumStaying } from './plan-sums.ts'

export type PlanCardProps = {
  readonly rows: readonly BalanceRow[]
  readonly plans: readonly SweepPlan[]
  /** Absent while they load. */
  readonly metrics: SweepMetrics | undefined
  readonly isPlanning: boolean
  /** Why there is no price for a part of it. */
  readonly failure: string | undefined
  /** Absent for those who may only look. */
  readonly onSweep: (() => void) | undefined
}

/** What a sweep would move now, what it costs, and what stays behind with its reasons. */
export function PlanCard({ rows, plans, metrics, isPlanning, failure, onSweep }: PlanCardProps) {
  const ready = sumPlans(plans, rows)
  const staying = sumStaying(plans, rows)
  const isOff = isPlanning || ready.transactions === 0
  const reason = isPlanning ? t`The price is being worked out.` : (failure ?? t`Nothing is ready.`)
  return (
    <Card title={t`Plan`}>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <dl className="flex min-w-0 flex-1 basis-80 flex-col gap-2.5">
          <Line name={t`Ready`}>{isPlanning ? <Planning /> : <Ready sums={ready} />}</Line>
          {staying.addresses > 0 && (
            <Line name={t`Stays`}>
              <Stays staying={staying} />
            </Line>
          )}
          {metrics !== undefined && (
            <Line name={t`Moved`}>
              <Moved metrics={metrics} />
            </Line>
          )}
          {failure !== undefined && (
            <Line name={t`No price`}>
              <span className="text-danger-text">{failure}</span>
            </Line>
          )}
        </dl>
        {onSweep !== undefined && (
          <Button kind="primary" disabled={isOff} {...(isOff && { title: reason })} onClick={onSweep}>
            <Trans>Sweep what’s ready</Trans>
          </Button>
        )}
      </div>
    </Card>
  )
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-1 gap-x-4 sm:grid-cols-[80px_1fr]">
      <dt className="text-body text-muted">{name}</dt>
      <dd className="min-w-0 text-body tabular-nums">{children}</dd>
    </div>
  )
}

function Planning() {
  return (
    <>
      <Skeleton width={260} height={20} />
      <LoadingText text={t`Working out the price`} />
    </>
  )
}

function Ready({ sums }: { sums: PlanSums }) {
  const { addresses, value, fee, feePercent, transactions, ends } = sums
  if (transactions === 0) return <span className="text-muted">{t`Nothing is ready.`}</span>
  const parts = [
    plural(addresses, { one: '# address', other: '# addresses' }),
    ...(value === undefined ? [] : [usd(value)]),
    ...(fee === undefined ? [] : [gasText(fee, feePercent)]),
    plural(transactions, { one: '# transaction', other: '# transactions' }),
  ]
  const end = listText(ends.map((one) => (one.length > 30 ? shortAddress(one) : one)))
  return (
    <>
      <strong className="font-semibold">{parts.join(' · ')}</strong> <span className="text-muted">{t`to ${end}`}</span>
    </>
  )
}

/** What is on its way, and what arrived within a day. */
function Moved({ metrics: { activeSweep, sweptLast24h } }: { metrics: SweepMetrics }) {
  const { sweepsInProgress, amountInUSD } = activeSweep
  const arrived = t`${usd(sweptLast24h)} swept in 24 hours`
  if (sweepsInProgress === 0) return arrived
  const underWay = plural(sweepsInProgress, { one: '# sweep on its way', other: '# sweeps on their way' })
  return `${underWay}, ${usd(amountInUSD)} · ${arrived}`
}

function gasText(fee: string, percent: string | undefined): string {
  const gas = usd(fee)
  if (percent === undefined) return t`gas about ${gas}`
  const share = Number(percent) < 0.1 ? '<0.1' : percent
  return t`gas about ${gas} (${share}%)`
}

function Stays({ staying }: { staying: Staying }) {
  const { addresses, value, why } = staying
  const counted = plural(addresses, { one: '# address', other: '# addresses' })
  return (
    <>
      {value === undefined ? counted : `${counted} · ${usd(value)}`}
      {why.length > 0 && (
        <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-0.5 text-dense text-muted">
          {why.map(({ waits, addresses: of }) => (
            <li key={waits.code} title={sweepWait(waits)}>
              {shortWait(waits)} {of}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
