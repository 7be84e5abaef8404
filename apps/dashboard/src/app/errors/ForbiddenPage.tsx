import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { storedUser } from '../../api/session.ts'
import { CopyButton } from '../../ui/actions/CopyButton.tsx'
import { ErrorPage } from './ErrorPage.tsx'

export type ForbiddenPageProps = {
  readonly permission: string
  /** Absent where the permission in any one project would do. */
  readonly project: string | undefined
  readonly page: string
}

/** A page the operator may not read: which permission it needs, and a sentence to send to an administrator. */
export function ForbiddenPage({ permission, project, page }: ForbiddenPageProps) {
  const role = storedUser()?.role.name ?? ''
  const request =
    project === undefined
      ? t`Please give me the permission ${permission} in any project, so that I can open “${page}” in Kassa.`
      : t`Please give me the permission ${permission} in ${project}, so that I can open “${page}” in Kassa.`
  const code = <code className="font-mono text-dense">{permission}</code>
  return (
    <ErrorPage
      sign="403"
      title={t`This page isn’t open to you.`}
      actions={
        <CopyButton
          withText
          label={t({ message: 'a request', comment: 'stands in “Copy a request”' })}
          value={request}
        />
      }
    >
      <p>
        {project === undefined ? (
          <Trans>You need the permission {code} in any project.</Trans>
        ) : (
          <Trans>
            You need the permission {code} in {project}.
          </Trans>
        )}
      </p>
      {role !== '' && (
        <p className="mt-1">
          <Trans>Your role is {role}.</Trans>
        </p>
      )}
    </ErrorPage>
  )
}
