import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'

import { asApiError } from '../../api/api-error.ts'
import { meQuery, useCan } from '../../api/me.ts'
import { projectQuery } from '../../api/projects.ts'
import { Card } from '../../ui/Card.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { LoadingText, Skeleton } from '../../ui/Skeleton.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { ArchiveTab } from './ArchiveTab.tsx'
import { ProjectFacts } from './ProjectFacts.tsx'
import { ProjectForm } from './ProjectForm.tsx'

const PaymentPolicyTab = lazy(async () => {
  const part = await import('./PaymentPolicyTab.tsx')
  return { default: part.PaymentPolicyTab }
})

const TABS = [
  { id: 'projectDetails', label: 'Project details' },
  { id: 'checkout', label: 'Payment policy' },
] as const

/** Only for those who may archive. */
const DANGER = { id: 'danger', label: 'Archive' } as const

/** The settings of one project; the heading is its name. */
export function ProjectSettings({ projectId }: { projectId: string }) {
  const { data: project } = useQuery(projectQuery(projectId))
  const mayArchive = useCan()('project:archive', projectId)
  const tabs = mayArchive ? ([...TABS, DANGER] as const) : TABS
  return (
    <>
      <PageHead title={project?.name ?? 'Project settings'} />
      <Tabs label="Project settings" tabs={tabs} param="tab">
        {(tab) =>
          tab === 'checkout' ? (
            <Suspense fallback={<Loading />}>
              <PaymentPolicyTab projectId={projectId} />
            </Suspense>
          ) : tab === 'danger' ? (
            <ArchiveTab projectId={projectId} />
          ) : (
            <ProjectDetails projectId={projectId} />
          )
        }
      </Tabs>
    </>
  )
}

function ProjectDetails({ projectId }: { projectId: string }) {
  const { data: project, error, refetch } = useQuery(projectQuery(projectId))
  const { data: me } = useQuery(meQuery)
  const can = useCan()
  const isReady = project !== undefined && me !== undefined
  return (
    <>
      {project === undefined && error !== null && (
        <Card flush>
          <ErrorState title="The project couldn’t be loaded" error={asApiError(error)} onRetry={() => void refetch()} />
        </Card>
      )}
      {!isReady && error === null && <Loading />}
      {isReady &&
        (can('project:update', project.id) ? (
          <ProjectForm key={project.id} project={project} />
        ) : (
          <ProjectFacts project={project} />
        ))}
    </>
  )
}

function Loading() {
  return (
    <Card>
      <div className="grid gap-5 md:grid-cols-2">
        {[0, 1, 2, 3].map((field) => (
          <div key={field} className="flex flex-col gap-2">
            <Skeleton width={96} />
            <Skeleton height={36} />
          </div>
        ))}
        <LoadingText text="Loading the project" />
      </div>
    </Card>
  )
}
