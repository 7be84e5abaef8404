import { useFollow, useHistory } from '../../lib/navigate.ts'
import { Button } from '../../ui/Button.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Logo } from '../Logo.tsx'
import { ErrorPage } from './ErrorPage.tsx'

/** An address without a page. */
export function NotFoundPage() {
  const history = useHistory()
  const follow = useFollow()
  const actions = (
    <>
      <Button onClick={() => history?.back()}>Back</Button>
      <LinkButton href="/login">To the dashboard</LinkButton>
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
        <ErrorPage sign="404" title="There’s nothing here." actions={actions}>
          The address may be mistyped, or what it showed was removed.
        </ErrorPage>
      </main>
    </>
  )
}
