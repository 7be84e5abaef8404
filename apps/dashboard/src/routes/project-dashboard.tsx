import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'

import { useCan } from '../api/me.ts'
import { projectsQuery } from '../api/projects.ts'
import { RecentPayments } from '../features/payments/RecentPayments.tsx'
import { AddProjectDialog } from '../features/projects/AddProjectDialog.tsx'
import { FirstProject } from '../features/setup-guide/FirstProject.tsx'
import { ProjectSetup } from '../features/setup-guide/ProjectSetup.tsx'
import { ALL_PROJECTS, useCurrentProject } from '../lib/current-project.ts'
import { LinkButton } from '../ui/LinkButton.tsx'
import { PageHead } from '../ui/PageHead.tsx'
import { OpenPayment } from './payment-detail.tsx'

export function ProjectDashboardRoute() {
  const { id: projectId } = useCurrentProject()
  const { data: projects } = useQuery(projectsQuery)
  const can = useCan()
  const isEmpty = projects?.length === 0
  return (
    <>
      <PageHead
        title="Dashboard"
        actions={
          !isEmpty &&
          can('payment:create', projectId) && (
            <LinkButton
              kind="primary"
              icon={<Plus aria-hidden strokeWidth={2} />}
              href={`/project/${projectId}/payments/createPaymentLink`}
            >
              Create payment link
            </LinkButton>
          )
        }
      />
      <div className="flex flex-col gap-6">
        {isEmpty && <NewInstall />}
        {!isEmpty && projectId !== ALL_PROJECTS && (
          <ProjectSetup key={projectId} projectId={projectId}>
            {(isGuiding) => <RecentPayments projectId={projectId} quiet={isGuiding} />}
          </ProjectSetup>
        )}
        {!isEmpty && projectId === ALL_PROJECTS && <RecentPayments projectId={projectId} quiet={false} />}
      </div>
      <OpenPayment projectId={projectId} />
    </>
  )
}

function NewInstall() {
  const can = useCan()
  const [isAdding, setIsAdding] = useState(false)
  return (
    <>
      <FirstProject onAdd={can('project:create') ? () => setIsAdding(true) : undefined} />
      {isAdding && <AddProjectDialog onClose={() => setIsAdding(false)} />}
    </>
  )
}
