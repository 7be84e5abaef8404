import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'

import { payoutConfigQuery } from '../../api/payout-policy.ts'
import { projectsQuery } from '../../api/projects.ts'
import { asRequestError } from '../../api/request-error.ts'
import { lastProject, useCurrentProject } from '../../lib/navigation/current-project.ts'
import { useSearchState } from '../../lib/navigation/search.ts'
import { LoadingText, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { Select } from '../../ui/fields/Select.tsx'
import { Card } from '../../ui/places/Card.tsx'
import { EmptyState } from '../../ui/places/EmptyState.tsx'
import { ErrorState } from '../../ui/places/ErrorState.tsx'
import { PageHead } from '../../ui/places/PageHead.tsx'
import { PauseButton, PauseInstallButton } from './PauseButton.tsx'
import { PolicyForm } from './PolicyForm.tsx'

/** When money may leave a project, and how many people must agree: tried on the past before it bites. */
export function PayoutPolicy() {
  const { data: projects, error, refetch } = useQuery(projectsQuery)
  const { id } = useCurrentProject()
  const [, setSearch] = useSearchState()
  const wanted = [id, lastProject()]
  const project =
    wanted.map((one) => projects?.find((known) => String(known.id) === one)).find(Boolean) ?? projects?.[0]
  const projectId = project === undefined ? undefined : String(project.id)
  return (
    <>
      <PageHead
        title={t`Payout policy`}
        text={t`When money may leave, and how many people must agree. It holds for everybody, API keys included.`}
        actions={
          projectId !== undefined && (
            <>
              <PauseButton projectId={projectId} />
              <PauseInstallButton projectId={projectId} />
            </>
          )
        }
      />
      <div className="flex flex-col gap-4">
        {projects !== undefined && projects.length > 1 && projectId !== undefined && (
          <div className="max-w-80">
            <Select
              label={t`Project`}
              value={projectId}
              options={projects.map((one) => ({ value: String(one.id), label: one.name }))}
              onChange={(next) => setSearch({ projectId: next })}
            />
          </div>
        )}
        {projects === undefined && error !== null && (
          <Card flush>
            <ErrorState
              title={t`The projects couldn’t be loaded`}
              error={asRequestError(error)}
              onRetry={() => void refetch()}
            />
          </Card>
        )}
        {projects?.length === 0 && (
          <Card flush>
            <EmptyState
              title={t`No project yet`}
              text={t`Add one from the project menu; then choose here when its money may leave.`}
            />
          </Card>
        )}
        {projectId !== undefined && <PolicyOfProject key={projectId} projectId={projectId} />}
      </div>
    </>
  )
}

function PolicyOfProject({ projectId }: { projectId: string }) {
  const { data: config, error, refetch } = useQuery(payoutConfigQuery(projectId))
  if (config === undefined && error !== null) {
    return (
      <Card flush>
        <ErrorState
          title={t`The payout policy couldn’t be loaded`}
          error={asRequestError(error)}
          onRetry={() => void refetch()}
        />
      </Card>
    )
  }
  if (config === undefined) {
    return (
      <Card>
        <div className="flex flex-col gap-4">
          <Skeleton width={160} height={24} />
          <Skeleton height={96} />
          <Skeleton height={36} />
          <LoadingText text={t`Loading the payout policy`} />
        </div>
      </Card>
    )
  }
  return <PolicyForm projectId={projectId} config={config} />
}
