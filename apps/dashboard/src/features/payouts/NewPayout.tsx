import type { Recipient } from '@kassa/contract/recipients/schemas.ts'
import type { Withdrawal } from '@kassa/contract/withdrawals/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'

import { useCan } from '../../api/me.ts'
import { payableRecipientsQuery, payoutBalancesQuery } from '../../api/payouts.ts'
import { projectsQuery } from '../../api/projects.ts'
import { asRequestError } from '../../api/request-error.ts'
import { networkName } from '../../labels/networks/network-name.ts'
import { useForm } from '../../lib/forms/form.ts'
import { ALL_PROJECTS } from '../../lib/navigation/current-project.ts'
import { useSearchState } from '../../lib/navigation/search.ts'
import { paths } from '../../lib/paths.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { TextLink } from '../../ui/actions/TextLink.tsx'
import { Select } from '../../ui/fields/Select.tsx'
import { TextArea } from '../../ui/fields/TextArea.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { LoadingText, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { LeaveGuard } from '../../ui/forms/LeaveGuard.tsx'
import { lazyPart } from '../../ui/overlays/lazy-load.ts'
import { Card } from '../../ui/places/Card.tsx'
import { EmptyState } from '../../ui/places/EmptyState.tsx'
import { ErrorState } from '../../ui/places/ErrorState.tsx'
import { PageActions } from '../../ui/places/PageActions.tsx'
import { PageHead } from '../../ui/places/PageHead.tsx'
import { availableText } from './create/available-text.ts'
import { valueInUsd } from './create/amounts.ts'
import { AmountValue } from './create/AmountValue.tsx'
import { CreatedPayout } from './create/CreatedPayout.tsx'
import { emptyText, recipientOption } from './create/payout-options.ts'
import { amountProblem, type Draft, recipientProblem, toRequest } from './create/new-payout.ts'
import { ReviewDialog } from './create/ReviewDialog.tsx'
import { WhatHappens } from './create/WhatHappens.tsx'

const PayoutList = lazyPart(async () => ({ default: (await import('./batch/PayoutList.tsx')).PayoutList }))

/** Sends money to a known recipient, or to many from a file; float and policy are shown before anything moves. */
export function NewPayout({ projectId }: { projectId: string }) {
  const [{ tabId }, setSearch] = useSearchState()
  const isMany = tabId === 'csv'
  return (
    <>
      <PageHead
        title={t`New payout`}
        text={t`To a saved recipient: its address was checked once and is never typed.`}
        aside={
          <Button onClick={() => setSearch({ tabId: isMany ? undefined : 'csv' })}>
            {isMany ? <Trans>One payout</Trans> : <Trans>Many from CSV</Trans>}
          </Button>
        }
      />
      {isMany ? <ManyPayouts projectId={projectId} /> : <OnePayout projectId={projectId} />}
    </>
  )
}

function ManyPayouts({ projectId }: { projectId: string }) {
  return (
    <div className="max-w-[960px]">
      <ProjectChoice projectId={projectId} />
      {projectId !== ALL_PROJECTS && (
        <Suspense fallback={<Loading />}>
          <PayoutList key={projectId} projectId={projectId} />
        </Suspense>
      )}
    </div>
  )
}

function OnePayout({ projectId }: { projectId: string }) {
  const [created, setCreated] = useState<Withdrawal>()
  return (
    <div className="max-w-[640px]">
      {created !== undefined ? (
        <CreatedPayout payout={created} onAgain={() => setCreated(undefined)} />
      ) : (
        <>
          <ProjectChoice projectId={projectId} />
          {projectId !== ALL_PROJECTS && <Loaded key={projectId} projectId={projectId} onCreated={setCreated} />}
        </>
      )}
    </div>
  )
}

function ProjectChoice({ projectId }: { projectId: string }) {
  const { data: projects } = useQuery(projectsQuery)
  const can = useCan()
  const [, setSearch] = useSearchState()
  const own = projects?.filter(({ id }) => can('payout:create', id)) ?? []
  return (
    <div className="mb-4">
      <Select
        label={t`Project`}
        value={projectId === ALL_PROJECTS ? '' : projectId}
        options={[
          { value: '', label: t`Choose a project` },
          ...own.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        onChange={(id) => setSearch({ projectId: id || undefined })}
      />
    </div>
  )
}

type FormProps = { readonly projectId: string; readonly onCreated: (payout: Withdrawal) => void }

function Loaded(props: FormProps) {
  const { data, error, refetch } = useQuery(payableRecipientsQuery(props.projectId))
  if (data === undefined && error !== null) {
    return (
      <ErrorState
        title={t`Recipients couldn’t be loaded`}
        error={asRequestError(error)}
        onRetry={() => void refetch()}
      />
    )
  }
  if (data === undefined) return <Loading />
  if (data.length === 0) {
    return (
      <EmptyState
        title={t`No recipients yet`}
        text={t`Save who you pay first, so an address is typed once.`}
        action={
          <TextLink href={paths.recipients({ projectId: props.projectId })}>
            <Trans>Add recipient</Trans>
          </TextLink>
        }
      />
    )
  }
  return <PayoutForm {...props} recipients={data} />
}

function Loading() {
  return (
    <div className="flex flex-col gap-4">
      <Skeleton height={64} />
      <Skeleton height={64} />
      <Skeleton height={120} />
      <LoadingText text={t`Loading recipients`} />
    </div>
  )
}

function PayoutForm({ projectId, recipients, onCreated }: FormProps & { recipients: readonly Recipient[] }) {
  const [review, setReview] = useState<Draft>()
  const { data: known, error, refetch } = useQuery(payoutBalancesQuery(projectId))
  const balances = known ?? []
  const [{ currency: wanted = '', amount = '' }] = useSearchState()
  const initial = { recipientID: '', currencyCode: wanted, amount, note: '' }
  const form = useForm({
    initial,
    validate: (values) => ({
      ...(values.recipientID === '' && { recipientID: t`Choose a recipient` }),
      ...amountProblem(values.amount),
    }),
    submit: async (values) => {
      const recipient = recipients.find(({ id }) => String(id) === values.recipientID)
      const problem = recipient && recipientProblem(recipient)
      if (recipient === undefined || problem !== undefined) return { recipientID: problem ?? t`Choose a recipient` }
      if (currency === '') return { currencyCode: t`Choose a currency` }
      const value = valueInUsd(values.amount, balance?.priceInUSD ?? null)
      const [sum, note] = [values.amount.trim(), values.note.trim()]
      setReview({ recipient, currencyCode: currency, amount: sum, value, note })
    },
  })
  const answer = known !== undefined ? 'known' : error === null ? 'loading' : 'failed'
  const chosen = recipients.find(({ id }) => String(id) === form.values.recipientID)
  const currencies = balances.filter(({ blockchainCode }) => blockchainCode === chosen?.blockchainCode)
  const asked = currencies.find(({ currencyCode }) => currencyCode === form.values.currencyCode)
  const currency = (asked ?? currencies[0])?.currencyCode ?? ''
  const balance = currencies.find((one) => one.currencyCode === currency)
  return (
    <Card>
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        <Select
          {...form.field('recipientID')}
          label={t`To`}
          isRequired
          options={[{ value: '', label: t`Choose a recipient` }, ...recipients.map(recipientOption)]}
          hint={
            <TextLink href={paths.recipients({ projectId })}>
              <Trans>Add recipient</Trans>
            </TextLink>
          }
        />
        <TextField
          {...form.field('amount')}
          label={t`Amount`}
          isRequired
          inputMode="decimal"
          hint={balance && availableText(balance)}
        />
        {balance !== undefined && (
          <AmountValue amount={form.values.amount} balance={balance} onMax={(amount) => form.set({ amount })} />
        )}
        <Select
          {...form.field('currencyCode')}
          label={t`Currency`}
          value={currency}
          options={
            currencies.length === 0
              ? [{ value: '', label: emptyText(chosen !== undefined, answer) }]
              : currencies.map(({ currencyCode }) => ({ value: currencyCode, label: currencyCode }))
          }
        />
        <TextArea {...form.field('note')} label={t`Note`} hint={t`Kept here; nobody outside sees it.`} rows={2} />
        {chosen !== undefined && balance !== undefined && (
          <WhatHappens projectId={projectId} recipientID={chosen.id} amount={form.values.amount} balance={balance} />
        )}
        {answer === 'failed' && (
          <ErrorState
            title={t`Currencies couldn’t be loaded`}
            error={asRequestError(error)}
            onRetry={() => void refetch()}
          />
        )}
        {chosen !== undefined && known !== undefined && currencies.length === 0 && (
          <Banner tone="warning">{t`Payouts on ${networkName(chosen.blockchainCode)} are not possible.`}</Banner>
        )}
        <PageActions
          primary={
            <Button kind="primary" type="submit" loading={form.sending}>
              <Trans>Review payout</Trans>
            </Button>
          }
        />
      </form>
      <LeaveGuard isDirty={form.values !== initial && form.values.amount !== '' && review === undefined} />
      {review !== undefined && (
        <ReviewDialog
          projectId={projectId}
          draft={review}
          request={toRequest(review)}
          onCreated={onCreated}
          onClose={() => setReview(undefined)}
        />
      )}
    </Card>
  )
}
