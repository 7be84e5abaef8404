import type { DryRun } from '@kassa/contract/payout-policy/schemas.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { dryRunQuery, type PayoutDraft } from '../../api/payout-policy.ts'
import { asRequestError } from '../../api/request-error.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { Address } from '../../ui/facts/Address.tsx'
import { LoadingText, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import type { Column } from '../../ui/list/columns.ts'
import { Card } from '../../ui/places/Card.tsx'
import { EmptyState } from '../../ui/places/EmptyState.tsx'
import { ErrorState } from '../../ui/places/ErrorState.tsx'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { TimeAgo } from '../../ui/time/TimeAgo.tsx'

/** Longer than between two keys while typing. */
const SETTLED_MS = 400

const DAYS = 90

/** What the draft would have decided of the payouts of the last days; without a draft that can be read, the last one. */
export function DryRunPanel({ projectId, draft }: { projectId: string; draft: PayoutDraft | undefined }) {
  const settled = useSettled(draft)
  const { data, error, refetch } = useQuery(dryRunQuery(projectId, { ...settled, days: DAYS }))
  const [isOpen, setOpen] = useState(false)
  return (
    <Card
      title={t`Dry run`}
      text={t`What these rules would have decided in the last 90 days. Nothing is changed by looking.`}
      actions={
        data !== undefined &&
        data.samples.length > 0 && (
          <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? <Trans>Hide them</Trans> : <Trans>See them</Trans>}
          </Button>
        )
      }
    >
      {data === undefined && error !== null && (
        <ErrorState
          title={t`The rules couldn’t be tried`}
          error={asRequestError(error)}
          onRetry={() => void refetch()}
        />
      )}
      {data === undefined && error === null && (
        <>
          <Skeleton width="60%" />
          <LoadingText text={t`Trying the rules`} />
        </>
      )}
      {data !== undefined && (
        <div className="flex flex-col gap-4">
          <p role="status" className="text-body">
            {data.payouts === 0 ? t`No payouts in 90 days to try it on.` : outcomeText(data)}
          </p>
          {isOpen && data.samples.length > 0 && <Samples run={data} />}
        </div>
      )}
    </Card>
  )
}

/** The newest draft after a moment without changes. */
function useSettled(draft: PayoutDraft | undefined): PayoutDraft {
  const [settled, setSettled] = useState<PayoutDraft>({})
  const text = draft === undefined ? undefined : JSON.stringify(draft)
  useEffect(() => {
    if (text === undefined) return undefined
    const timer = setTimeout(() => setSettled(JSON.parse(text) as PayoutDraft), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

function outcomeText({ payouts, newlyBlocked, needMoreApprovals, lessStrict }: DryRun): string {
  return [
    plural(payouts, { one: '# payout', other: '# payouts' }),
    plural(newlyBlocked, { one: '# would have been blocked', other: '# would have been blocked' }),
    plural(needMoreApprovals, { one: '# needs more approvals', other: '# need more approvals' }),
    plural(lessStrict, { one: '# would need fewer approvals', other: '# would need fewer approvals' }),
  ].join(' · ')
}

type Sample = DryRun['samples'][number]

function Samples({ run }: { run: DryRun }) {
  const columns: Column<Sample>[] = [
    { key: 'time', label: t`Time`, card: 'line', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
    {
      key: 'amount',
      label: t`Amount`,
      card: 'title',
      align: 'end',
      cell: ({ amountInUSD }) => (amountInUSD === null ? t`No price` : `$${amountInUSD}`),
    },
    { key: 'address', label: t`Address`, card: 'line', cell: ({ address }) => <Address value={address} /> },
    { key: 'now', label: t`In force`, card: 'line', cardLabel: true, cell: ({ inForce }) => decisionText(inForce) },
    {
      key: 'draft',
      label: t`With these rules`,
      card: 'line',
      cardLabel: true,
      cell: ({ draft }) => decisionText(draft),
    },
  ]
  return (
    <DataTable
      caption={t`Payouts that would have been decided otherwise`}
      columns={columns}
      rows={run.samples}
      rowKey={({ withdrawalID }) => String(withdrawalID)}
      rowName={({ withdrawalID }) => t`Payout ${withdrawalID}`}
      empty={<EmptyState title={t`None`} text={t`Every payout is decided as before.`} />}
    />
  )
}

function decisionText({ outcome, approvals }: Sample['draft']): string {
  if (outcome === 'auto') return t`No approval`
  if (outcome === 'block') return t`Blocked`
  return plural(approvals, { one: '# approval', other: '# approvals' })
}
