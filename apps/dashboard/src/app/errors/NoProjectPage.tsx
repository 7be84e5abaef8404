import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { paths } from '../../lib/paths.ts'
import { ALL_PROJECTS } from '../../lib/navigation/current-project.ts'
import { LinkButton } from '../../ui/actions/LinkButton.tsx'
import { ErrorPage } from './ErrorPage.tsx'

/** An address of a project that is not there, or not open to this operator. */
export function NoProjectPage() {
  const actions = (
    <LinkButton href={paths.dashboard({ projectId: ALL_PROJECTS })}>
      <Trans>All projects</Trans>
    </LinkButton>
  )
  return (
    <ErrorPage sign="404" title={t`There’s no such project.`} actions={actions}>
      <Trans>The address may be mistyped, or you were taken off the project.</Trans>
    </ErrorPage>
  )
}
