import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { Suspense, useState } from 'react'

import { useCan } from '../api/me.ts'
import { projectsQuery } from '../api/projects.ts'
import { RecentPayments } from '../features/payments/RecentPayments.tsx'
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
import { DashboardSummary, useRecentSummary } from './project-dashboard-summary.tsx'

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
  const recent = useRecentSummary(projectId)
  const { summary } = recent
  if (projects?.length === 0) return <NewInstall />
  // While the guide leads and nobody was asked to pay yet, there is nothing to sum up.
  const hasNone = summary === undefined ? recent.retry === undefined : summary.totalCount === 0
  const isNew = guide.isGuiding && !recent.isLoading && hasNone
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
      <div className="flex flex-col gap-6">
        {!isNew && <DashboardSummary projectId={projectId} recent={recent} />}
        {!isNew && <AttentionCard projectId={projectId} />}
        {!isGuideLast && <Guidance projectId={projectId} guide={guide} isNew={isNew} />}
        <RecentPayments projectId={projectId} quiet={isNew} />
        {isGuideLast && <Guidance projectId={projectId} guide={guide} isNew={isNew} />}
        <GuideAgain guide={guide} />
      </div>
      <OpenPayment projectId={projectId} />
    </>
  )
}

/** Where payments were made already, room is not kept for a guide that may have nothing left to say. */
function Guidance({ projectId, guide, isNew }: { projectId: string; guide: Guide; isNew: boolean }) {
  if (!guide.isOpen || (!isNew && guide.progress.steps === undefined)) return null
  const hide = () => {
    guide.hide()
    // The button that was pressed is gone; the page’s heading takes the focus.
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
