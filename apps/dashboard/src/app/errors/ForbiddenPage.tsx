import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { storedUser } from '../../api/session.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { ErrorPage } from './ErrorPage.tsx'

/** A page the operator may not read: which permission it needs, and a sentence to send to an administrator. */
export function ForbiddenPage({ permission, project, page }: { permission: string; project: string; page: string }) {
  const role = storedUser()?.role.name ?? ''
  const request = t`Please give me the permission ${permission} in ${project}, so that I can open “${page}” in Kassa.`
  return (
    <ErrorPage
      sign="403"
      title={t`This page isn’t open to you.`}
      actions={<CopyButton withText label={t`a request`} value={request} />}
    >
      <p>
        <Trans>
          You need the permission <code className="font-mono text-dense">{permission}</code> in {project}.
        </Trans>
      </p>
      {role !== '' && (
        <p className="mt-1">
          <Trans>Your role is {role}.</Trans>
        </p>
      )}
    </ErrorPage>
  )
}
