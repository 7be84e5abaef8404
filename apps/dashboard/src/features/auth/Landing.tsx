import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { HandCoins, KeyRound, Wallet } from 'lucide-react'

import { rootExistsQuery } from '../../api/auth.ts'
import { storedUser } from '../../api/session.ts'
import { ALL_PROJECTS } from '../../lib/navigation/current-project.ts'
import { paths } from '../../lib/paths.ts'
import { LinkButton } from '../../ui/actions/LinkButton.tsx'

const FACTS = [
  {
    icon: HandCoins,
    title: msg`No fee`,
    text: msg`Kassa takes nothing from a payment. You pay the network’s gas, and that is all.`,
  },
  {
    icon: Wallet,
    title: msg`Funds arrive in your wallet`,
    text: msg`Customers pay to addresses derived from your own wallet. Only its keys can move what arrives.`,
  },
  {
    icon: KeyRound,
    title: msg`Keys you keep`,
    text: msg`Deposit keys never reach the server. It derives addresses from a public key alone.`,
  },
] as const

/** What this server is, and the way in. */
export function Landing() {
  return (
    <div className="mx-auto w-full max-w-[960px] py-8">
      <h1 tabIndex={-1} className="max-w-[14ch] text-stat font-semibold text-balance sm:text-entry">
        <Trans>Crypto payments you run yourself</Trans>
      </h1>
      <p className="mt-5 max-w-[52ch] text-field text-muted">
        <Trans>
          Payment links, on-chain confirmations and webhooks on your own machine. Your customers pay on chain; the money
          is yours from the first block.
        </Trans>
      </p>
      <div className="mt-8">
        <WayIn />
      </div>
      <ul className="mt-16 grid gap-4 md:grid-cols-3">
        {FACTS.map(({ icon: Icon, title, text }) => (
          <li key={title.id} className="rounded-card border border-border bg-surface p-5 shadow-card">
            <Icon aria-hidden size={20} strokeWidth={1.75} className="text-accent-text" />
            <h2 className="mt-3 text-body font-semibold">{t(title)}</h2>
            <p className="mt-1 text-body text-muted">{t(text)}</p>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The one next step: to the operator's work, to signing in, or to the first account. */
function WayIn() {
  const { data: rootExists = true } = useQuery(rootExistsQuery)
  if (storedUser() !== undefined) {
    return (
      <LinkButton href={paths.dashboard({ projectId: ALL_PROJECTS })} kind="primary" size="large">
        <Trans>Open the dashboard</Trans>
      </LinkButton>
    )
  }
  return rootExists ? (
    <LinkButton href={paths.signIn()} kind="primary" size="large">
      <Trans>Sign in</Trans>
    </LinkButton>
  ) : (
    <LinkButton href={paths.signUp()} kind="primary" size="large">
      <Trans>Set up this server</Trans>
    </LinkButton>
  )
}
