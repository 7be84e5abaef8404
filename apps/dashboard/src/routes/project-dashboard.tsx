import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'

import { useCan } from '../api/me.ts'
import { projectsQuery } from '../api/projects.ts'
import { RecentPayments } from '../features/payments/RecentPayments.tsx'
import { FirstProject } from '../features/setup-guide/FirstProject.tsx'
import { GuideLoading } from '../features/setup-guide/GuideLoading.tsx'
import { useGuide } from '../features/setup-guide/useGuide.ts'
import { useCurrentProject } from '../lib/current-project.ts'
import { Button } from '../ui/Button.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { PageHead } from '../ui/PageHead.tsx'
import { OpenPayment } from './open-payment.tsx'

const AddProjectDialog = lazy(async () => ({
  default: (await import('../features/projects/AddProjectDialog.tsx')).AddProjectDialog,
}))
const SetupGuide = lazy(async () => ({ default: (await import('../features/setup-guide/SetupGuide.tsx')).SetupGuide }))

export function ProjectDashboardRoute() {
  const { id: projectId } = useCurrentProject()
  const { data: projects } = useQuery(projectsQuery)
  const guide = useGuide(projectId)
  if (projects?.length === 0) return <NewInstall />
  return (
    <>
      <PageHead title={t`Dashboard`} primary={<CreateLinkButton projectId={projectId} isLoud={!guide.isGuiding} />} />
      <div className="flex flex-col gap-6">
        {guide.isOpen && (
          <Suspense fallback={<GuideLoading />}>
            <SetupGuide projectId={projectId} progress={guide.progress} onHide={guide.hide} />
          </Suspense>
        )}
        <RecentPayments projectId={projectId} quiet={guide.isGuiding} />
        {guide.isHidden && (
          <div>
            <Button kind="quiet" size="small" onClick={guide.show}>
              <Trans>Show the setup guide</Trans>
            </Button>
          </div>
        )}
      </div>
      <OpenPayment projectId={projectId} />
    </>
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
      href={`/project/${projectId}/payments/createPaymentLink`}
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
      <FirstProject onAdd={can('project:create') ? () => setIsAdding(true) : undefined} />
      <Suspense>{isAdding && <AddProjectDialog onClose={() => setIsAdding(false)} />}</Suspense>
    </>
  )
}
