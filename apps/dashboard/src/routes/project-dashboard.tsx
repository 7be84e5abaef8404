import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { Suspense, useState } from 'react'

import { meQuery, useCan } from '../api/me.ts'
import { paymentSummaryQuery } from '../api/payments.ts'
import { projectsQuery } from '../api/projects.ts'
import { Analytics } from '../features/analytics/Analytics.tsx'
import { DashboardFilters } from '../features/analytics/filters/DashboardFilters.tsx'
import { GuideLoading } from '../features/setup-guide/GuideLoading.tsx'
import { useGuide } from '../features/setup-guide/useGuide.ts'
import type { Guide } from '../features/setup-guide/useGuide.ts'
import { AttentionCard } from '../features/system/attention/AttentionCard.tsx'
import { paths } from '../lib/paths.ts'
import { useCurrentProject } from '../lib/navigation/current-project.ts'
import { Button } from '../ui/actions/Button.tsx'
import { lazyLayer, lazyPart } from '../ui/overlays/lazy-load.ts'
import { LinkButton } from '../ui/actions/LinkButton.tsx'
import { PageHead } from '../ui/places/PageHead.tsx'
import { OpenPayment } from './open-payment.tsx'

const AddProjectDialog = lazyLayer(async () => ({
  default: (await import('../features/projects/AddProjectDialog.tsx')).AddProjectDialog,
}))
const FirstProject = lazyPart(async () => ({
  default: (await import('../features/setup-guide/FirstProject.tsx')).FirstProject,
}))
const SetupGuide = lazyPart(async () => ({
  default: (await import('../features/setup-guide/SetupGuide.tsx')).SetupGuide,
}))

export function ProjectDashboardRoute() {
  const { id: projectId } = useCurrentProject()
  const { data: projects } = useQuery(projectsQuery)
  const guide = useGuide(projectId)
  const { summary, isLoading, isUnreadable } = useSummary(projectId)
  if (projects?.length === 0) return <NewInstall />
  // While the guide is shown and there is no payment yet, there is nothing to sum up.
  const hasNone = summary === undefined ? !isUnreadable : summary.totalCount === 0
  const isNew = guide.isGuiding && !isLoading && hasNone
  // Until a link can be made, the guide's next step is all there is to do.
  const isReady = guide.progress.steps?.every(({ isDone, isNeeded }) => isDone || !isNeeded) === true
  const mayCharge = !guide.isGuiding || isReady || !hasNone
  // Once money comes in, what it does goes before what is left to set up.
  const isGuideLast = guide.isGuiding && summary !== undefined && summary.closedCount > 0
  return (
    <>
      <PageHead
        title={t`Dashboard`}
        primary={mayCharge && <CreateLinkButton projectId={projectId} isLoud={!guide.isGuiding} />}
      />
      {!isNew && <DashboardFilters />}
      <div className="flex flex-col gap-5">
        {!isNew && <AttentionCard projectId={projectId} />}
        {!isGuideLast && <Guidance projectId={projectId} guide={guide} isNew={isNew} />}
        {!isNew && <Analytics projectId={projectId} />}
        {isGuideLast && <Guidance projectId={projectId} guide={guide} isNew={isNew} />}
        <GuideAgain guide={guide} />
      </div>
      <OpenPayment projectId={projectId} />
    </>
  )
}

/** How many payments were ever asked for and paid: whether this is a first day. Nothing for those who may not read them. */
function useSummary(projectId: string) {
  const can = useCan()
  const { data: me } = useQuery(meQuery)
  const { data, isLoading, isError } = useQuery({
    ...paymentSummaryQuery(projectId),
    enabled: can('payment:read', projectId),
  })
  const mayRead = me === undefined || can('payment:read', projectId)
  return { summary: data, isLoading: isLoading || me === undefined, isUnreadable: isError || !mayRead }
}

/** Where payments were made already, room is not kept for a guide that may have nothing left to say. */
function Guidance({ projectId, guide, isNew }: { projectId: string; guide: Guide; isNew: boolean }) {
  if (!guide.isOpen || (!isNew && guide.progress.steps === undefined)) return null
  const hide = () => {
    guide.hide()
    // The pressed button was removed; the page’s heading takes the focus.
    document.querySelector('h1')?.focus()
  }
  return (
    <Suspense fallback={isNew ? <GuideLoading /> : null}>
      <SetupGuide projectId={projectId} progress={guide.progress} onHide={hide} />
    </Suspense>
  )
}

function GuideAgain({ guide }: { guide: Guide }) {
  if (!guide.isHidden) return null
  return (
    <div>
      <Button kind="quiet" size="small" onClick={guide.show}>
        <Trans>Show the setup guide</Trans>
      </Button>
    </div>
  )
}

/** While the guide leads, its next step is the loud press of the page. */
function CreateLinkButton({ projectId, isLoud }: { projectId: string; isLoud: boolean }) {
  const can = useCan()
  if (!can('payment:create', projectId)) return null
  return (
    <LinkButton
      kind={isLoud ? 'primary' : 'secondary'}
      icon={<Plus aria-hidden strokeWidth={2} />}
      href={paths.createPayment({ projectId })}
    >
      <Trans>Create payment link</Trans>
    </LinkButton>
  )
}

function NewInstall() {
  const can = useCan()
  const [isAdding, setIsAdding] = useState(false)
  return (
    <>
      <PageHead title={t`Dashboard`} />
      <Suspense fallback={<GuideLoading />}>
        <FirstProject onAdd={can('project:create') ? () => setIsAdding(true) : undefined} />
      </Suspense>
      <Suspense>{isAdding && <AddProjectDialog onClose={() => setIsAdding(false)} />}</Suspense>
    </>
  )
}
