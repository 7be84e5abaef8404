import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { asRequestError } from '../../../api/request-error.ts'
import { failureOf } from '../../../api/form-failure.ts'
import { projectQuery, useMoveProject } from '../../../api/project-changes.ts'
import { paths } from '../../../lib/paths.ts'
import { useGo } from '../../../lib/navigation/navigate.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Card } from '../../../ui/places/Card.tsx'
import { ConsequencesDialog } from '../../../ui/overlays/ConsequencesDialog.tsx'
import { ErrorState } from '../../../ui/places/ErrorState.tsx'
import { LoadingText, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { toast } from '../../../ui/feedback/toast.ts'

const CONSEQUENCES = [
  msg`No new payment can be made, by links, by API keys or by operators.`,
  msg`Nothing is sent to its webhook endpoints; what waits goes out once it is back.`,
  msg`Money that still arrives is credited to its customers as ever.`,
]

/** The way out of use for a project, and that it is a way back too. */
export function ArchiveTab({ projectId }: { projectId: string }) {
  const { data: project, error, refetch } = useQuery(projectQuery(projectId))
  const move = useMoveProject()
  const go = useGo()
  const [isAsked, setAsked] = useState(false)
  if (project === undefined) {
    return (
      <Card>
        {error === null ? (
          <>
            <LoadingText text={t`Loading the project`} />
            <Skeleton width="50%" />
          </>
        ) : (
          <ErrorState
            title={t`The project couldn’t be loaded`}
            error={asRequestError(error)}
            onRetry={() => void refetch()}
          />
        )}
      </Card>
    )
  }
  const { name } = project
  const archive = async () => {
    const failure = await failureOf(() => move(project.id, 'archived'))
    if (failure !== undefined) return failure
    toast.success(t`${name} is archived`)
    go(paths.settings())
    return undefined
  }
  if (project.status === 'archived') {
    return (
      <Card title={t`Archive`}>
        <Trans>This project is archived. Restore it above.</Trans>
      </Card>
    )
  }
  return (
    <Card
      title={t`Archive this project`}
      text={t`For a shop that has closed. It can be restored at any time.`}
      actions={
        <Button kind="danger" onClick={() => setAsked(true)}>
          <Trans>Archive project</Trans>
        </Button>
      }
    >
      <ul className="flex list-disc flex-col gap-1 ps-5 text-body text-muted">
        {CONSEQUENCES.map((consequence) => (
          <li key={consequence.id}>{t(consequence)}</li>
        ))}
      </ul>
      {isAsked && (
        <ConsequencesDialog
          title={t`Archive ${name}?`}
          consequences={CONSEQUENCES.map((consequence) => t(consequence))}
          action={t`Archive project`}
          typed={name}
          onConfirm={archive}
          onClose={() => setAsked(false)}
        />
      )}
    </Card>
  )
}
