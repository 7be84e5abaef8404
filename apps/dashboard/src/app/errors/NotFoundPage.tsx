import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { paths } from '../../lib/paths.ts'
import { useFollow, useHistory } from '../../lib/navigation/navigate.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { LinkButton } from '../../ui/actions/LinkButton.tsx'
import { Logo } from '../layouts/Logo.tsx'
import { ErrorPage } from './ErrorPage.tsx'

/** An address without a page. */
export function NotFoundPage() {
  const history = useHistory()
  const follow = useFollow()
  const actions = (
    <>
      <Button onClick={() => history?.back()}>
        <Trans>Back</Trans>
      </Button>
      <LinkButton href={paths.signIn()}>
        <Trans>To the dashboard</Trans>
      </LinkButton>
    </>
  )
  return (
    <>
      <header className="px-4 py-5 sm:px-8">
        <a href="/" onClick={follow} className="inline-block rounded-control">
          <Logo />
        </a>
      </header>
      <main id="content" tabIndex={-1}>
        <ErrorPage sign="404" title={t`There’s nothing here.`} actions={actions}>
          <Trans>The address may be mistyped, or what it showed was removed.</Trans>
        </ErrorPage>
      </main>
    </>
  )
}
