import type { Campaign } from '@kassa/contract/referral/schemas.ts'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { campaignQuery, referralEventsQuery, rewardCurrenciesQuery, useGrowthChanges } from '../../api/growth.ts'
import { asRequestError } from '../../api/request-error.ts'
import { ALL_PROJECTS } from '../../lib/navigation/current-project.ts'
import { useSearchState } from '../../lib/navigation/search.ts'
import { LoadingText, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { LeaveGuard } from '../../ui/forms/LeaveGuard.tsx'
import { Card } from '../../ui/places/Card.tsx'
import { EmptyState } from '../../ui/places/EmptyState.tsx'
import { ErrorState } from '../../ui/places/ErrorState.tsx'
import { PageHead } from '../../ui/places/PageHead.tsx'
import { type Draft, fromCampaign, storedDraft, NEW_DRAFT, reviewedFields, toRequest } from './wizard/draft.ts'
import { EditRunning } from './wizard/EditRunning.tsx'
import { WizardForm } from './wizard/WizardForm.tsx'

/** Starts a campaign, from nothing or from the copy of another. */
export function NewCampaign({ projectId }: { projectId: string }) {
  const [search] = useSearchState()
  const from = Number(search.from)
  const isCopy = Number.isInteger(from) && from > 0
  const copied = useQuery({ ...campaignQuery(projectId, from), enabled: isCopy, refetchInterval: false })
  return (
    <>
      <PageHead title={t`New campaign`} text={t`In five steps; nothing starts before the last press.`} />
      {projectId === ALL_PROJECTS ? (
        <Card flush>
          <EmptyState
            title={t`Choose one project`}
            text={t`A campaign belongs to a project: choose it above the menu.`}
          />
        </Card>
      ) : isCopy && copied.data === undefined ? (
        <Waiting error={copied.error} onRetry={() => void copied.refetch()} />
      ) : (
        <NewForm key={projectId} projectId={projectId} copied={copied.data} />
      )}
    </>
  )
}

function NewForm({ projectId, copied }: { projectId: string; copied: Campaign | undefined }) {
  const { createCampaign } = useGrowthChanges(projectId)
  const choices = useChoices(projectId)
  const [stored] = useState(() => (copied === undefined ? storedDraft(projectId) : undefined))
  const [initial] = useState(() => stored ?? (copied === undefined ? NEW_DRAFT : copyOf(copied)))
  if (choices.data === undefined) return <Waiting error={choices.error} onRetry={choices.retry} />
  return (
    <WizardForm
      projectId={projectId}
      initial={initial}
      {...choices.data}
      finish={t`Start campaign`}
      done={t`Campaign started`}
      onFinish={(draft) => createCampaign(toRequest(draft))}
      isStored
      isResumed={stored !== undefined}
    />
  )
}

/** A copy has a name of its own and no dates: those of the original may be over. */
function copyOf(campaign: Campaign): Draft {
  const { name } = campaign
  return { ...fromCampaign(campaign), name: t`Copy of ${name}`, startDate: '', endDate: '' }
}

/** Changes a campaign; of one that has begun some fields only. */
export function EditCampaign({ projectId, id }: { projectId: string; id: number }) {
  const campaign = useQuery({ ...campaignQuery(projectId, id), refetchInterval: false })
  const choices = useChoices(projectId)
  const title = campaign.data === undefined ? t`Edit campaign` : t`Edit ${campaign.data.name}`
  const error = campaign.error ?? choices.error
  const retry = () => {
    void campaign.refetch()
    choices.retry()
  }
  return (
    <>
      <PageHead title={title} />
      {campaign.data === undefined || choices.data === undefined ? (
        <Waiting error={error} onRetry={retry} />
      ) : campaign.data.started ? (
        <EditRunning campaign={campaign.data} {...choices.data} />
      ) : (
        <EditForm campaign={campaign.data} {...choices.data} />
      )}
    </>
  )
}

type Choices = NonNullable<ReturnType<typeof useChoices>['data']>

function EditForm({ campaign, events, currencies }: Choices & { campaign: Campaign }) {
  const projectId = String(campaign.externalPlatformID)
  const { changeCampaign } = useGrowthChanges(projectId)
  const [initial] = useState(() => fromCampaign(campaign))
  const [isSaved, setSaved] = useState(false)
  return (
    <>
      <WizardForm
        projectId={projectId}
        initial={initial}
        events={events}
        currencies={currencies}
        finish={t`Save campaign`}
        done={t`Campaign saved`}
        onFinish={async (draft) => {
          const saved = await changeCampaign(campaign.id, toRequest(draft, reviewedFields(initial, draft)))
          setSaved(true)
          return saved
        }}
      />
      <LeaveGuard isDirty={!isSaved} />
    </>
  )
}

/** What the steps choose from. */
function useChoices(projectId: string) {
  const events = useQuery({ ...referralEventsQuery(projectId), enabled: projectId !== ALL_PROJECTS })
  const currencies = useQuery(rewardCurrenciesQuery)
  return {
    data:
      events.data && currencies.data
        ? { events: events.data, currencies: currencies.data.map(({ code }) => code) }
        : undefined,
    error: events.error ?? currencies.error,
    retry: () => {
      void events.refetch()
      void currencies.refetch()
    },
  }
}

function Waiting({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  return (
    <Card flush>
      {error === null ? (
        <div className="flex flex-col gap-4 p-5">
          <Skeleton width="40%" height={20} />
          <Skeleton height={36} />
          <Skeleton height={36} />
          <LoadingText text={t`Loading the campaign`} />
        </div>
      ) : (
        <ErrorState title={t`The campaign couldn’t be loaded`} error={asRequestError(error)} onRetry={onRetry} />
      )}
    </Card>
  )
}
