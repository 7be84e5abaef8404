import { Trans } from '@lingui/react/macro'

import { paths } from '../../lib/paths.ts'
import { useFollow } from '../../lib/navigation/navigate.ts'
import { LinkButton } from '../../ui/actions/LinkButton.tsx'
import { Logo } from '../layouts/Logo.tsx'
import { NothingHere } from './NothingHere.tsx'

/** An address without a page, for visitors. */
export function NotFoundPage() {
  const follow = useFollow()
  const action = (
    <LinkButton href={paths.signIn()}>
      <Trans>To the dashboard</Trans>
    </LinkButton>
  )
  return (
    <>
      <header className="px-4 py-5 sm:px-8">
        <a href="/" onClick={follow} className="inline-block rounded-control">
          <Logo />
        </a>
      </header>
      <main id="content" tabIndex={-1}>
        <NothingHere action={action} />
      </main>
    </>
  )
}
